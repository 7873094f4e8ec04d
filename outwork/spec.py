# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Registers, memory layouts and codes: generated from spec/outwork.rdl by spec/generate.py; do not edit."""

from enum import IntEnum
from typing import Final


class Engine(IntEnum):
    SHELL = 0x00
    AES = 0x01
    HASH = 0x02
    COMBINED = 0x06
    RADIO = 0x03
    DES = 0x04
    PKA = 0x05
    ASCON = 0x07
    LATTICE = 0x08


ENGINE_DESCRIPTIONS: Final[dict[Engine, str]] = {
    Engine.SHELL: "The shell itself (no-operation jobs).",
    Engine.AES: "AES in all modes (rtl/aes).",
    Engine.HASH: "SHA-1, SHA-2, SHA-3, SHAKE, HMAC and KMAC (rtl/hash).",
    Engine.COMBINED: "AES and HMAC in one pass (rtl/combined): with both engines, for the hashes that HASH lists.",
    Engine.RADIO: "ZUC and SNOW 3G for LTE and 5G (rtl/radio).",
    Engine.DES: "DES and TDES; legacy (rtl/des).",
    Engine.PKA: "RSA and elliptic curves (rtl/pka).",
    Engine.ASCON: "Ascon-AEAD128, Ascon-Hash256, Ascon-XOF128, Ascon-CXOF128 (rtl/ascon).",
    Engine.LATTICE: "ML-KEM and ML-DSA (rtl/lattice).",
}


class Opcode(IntEnum):
    NOP = 0x00
    AES_ECB = 0x10
    AES_CBC = 0x11
    AES_CTR = 0x12
    AES_GCM = 0x13
    AES_GMAC = 0x14
    AES_XTS = 0x15
    AES_CCM = 0x16
    AES_CMAC = 0x17
    EEA2 = 0x1A
    EIA2 = 0x1F
    SHA1 = 0x20
    SHA224 = 0x21
    SHA256 = 0x22
    SHA384 = 0x23
    SHA512 = 0x24
    SHA512_224 = 0x25
    SHA512_256 = 0x26
    SHA3_224 = 0x28
    SHA3_256 = 0x29
    SHA3_384 = 0x2A
    SHA3_512 = 0x2B
    SHAKE128 = 0x2C
    SHAKE256 = 0x2D
    HMAC_SHA1 = 0x30
    HMAC_SHA224 = 0x31
    HMAC_SHA256 = 0x32
    HMAC_SHA384 = 0x33
    HMAC_SHA512 = 0x34
    HMAC_SHA512_224 = 0x35
    HMAC_SHA512_256 = 0x36
    HMAC_SHA3_224 = 0x38
    HMAC_SHA3_256 = 0x39
    HMAC_SHA3_384 = 0x3A
    HMAC_SHA3_512 = 0x3B
    KMAC128 = 0x3C
    KMAC256 = 0x3D
    EEA1 = 0x41
    ZUC256 = 0x42
    EEA3 = 0x43
    EIA1 = 0x44
    EEA1_EIA1 = 0x45
    EEA3_EIA1 = 0x47
    ZUC256_MAC = 0x48
    ZUC256_BOTH = 0x4A
    EIA3 = 0x4C
    EEA1_EIA3 = 0x4D
    EEA3_EIA3 = 0x4F
    DES_ECB = 0x50
    DES_CBC = 0x51
    TDES_ECB = 0x52
    TDES_CBC = 0x53
    MODEXP = 0x60
    RSA_PUBLIC = 0x61
    RSA_PRIVATE = 0x62
    RSA_LOAD = 0x63
    EC_MULTIPLY = 0x64
    EC_PUBLIC = 0x65
    EC_CHECK = 0x66
    EC_SIGN = 0x67
    EC_VERIFY = 0x68
    X25519 = 0x69
    ED25519_PUBLIC = 0x6A
    ED25519_SIGN = 0x6B
    ED25519_VERIFY = 0x6C
    AES_CBC_HMAC_SHA1 = 0x70
    AES_CBC_HMAC_SHA256 = 0x71
    AES_CBC_HMAC_SHA384 = 0x72
    AES_CBC_HMAC_SHA512 = 0x73
    AES_CTR_HMAC_SHA1 = 0x74
    AES_CTR_HMAC_SHA256 = 0x75
    AES_CTR_HMAC_SHA384 = 0x76
    AES_CTR_HMAC_SHA512 = 0x77
    ASCON_AEAD128 = 0x80
    ASCON_HASH256 = 0x81
    ASCON_XOF128 = 0x82
    ASCON_CXOF128 = 0x83
    MLKEM_KEYGEN = 0xA0
    MLKEM_ENCAPSULATE = 0xA1
    MLKEM_DECAPSULATE = 0xA2
    MLDSA_KEYGEN = 0xA3
    MLDSA_SIGN = 0xA4
    MLDSA_VERIFY = 0xA5


OPCODE_DESCRIPTIONS: Final[dict[Opcode, str]] = {
    Opcode.NOP: "Moves nothing; completes at once. Measures the fixed cost of a job.",
    Opcode.AES_ECB: "AES, electronic codebook (SP 800-38A 6.1). Length a multiple of 16.",
    Opcode.AES_CBC: "AES, cipher block chaining (SP 800-38A 6.2). Length a multiple of 16. The completion's tag is the next IV.",
    Opcode.AES_CTR: "AES, counter (SP 800-38A 6.5), 128-bit big-endian counter. The completion's tag is the next counter block.",
    Opcode.AES_GCM: "AES, Galois/counter mode (SP 800-38D). Any IV, AAD and payload length; tags of 4 to 16 bytes.",
    Opcode.AES_GMAC: "GMAC (SP 800-38D 3): GCM over `source` as additional authenticated data, with no payload: only APPEND_TAG writes to the destination. `aad_length` is 0.",
    Opcode.AES_XTS: "XTS (SP 800-38E, IEEE 1619) with ciphertext stealing. Two keys of 128 or 256 bits (192: BAD_KEY); IV is the 16-byte data unit number; length at least 16.",
    Opcode.AES_CCM: "CCM (SP 800-38C). IV is the counter block Ctr_0: flags byte q-1, the nonce, zeros. Length below 2^(8q).",
    Opcode.AES_CMAC: "CMAC (SP 800-38B) over `source`: only APPEND_TAG writes to the destination. `aad_length` is 0.",
    Opcode.EEA2: "128-EEA2, 128-NEA2: AES-128 in counter mode (TS 33.401 B.1.3), any length in bits. The IV field is a radio IV.",
    Opcode.EIA2: "128-EIA2, 128-NIA2: AES-128 CMAC (TS 33.401 B.2.3), any length in bits. The IV field is a radio IV. Only APPEND_TAG writes to the destination.",
    Opcode.SHA1: "SHA-1 (FIPS 180-4 6.1): 20 bytes.",
    Opcode.SHA224: "SHA-224 (FIPS 180-4 6.3): 28 bytes.",
    Opcode.SHA256: "SHA-256 (FIPS 180-4 6.2): 32 bytes.",
    Opcode.SHA384: "SHA-384 (FIPS 180-4 6.5): 48 bytes.",
    Opcode.SHA512: "SHA-512 (FIPS 180-4 6.4): 64 bytes.",
    Opcode.SHA512_224: "SHA-512/224 (FIPS 180-4 6.6): 28 bytes.",
    Opcode.SHA512_256: "SHA-512/256 (FIPS 180-4 6.7): 32 bytes.",
    Opcode.SHA3_224: "SHA3-224 (FIPS 202 6.1): 28 bytes.",
    Opcode.SHA3_256: "SHA3-256 (FIPS 202 6.1): 32 bytes.",
    Opcode.SHA3_384: "SHA3-384 (FIPS 202 6.1): 48 bytes.",
    Opcode.SHA3_512: "SHA3-512 (FIPS 202 6.1): 64 bytes.",
    Opcode.SHAKE128: "SHAKE128 (FIPS 202 6.2): `aad_length` bytes of output.",
    Opcode.SHAKE256: "SHAKE256 (FIPS 202 6.2): `aad_length` bytes of output.",
    Opcode.HMAC_SHA1: "HMAC (FIPS 198-1) with SHA-1: the first `aad_length` bytes of it, at most 20.",
    Opcode.HMAC_SHA224: "HMAC (FIPS 198-1) with SHA-224: the first `aad_length` bytes of it, at most 28.",
    Opcode.HMAC_SHA256: "HMAC (FIPS 198-1) with SHA-256: the first `aad_length` bytes of it, at most 32.",
    Opcode.HMAC_SHA384: "HMAC (FIPS 198-1) with SHA-384: the first `aad_length` bytes of it, at most 48.",
    Opcode.HMAC_SHA512: "HMAC (FIPS 198-1) with SHA-512: the first `aad_length` bytes of it, at most 64.",
    Opcode.HMAC_SHA512_224: "HMAC (FIPS 198-1) with SHA-512/224: the first `aad_length` bytes of it, at most 28.",
    Opcode.HMAC_SHA512_256: "HMAC (FIPS 198-1) with SHA-512/256: the first `aad_length` bytes of it, at most 32.",
    Opcode.HMAC_SHA3_224: "HMAC (FIPS 198-1) with SHA3-224: the first `aad_length` bytes of it, at most 28.",
    Opcode.HMAC_SHA3_256: "HMAC (FIPS 198-1) with SHA3-256: the first `aad_length` bytes of it, at most 32.",
    Opcode.HMAC_SHA3_384: "HMAC (FIPS 198-1) with SHA3-384: the first `aad_length` bytes of it, at most 48.",
    Opcode.HMAC_SHA3_512: "HMAC (FIPS 198-1) with SHA3-512: the first `aad_length` bytes of it, at most 64.",
    Opcode.KMAC128: "KMAC128 (SP 800-185 4.3) without customization: `aad_length` bytes.",
    Opcode.KMAC256: "KMAC256 (SP 800-185 4.3) without customization: `aad_length` bytes.",
    Opcode.EEA1: "128-EEA1, 128-NEA1, UEA2: SNOW 3G (TS 35.215 3). The IV field is a radio IV.",
    Opcode.ZUC256: "ZUC-256, version 1.1 (2018). LONG_IV: 23 bytes, the parts of six bits packed.",
    Opcode.EEA3: "128-EEA3, 128-NEA3: ZUC (TS 35.221).",
    Opcode.EIA1: "128-EIA1, 128-NIA1, UIA2: SNOW 3G (TS 35.215 4). Only APPEND_TAG writes to the destination; so with every MAC alone.",
    Opcode.EEA1_EIA1: "128-EEA1 and 128-EIA1 of one packet. The radio IV says which of the two sees the other's result.",
    Opcode.EEA3_EIA1: "128-EEA3 and 128-EIA1 of one packet.",
    Opcode.ZUC256_MAC: "The MAC of ZUC-256, version 1.1 (2018): 4, 8 or 16 bytes.",
    Opcode.ZUC256_BOTH: "ZUC-256 and its MAC of one packet.",
    Opcode.EIA3: "128-EIA3, 128-NIA3: ZUC (TS 35.221).",
    Opcode.EEA1_EIA3: "128-EEA1 and 128-EIA3 of one packet.",
    Opcode.EEA3_EIA3: "128-EEA3 and 128-EIA3 of one packet.",
    Opcode.DES_ECB: "Legacy. DES (FIPS 46-3), electronic codebook. Key of 8 bytes; length a multiple of 8.",
    Opcode.DES_CBC: "Legacy. DES, cipher block chaining: IV of 8 bytes; the completion's tag is the next IV.",
    Opcode.TDES_ECB: "Legacy. TDES (SP 800-67), electronic codebook. Keys of 24 bytes; two-key TDES repeats the first 8.",
    Opcode.TDES_CBC: "Legacy. TDES, cipher block chaining.",
    Opcode.MODEXP: "x^e mod m for an odd m, in constant time. AAD: m, e; source: x below m.",
    Opcode.RSA_PUBLIC: "RSAEP, RSAVP1 (RFC 8017 5.1.1, 5.2.2); its time depends on e. AAD: n, e; source: the message representative, below n.",
    Opcode.RSA_PRIVATE: "RSADP, RSASP1 by CRT (RFC 8017 5.1.2, 5.2.1), blinded, and checked under e before anything leaves. AAD: n, e, p, q, dP, dQ, qInv, or a slot; source: the representative, and 42 random bytes unless the key is in a slot.",
    Opcode.RSA_LOAD: "Fills a slot of the kind RSA_PRIVATE, once. Source: n, e, p, q, dP, dQ, qInv. No destination.",
    Opcode.EC_MULTIPLY: "The point k P; its x is the shared secret of ECDH (SP 800-56A 5.7.1.2). AAD: k, or a slot; source: x, y of P, which is validated, and unless k is in a slot random bytes: the curve's blinding, one number. Destination: x, y.",
    Opcode.EC_PUBLIC: "The public key d G. AAD: d; source: random bytes as in EC_MULTIPLY. Or a slot, and no source. Destination: x, y.",
    Opcode.EC_CHECK: "Validates a public key (SP 800-56A 5.6.2.3.4). AAD: x, y. No source, no destination.",
    Opcode.EC_SIGN: "ECDSA (FIPS 186-5 6.4.1). AAD: d; source: the hash as a number, k, random bytes as in EC_MULTIPLY, one more number. Or a slot; source: the hash alone, and the device makes k and the rest. Destination: r, s.",
    Opcode.EC_VERIFY: "ECDSA (FIPS 186-5 6.4.2); AUTH_FAILED where r, s is no signature. AAD: x, y; source: the hash, r, s. No destination.",
    Opcode.X25519: "The x coordinate of k P on Curve25519 or its twist (RFC 7748 5): the shared secret, or with x = 9 the public key. k and x are the numbers that RFC 7748's strings stand for, whose order of bytes is the other one; which bits of them count is as there. BAD_OPERAND where the result is 0 (RFC 7748 6.1). AAD: k, or a slot; source: x, and one random number unless k is in a slot. Destination: x. The iv field is 0.",
    Opcode.ED25519_PUBLIC: "The point s B of edwards25519, encoded (RFC 8032 5.1.5, 5.1.6): the public key, or R of a signature. s has 64 bytes, a hash; numbers are in the order of bytes as for X25519. AAD: s; source: 8 random bytes, one random number. Destination: the point. The iv field is 0. No slots.",
    Opcode.ED25519_SIGN: "S = (r + h a) mod L of a signature (RFC 8032 5.1.6). AAD: a, r (64 bytes); source: h (64 bytes), one random number. Destination: S. The iv field is 0. No slots: who can choose h for an r computes a.",
    Opcode.ED25519_VERIFY: "Whether S B - h A is R, without the cofactor (RFC 8032 5.1.7, FIPS 186-5 7.7); AUTH_FAILED where it is not or S is not below L, BAD_OPERAND where A is no point. AAD: A; source: R, S, h (64 bytes). No destination. The iv field is 0.",
    Opcode.AES_CBC_HMAC_SHA1: "AES-CBC (SP 800-38A 6.2), then HMAC-SHA-1 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366. Length a multiple of 16.",
    Opcode.AES_CBC_HMAC_SHA256: "AES-CBC (SP 800-38A 6.2), then HMAC-SHA-256 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366. Length a multiple of 16.",
    Opcode.AES_CBC_HMAC_SHA384: "AES-CBC (SP 800-38A 6.2), then HMAC-SHA-384 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366. Length a multiple of 16.",
    Opcode.AES_CBC_HMAC_SHA512: "AES-CBC (SP 800-38A 6.2), then HMAC-SHA-512 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366. Length a multiple of 16.",
    Opcode.AES_CTR_HMAC_SHA1: "AES-CTR (SP 800-38A 6.5), then HMAC-SHA-1 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366.",
    Opcode.AES_CTR_HMAC_SHA256: "AES-CTR (SP 800-38A 6.5), then HMAC-SHA-256 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366.",
    Opcode.AES_CTR_HMAC_SHA384: "AES-CTR (SP 800-38A 6.5), then HMAC-SHA-384 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366.",
    Opcode.AES_CTR_HMAC_SHA512: "AES-CTR (SP 800-38A 6.5), then HMAC-SHA-512 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366.",
    Opcode.ASCON_AEAD128: "Ascon-AEAD128 (SP 800-232 4.1). Key and nonce of 16 bytes, any AAD and payload length; tags of 4 to 16 bytes.",
    Opcode.ASCON_HASH256: "Ascon-Hash256 (SP 800-232 5.1): 32 bytes.",
    Opcode.ASCON_XOF128: "Ascon-XOF128 (SP 800-232 5.2): `aad_length` bytes of output.",
    Opcode.ASCON_CXOF128: "Ascon-CXOF128 (SP 800-232 5.3): `aad_length` bytes of output. With LONG_IV the IV is the customization string, 1 to 256 bytes; without, it is empty.",
    Opcode.MLKEM_KEYGEN: "ML-KEM.KeyGen_internal (FIPS 203, algorithm 16). The iv field is k: 2, 3 or 4 for ML-KEM-512, 768 or 1024. Source: d, z, 32 random bytes each. Destination: dk, of which ek is the part from byte 384 k on. A source of no bytes: of the key in a slot; the destination is ek.",
    Opcode.MLKEM_ENCAPSULATE: "ML-KEM.Encaps_internal (FIPS 203, algorithm 17) with the check of 7.2; BAD_OPERAND where ek is no encapsulation key. The iv field is k. AAD: ek; source: m, 32 random bytes. Destination: c, K.",
    Opcode.MLKEM_DECAPSULATE: "ML-KEM.Decaps (FIPS 203, algorithms 18 and 21) with the check of 7.3 and implicit rejection; BAD_OPERAND where dk is no decapsulation key. The iv field is k. With INLINE_KEY, AAD: dk; else a key in a slot and no AAD. Source: c. Destination: K. Or, with a key in a slot, a reserved slot and its generation in the iv field (LATTICE_PARAMETERS): K, or its first bytes, becomes the key there and there is no destination; KEY_DENIED where that slot is not reserved, or not for this queue, or not under this generation.",
    Opcode.MLDSA_KEYGEN: "ML-DSA.KeyGen_internal (FIPS 204, algorithm 6). The iv field is k: 4, 6 or 8 for ML-DSA-44, 65 or 87. Source: xi, 32 random bytes. Destination: pk, sk. A source of no bytes: of the key in a slot; the destination is pk.",
    Opcode.MLDSA_SIGN: "ML-DSA.Sign_internal (FIPS 204, algorithm 7) of mu; BAD_OPERAND where sk is no private key, or 814 rounds gave no signature. The iv field is k. With INLINE_KEY, AAD: sk; else a key in a slot and no AAD. Source: mu (64 bytes), rnd (32 random bytes, or zeros for the deterministic variant). Destination: the signature.",
    Opcode.MLDSA_VERIFY: "ML-DSA.Verify_internal (FIPS 204, algorithm 8) of mu; AUTH_FAILED where the signature is not valid. The iv field is k. AAD: pk; source: mu (64 bytes), the signature. No destination.",
}


class Status(IntEnum):
    OK = 0x00
    AUTH_FAILED = 0x01
    BAD_OPCODE = 0x02
    BAD_FLAGS = 0x03
    BAD_LENGTH = 0x04
    BAD_TAG_LENGTH = 0x05
    BAD_IV = 0x06
    BAD_KEY = 0x07
    KEY_DENIED = 0x08
    BAD_SEGMENT = 0x09
    WINDOW_VIOLATION = 0x0A
    READ_ERROR = 0x0B
    WRITE_ERROR = 0x0C
    TIMEOUT = 0x0D
    ABORTED = 0x0E
    BAD_OPERAND = 0x0F
    FAULT = 0x10
    WIPE_FAILED = 0x11
    KEY_GONE = 0x12
    BAD_STATE = 0x13
    NOT_SEEDED = 0x14


STATUS_DESCRIPTIONS: Final[dict[Status, str]] = {
    Status.OK: "Done.",
    Status.AUTH_FAILED: "The tag does not match. The destination holds zeros.",
    Status.BAD_OPCODE: "This build has no such opcode.",
    Status.BAD_FLAGS: "A flag does not go with this opcode or with another flag.",
    Status.BAD_LENGTH: "A length is not allowed for this opcode.",
    Status.BAD_TAG_LENGTH: "The tag length is not allowed for this opcode.",
    Status.BAD_IV: "The IV, its length, or the parameters in its place are not allowed for this opcode.",
    Status.BAD_KEY: "The length or kind of the key does not fit the opcode.",
    Status.KEY_DENIED: "The key in this slot may not be used for this operation; or the queue may use no key there: the slot is another queue's, empty, or does not exist, which looks the same.",
    Status.BAD_SEGMENT: "A segment list is not 16-byte aligned or ended before the job's bytes.",
    Status.WINDOW_VIOLATION: "An address lies outside the queue's windows. No byte outside was read or written.",
    Status.READ_ERROR: "The bus answered a read with an error.",
    Status.WRITE_ERROR: "The bus answered a write with an error.",
    Status.TIMEOUT: "The job ran longer than the queue's watchdog allows, or its input came so late that it held the public-key engine up.",
    Status.ABORTED: "The job was stopped by a reset of its queue (never seen in a ring).",
    Status.BAD_OPERAND: "A number is out of range: an even or zero modulus, one of another length than stated, a message not below it, a scalar not between 0 and the order, a point off the curve. No result is written, but there may be zeros in its place.",
    Status.FAULT: "A result failed its check and did not leave: the key is not consistent, or the device erred.",
    Status.WIPE_FAILED: "The job failed, and its destination could not be zeroed: its segment list had changed, an address was refused, the bus answered with an error, or it took longer than the queue's watchdog allows. Whoever asked must zero the destination.",
    Status.KEY_GONE: "The slot holds another key than the job names, or its key was zeroised or replaced while the job ran.",
    Status.BAD_STATE: "LOAD_STATE, key in a slot: the state is not one that this device saved for this queue, slot, key and opcode since the last seed. No word of it was used. SAVE_STATE, LOAD_STATE, key in a slot: the device has no seed.",
    Status.NOT_SEEDED: "The device has to make random numbers for this job and has not been given a seed (SEED).",
}


class Halt(IntEnum):
    NONE = 0x00
    BAD_RING = 0x01
    RING_OVERRUN = 0x02
    RING_WINDOW = 0x03
    RING_READ = 0x04
    RING_WRITE = 0x05
    BAD_DOORBELL = 0x06


HALT_DESCRIPTIONS: Final[dict[Halt, str]] = {
    Halt.NONE: "Not halted.",
    Halt.BAD_RING: "Ring base or size is not allowed.",
    Halt.RING_OVERRUN: "The doorbell announced more jobs than the ring holds.",
    Halt.RING_WINDOW: "A ring lies outside the queue's windows.",
    Halt.RING_READ: "The bus answered a descriptor read with an error.",
    Halt.RING_WRITE: "The bus answered a completion write with an error.",
    Halt.BAD_DOORBELL: "The doorbell went back, or further forward than the largest ring.",
}


class KeyLength(IntEnum):
    BITS_128 = 0x00
    BITS_192 = 0x01
    BITS_256 = 0x02


KEY_LENGTH_DESCRIPTIONS: Final[dict[KeyLength, str]] = {
    KeyLength.BITS_128: "16 bytes.",
    KeyLength.BITS_192: "24 bytes.",
    KeyLength.BITS_256: "32 bytes.",
}


class Curve(IntEnum):
    P256 = 0x00
    P384 = 0x01
    P521 = 0x02
    SECP256K1 = 0x03


CURVE_DESCRIPTIONS: Final[dict[Curve, str]] = {
    Curve.P256: "NIST P-256, secp256r1 (SP 800-186). Blinding: 8 bytes.",
    Curve.P384: "NIST P-384, secp384r1 (SP 800-186). Blinding: 24 bytes.",
    Curve.P521: "NIST P-521, secp521r1 (SP 800-186). Blinding: 32 bytes. Not in slots.",
    Curve.SECP256K1: "secp256k1 (SEC 2). Blinding: 16 bytes.",
}

# Register offsets count from the start of the block around them. A _MASK is in place.

PAGE_SIZE: Final = 0x1000

# The page of the device's owner.
GLOBAL_OFFSET: Final = 0x0000
GLOBAL_ID_OFFSET: Final = 0x000
GLOBAL_ID_RESET: Final = 0x4F57524B
GLOBAL_VERSION_OFFSET: Final = 0x004
GLOBAL_VERSION_RESET: Final = 0x00000200
GLOBAL_VERSION_PATCH_SHIFT: Final = 0
GLOBAL_VERSION_PATCH_WIDTH: Final = 8
GLOBAL_VERSION_PATCH_MASK: Final = 0x000000FF
GLOBAL_VERSION_MINOR_SHIFT: Final = 8
GLOBAL_VERSION_MINOR_WIDTH: Final = 8
GLOBAL_VERSION_MINOR_MASK: Final = 0x0000FF00
GLOBAL_VERSION_MAJOR_SHIFT: Final = 16
GLOBAL_VERSION_MAJOR_WIDTH: Final = 16
GLOBAL_VERSION_MAJOR_MASK: Final = 0xFFFF0000
GLOBAL_SHELL_OFFSET: Final = 0x008
GLOBAL_SHELL_QUEUES_SHIFT: Final = 0
GLOBAL_SHELL_QUEUES_WIDTH: Final = 8
GLOBAL_SHELL_QUEUES_MASK: Final = 0x000000FF
GLOBAL_SHELL_STREAMS_SHIFT: Final = 8
GLOBAL_SHELL_STREAMS_WIDTH: Final = 8
GLOBAL_SHELL_STREAMS_MASK: Final = 0x0000FF00
GLOBAL_SHELL_KEY_SLOTS_SHIFT: Final = 16
GLOBAL_SHELL_KEY_SLOTS_WIDTH: Final = 8
GLOBAL_SHELL_KEY_SLOTS_MASK: Final = 0x00FF0000
GLOBAL_SHELL_BUS_BYTES_SHIFT: Final = 24
GLOBAL_SHELL_BUS_BYTES_WIDTH: Final = 8
GLOBAL_SHELL_BUS_BYTES_MASK: Final = 0xFF000000
GLOBAL_LIMITS_OFFSET: Final = 0x00C
GLOBAL_LIMITS_RING_LOG2_MAX_SHIFT: Final = 0
GLOBAL_LIMITS_RING_LOG2_MAX_WIDTH: Final = 8
GLOBAL_LIMITS_RING_LOG2_MAX_MASK: Final = 0x000000FF
GLOBAL_LIMITS_WINDOWS_SHIFT: Final = 8
GLOBAL_LIMITS_WINDOWS_WIDTH: Final = 8
GLOBAL_LIMITS_WINDOWS_MASK: Final = 0x0000FF00
GLOBAL_LIMITS_NO_SEAL_SHIFT: Final = 16
GLOBAL_LIMITS_NO_SEAL_WIDTH: Final = 1
GLOBAL_LIMITS_NO_SEAL_MASK: Final = 0x00010000
GLOBAL_LIMITS_NO_STEP_CYCLES_SHIFT: Final = 17
GLOBAL_LIMITS_NO_STEP_CYCLES_WIDTH: Final = 1
GLOBAL_LIMITS_NO_STEP_CYCLES_MASK: Final = 0x00020000
GLOBAL_LIMITS_MADE_KEYS_SHIFT: Final = 18
GLOBAL_LIMITS_MADE_KEYS_WIDTH: Final = 1
GLOBAL_LIMITS_MADE_KEYS_MASK: Final = 0x00040000
GLOBAL_ENGINES_OFFSET: Final = 0x010
GLOBAL_AES_OFFSET: Final = 0x014
GLOBAL_AES_MODES_SHIFT: Final = 0
GLOBAL_AES_MODES_WIDTH: Final = 16
GLOBAL_AES_MODES_MASK: Final = 0x0000FFFF
GLOBAL_AES_STAGES_SHIFT: Final = 16
GLOBAL_AES_STAGES_WIDTH: Final = 8
GLOBAL_AES_STAGES_MASK: Final = 0x00FF0000
GLOBAL_AES_DECRYPT_SHIFT: Final = 24
GLOBAL_AES_DECRYPT_WIDTH: Final = 1
GLOBAL_AES_DECRYPT_MASK: Final = 0x01000000
GLOBAL_AES_VERSION_SHIFT: Final = 28
GLOBAL_AES_VERSION_WIDTH: Final = 4
GLOBAL_AES_VERSION_MASK: Final = 0xF0000000
GLOBAL_HASH_OFFSET: Final = 0x018
GLOBAL_HASH_ALGORITHMS_SHIFT: Final = 0
GLOBAL_HASH_ALGORITHMS_WIDTH: Final = 16
GLOBAL_HASH_ALGORITHMS_MASK: Final = 0x0000FFFF
GLOBAL_HASH_VERSION_SHIFT: Final = 28
GLOBAL_HASH_VERSION_WIDTH: Final = 4
GLOBAL_HASH_VERSION_MASK: Final = 0xF0000000
GLOBAL_HASH_UNITS_OFFSET: Final = 0x01C
GLOBAL_HASH_UNITS_SHA256_SHIFT: Final = 0
GLOBAL_HASH_UNITS_SHA256_WIDTH: Final = 4
GLOBAL_HASH_UNITS_SHA256_MASK: Final = 0x0000000F
GLOBAL_HASH_UNITS_SHA512_SHIFT: Final = 4
GLOBAL_HASH_UNITS_SHA512_WIDTH: Final = 4
GLOBAL_HASH_UNITS_SHA512_MASK: Final = 0x000000F0
GLOBAL_HASH_UNITS_KECCAK_SHIFT: Final = 8
GLOBAL_HASH_UNITS_KECCAK_WIDTH: Final = 4
GLOBAL_HASH_UNITS_KECCAK_MASK: Final = 0x00000F00
GLOBAL_HASH_UNITS_SHA_ROUNDS_SHIFT: Final = 16
GLOBAL_HASH_UNITS_SHA_ROUNDS_WIDTH: Final = 4
GLOBAL_HASH_UNITS_SHA_ROUNDS_MASK: Final = 0x000F0000
GLOBAL_HASH_UNITS_KECCAK_ROUNDS_SHIFT: Final = 20
GLOBAL_HASH_UNITS_KECCAK_ROUNDS_WIDTH: Final = 4
GLOBAL_HASH_UNITS_KECCAK_ROUNDS_MASK: Final = 0x00F00000
GLOBAL_CYCLE_LOW_OFFSET: Final = 0x020
GLOBAL_CYCLE_HIGH_OFFSET: Final = 0x024
GLOBAL_STATUS_OFFSET: Final = 0x028
GLOBAL_STATUS_BUSY_SHIFT: Final = 0
GLOBAL_STATUS_BUSY_WIDTH: Final = 1
GLOBAL_STATUS_BUSY_MASK: Final = 0x00000001
GLOBAL_STATUS_ZEROISING_SHIFT: Final = 1
GLOBAL_STATUS_ZEROISING_WIDTH: Final = 1
GLOBAL_STATUS_ZEROISING_MASK: Final = 0x00000002
GLOBAL_STATUS_TAMPER_SHIFT: Final = 2
GLOBAL_STATUS_TAMPER_WIDTH: Final = 1
GLOBAL_STATUS_TAMPER_MASK: Final = 0x00000004
GLOBAL_STATUS_SEEDED_SHIFT: Final = 3
GLOBAL_STATUS_SEEDED_WIDTH: Final = 1
GLOBAL_STATUS_SEEDED_MASK: Final = 0x00000008
GLOBAL_IRQ_OFFSET: Final = 0x02C
GLOBAL_RADIO_OFFSET: Final = 0x030
GLOBAL_RADIO_ALGORITHMS_SHIFT: Final = 0
GLOBAL_RADIO_ALGORITHMS_WIDTH: Final = 16
GLOBAL_RADIO_ALGORITHMS_MASK: Final = 0x0000FFFF
GLOBAL_RADIO_LANES_SHIFT: Final = 16
GLOBAL_RADIO_LANES_WIDTH: Final = 8
GLOBAL_RADIO_LANES_MASK: Final = 0x00FF0000
GLOBAL_RADIO_VERSION_SHIFT: Final = 28
GLOBAL_RADIO_VERSION_WIDTH: Final = 4
GLOBAL_RADIO_VERSION_MASK: Final = 0xF0000000
GLOBAL_DES_OFFSET: Final = 0x034
GLOBAL_DES_MODES_SHIFT: Final = 0
GLOBAL_DES_MODES_WIDTH: Final = 16
GLOBAL_DES_MODES_MASK: Final = 0x0000FFFF
GLOBAL_DES_LEGACY_SHIFT: Final = 16
GLOBAL_DES_LEGACY_WIDTH: Final = 1
GLOBAL_DES_LEGACY_MASK: Final = 0x00010000
GLOBAL_DES_VERSION_SHIFT: Final = 28
GLOBAL_DES_VERSION_WIDTH: Final = 4
GLOBAL_DES_VERSION_MASK: Final = 0xF0000000
GLOBAL_COMBINED_OFFSET: Final = 0x038
GLOBAL_COMBINED_ALGORITHMS_SHIFT: Final = 0
GLOBAL_COMBINED_ALGORITHMS_WIDTH: Final = 16
GLOBAL_COMBINED_ALGORITHMS_MASK: Final = 0x0000FFFF
GLOBAL_COMBINED_CBC_DECRYPT_SHIFT: Final = 24
GLOBAL_COMBINED_CBC_DECRYPT_WIDTH: Final = 1
GLOBAL_COMBINED_CBC_DECRYPT_MASK: Final = 0x01000000
GLOBAL_COMBINED_VERSION_SHIFT: Final = 28
GLOBAL_COMBINED_VERSION_WIDTH: Final = 4
GLOBAL_COMBINED_VERSION_MASK: Final = 0xF0000000
GLOBAL_PKA_OFFSET: Final = 0x03C
GLOBAL_PKA_OPERATIONS_SHIFT: Final = 0
GLOBAL_PKA_OPERATIONS_WIDTH: Final = 16
GLOBAL_PKA_OPERATIONS_MASK: Final = 0x0000FFFF
GLOBAL_PKA_CURVES_SHIFT: Final = 16
GLOBAL_PKA_CURVES_WIDTH: Final = 4
GLOBAL_PKA_CURVES_MASK: Final = 0x000F0000
GLOBAL_PKA_ROWS_SHIFT: Final = 20
GLOBAL_PKA_ROWS_WIDTH: Final = 4
GLOBAL_PKA_ROWS_MASK: Final = 0x00F00000
GLOBAL_PKA_RSA_KEYS_SHIFT: Final = 24
GLOBAL_PKA_RSA_KEYS_WIDTH: Final = 4
GLOBAL_PKA_RSA_KEYS_MASK: Final = 0x0F000000
GLOBAL_PKA_VERSION_SHIFT: Final = 28
GLOBAL_PKA_VERSION_WIDTH: Final = 4
GLOBAL_PKA_VERSION_MASK: Final = 0xF0000000
GLOBAL_KEY_SLOT_OFFSET: Final = 0x040
GLOBAL_KEY_SLOT_RESET: Final = 0x00000000
GLOBAL_KEY_SLOT_INDEX_SHIFT: Final = 0
GLOBAL_KEY_SLOT_INDEX_WIDTH: Final = 8
GLOBAL_KEY_SLOT_INDEX_MASK: Final = 0x000000FF
GLOBAL_KEY_CONFIG_OFFSET: Final = 0x044
GLOBAL_KEY_CONFIG_RESET: Final = 0x00000000
GLOBAL_KEY_CONFIG_LENGTH_SHIFT: Final = 0
GLOBAL_KEY_CONFIG_LENGTH_WIDTH: Final = 2
GLOBAL_KEY_CONFIG_LENGTH_MASK: Final = 0x00000003
GLOBAL_KEY_CONFIG_TWO_KEYS_SHIFT: Final = 2
GLOBAL_KEY_CONFIG_TWO_KEYS_WIDTH: Final = 1
GLOBAL_KEY_CONFIG_TWO_KEYS_MASK: Final = 0x00000004
GLOBAL_KEY_CONFIG_ENCRYPT_SHIFT: Final = 3
GLOBAL_KEY_CONFIG_ENCRYPT_WIDTH: Final = 1
GLOBAL_KEY_CONFIG_ENCRYPT_MASK: Final = 0x00000008
GLOBAL_KEY_CONFIG_DECRYPT_SHIFT: Final = 4
GLOBAL_KEY_CONFIG_DECRYPT_WIDTH: Final = 1
GLOBAL_KEY_CONFIG_DECRYPT_MASK: Final = 0x00000010
GLOBAL_KEY_CONFIG_MAC_SHIFT: Final = 5
GLOBAL_KEY_CONFIG_MAC_WIDTH: Final = 1
GLOBAL_KEY_CONFIG_MAC_MASK: Final = 0x00000020
GLOBAL_KEY_CONFIG_QUEUES_SHIFT: Final = 8
GLOBAL_KEY_CONFIG_QUEUES_WIDTH: Final = 8
GLOBAL_KEY_CONFIG_QUEUES_MASK: Final = 0x0000FF00
GLOBAL_KEY_CONFIG_LOCK_SHIFT: Final = 16
GLOBAL_KEY_CONFIG_LOCK_WIDTH: Final = 1
GLOBAL_KEY_CONFIG_LOCK_MASK: Final = 0x00010000
GLOBAL_KEY_CONFIG_BYTES_SHIFT: Final = 17
GLOBAL_KEY_CONFIG_BYTES_WIDTH: Final = 7
GLOBAL_KEY_CONFIG_BYTES_MASK: Final = 0x00FE0000
GLOBAL_KEY_CONFIG_KIND_SHIFT: Final = 24
GLOBAL_KEY_CONFIG_KIND_WIDTH: Final = 8
GLOBAL_KEY_CONFIG_KIND_MASK: Final = 0xFF000000
GLOBAL_KEY_COMMAND_OFFSET: Final = 0x048
GLOBAL_KEY_COMMAND_LOAD_SHIFT: Final = 0
GLOBAL_KEY_COMMAND_LOAD_WIDTH: Final = 1
GLOBAL_KEY_COMMAND_LOAD_MASK: Final = 0x00000001
GLOBAL_KEY_COMMAND_ZEROISE_SHIFT: Final = 1
GLOBAL_KEY_COMMAND_ZEROISE_WIDTH: Final = 1
GLOBAL_KEY_COMMAND_ZEROISE_MASK: Final = 0x00000002
GLOBAL_KEY_COMMAND_ZEROISE_ALL_SHIFT: Final = 2
GLOBAL_KEY_COMMAND_ZEROISE_ALL_WIDTH: Final = 1
GLOBAL_KEY_COMMAND_ZEROISE_ALL_MASK: Final = 0x00000004
GLOBAL_KEY_COMMAND_RESERVE_SHIFT: Final = 3
GLOBAL_KEY_COMMAND_RESERVE_WIDTH: Final = 1
GLOBAL_KEY_COMMAND_RESERVE_MASK: Final = 0x00000008
GLOBAL_KEY_STATUS_OFFSET: Final = 0x04C
GLOBAL_KEY_STATUS_VALID_SHIFT: Final = 0
GLOBAL_KEY_STATUS_VALID_WIDTH: Final = 1
GLOBAL_KEY_STATUS_VALID_MASK: Final = 0x00000001
GLOBAL_KEY_STATUS_LOCKED_SHIFT: Final = 1
GLOBAL_KEY_STATUS_LOCKED_WIDTH: Final = 1
GLOBAL_KEY_STATUS_LOCKED_MASK: Final = 0x00000002
GLOBAL_KEY_STATUS_BUSY_SHIFT: Final = 2
GLOBAL_KEY_STATUS_BUSY_WIDTH: Final = 1
GLOBAL_KEY_STATUS_BUSY_MASK: Final = 0x00000004
GLOBAL_KEY_STATUS_REFUSED_SHIFT: Final = 3
GLOBAL_KEY_STATUS_REFUSED_WIDTH: Final = 1
GLOBAL_KEY_STATUS_REFUSED_MASK: Final = 0x00000008
GLOBAL_KEY_STATUS_LENGTH_SHIFT: Final = 4
GLOBAL_KEY_STATUS_LENGTH_WIDTH: Final = 2
GLOBAL_KEY_STATUS_LENGTH_MASK: Final = 0x00000030
GLOBAL_KEY_STATUS_TWO_KEYS_SHIFT: Final = 6
GLOBAL_KEY_STATUS_TWO_KEYS_WIDTH: Final = 1
GLOBAL_KEY_STATUS_TWO_KEYS_MASK: Final = 0x00000040
GLOBAL_KEY_STATUS_ENCRYPT_SHIFT: Final = 7
GLOBAL_KEY_STATUS_ENCRYPT_WIDTH: Final = 1
GLOBAL_KEY_STATUS_ENCRYPT_MASK: Final = 0x00000080
GLOBAL_KEY_STATUS_DECRYPT_SHIFT: Final = 8
GLOBAL_KEY_STATUS_DECRYPT_WIDTH: Final = 1
GLOBAL_KEY_STATUS_DECRYPT_MASK: Final = 0x00000100
GLOBAL_KEY_STATUS_MAC_SHIFT: Final = 9
GLOBAL_KEY_STATUS_MAC_WIDTH: Final = 1
GLOBAL_KEY_STATUS_MAC_MASK: Final = 0x00000200
GLOBAL_KEY_STATUS_RESERVED_SHIFT: Final = 10
GLOBAL_KEY_STATUS_RESERVED_WIDTH: Final = 1
GLOBAL_KEY_STATUS_RESERVED_MASK: Final = 0x00000400
GLOBAL_KEY_STATUS_QUEUES_SHIFT: Final = 16
GLOBAL_KEY_STATUS_QUEUES_WIDTH: Final = 8
GLOBAL_KEY_STATUS_QUEUES_MASK: Final = 0x00FF0000
GLOBAL_KEY_STATUS_KIND_SHIFT: Final = 24
GLOBAL_KEY_STATUS_KIND_WIDTH: Final = 8
GLOBAL_KEY_STATUS_KIND_MASK: Final = 0xFF000000
GLOBAL_KEY_GENERATION_OFFSET: Final = 0x050
GLOBAL_KEY_GENERATION_VALUE_SHIFT: Final = 0
GLOBAL_KEY_GENERATION_VALUE_WIDTH: Final = 16
GLOBAL_KEY_GENERATION_VALUE_MASK: Final = 0x0000FFFF
GLOBAL_ASCON_OFFSET: Final = 0x054
GLOBAL_ASCON_ALGORITHMS_SHIFT: Final = 0
GLOBAL_ASCON_ALGORITHMS_WIDTH: Final = 16
GLOBAL_ASCON_ALGORITHMS_MASK: Final = 0x0000FFFF
GLOBAL_ASCON_MESSAGES_SHIFT: Final = 16
GLOBAL_ASCON_MESSAGES_WIDTH: Final = 4
GLOBAL_ASCON_MESSAGES_MASK: Final = 0x000F0000
GLOBAL_ASCON_ROUNDS_SHIFT: Final = 20
GLOBAL_ASCON_ROUNDS_WIDTH: Final = 4
GLOBAL_ASCON_ROUNDS_MASK: Final = 0x00F00000
GLOBAL_ASCON_VERSION_SHIFT: Final = 28
GLOBAL_ASCON_VERSION_WIDTH: Final = 4
GLOBAL_ASCON_VERSION_MASK: Final = 0xF0000000
GLOBAL_LATTICE_OFFSET: Final = 0x05C
GLOBAL_LATTICE_OPERATIONS_SHIFT: Final = 0
GLOBAL_LATTICE_OPERATIONS_WIDTH: Final = 16
GLOBAL_LATTICE_OPERATIONS_MASK: Final = 0x0000FFFF
GLOBAL_LATTICE_BUTTERFLIES_SHIFT: Final = 16
GLOBAL_LATTICE_BUTTERFLIES_WIDTH: Final = 4
GLOBAL_LATTICE_BUTTERFLIES_MASK: Final = 0x000F0000
GLOBAL_LATTICE_VERSION_SHIFT: Final = 28
GLOBAL_LATTICE_VERSION_WIDTH: Final = 4
GLOBAL_LATTICE_VERSION_MASK: Final = 0xF0000000
GLOBAL_KEY_DATA_OFFSET: Final = 0x080
GLOBAL_KEY_DATA_STRIDE: Final = 0x4
GLOBAL_KEY_DATA_COUNT: Final = 24
GLOBAL_SEED_OFFSET: Final = 0x0E0
GLOBAL_SEED_STRIDE: Final = 0x4
GLOBAL_SEED_COUNT: Final = 8

# The page of a queue; it can be mapped to a process on its own.
QUEUE_OFFSET: Final = 0x1000
QUEUE_STRIDE: Final = 0x1000
QUEUE_COUNT: Final = 4
QUEUE_CONTROL_OFFSET: Final = 0x000
QUEUE_CONTROL_RESET: Final = 0x00000000
QUEUE_CONTROL_ENABLE_SHIFT: Final = 0
QUEUE_CONTROL_ENABLE_WIDTH: Final = 1
QUEUE_CONTROL_ENABLE_MASK: Final = 0x00000001
QUEUE_CONTROL_RESET_SHIFT: Final = 1
QUEUE_CONTROL_RESET_WIDTH: Final = 1
QUEUE_CONTROL_RESET_MASK: Final = 0x00000002
QUEUE_CONTROL_IRQ_ENABLE_SHIFT: Final = 2
QUEUE_CONTROL_IRQ_ENABLE_WIDTH: Final = 1
QUEUE_CONTROL_IRQ_ENABLE_MASK: Final = 0x00000004
QUEUE_STATUS_OFFSET: Final = 0x004
QUEUE_STATUS_BUSY_SHIFT: Final = 0
QUEUE_STATUS_BUSY_WIDTH: Final = 1
QUEUE_STATUS_BUSY_MASK: Final = 0x00000001
QUEUE_STATUS_HALTED_SHIFT: Final = 1
QUEUE_STATUS_HALTED_WIDTH: Final = 1
QUEUE_STATUS_HALTED_MASK: Final = 0x00000002
QUEUE_STATUS_WATCHDOG_SHIFT: Final = 2
QUEUE_STATUS_WATCHDOG_WIDTH: Final = 1
QUEUE_STATUS_WATCHDOG_MASK: Final = 0x00000004
QUEUE_STATUS_HALT_SHIFT: Final = 8
QUEUE_STATUS_HALT_WIDTH: Final = 8
QUEUE_STATUS_HALT_MASK: Final = 0x0000FF00
QUEUE_RING_LOW_OFFSET: Final = 0x008
QUEUE_RING_LOW_RESET: Final = 0x00000000
QUEUE_RING_HIGH_OFFSET: Final = 0x00C
QUEUE_RING_HIGH_RESET: Final = 0x00000000
QUEUE_DONE_LOW_OFFSET: Final = 0x010
QUEUE_DONE_LOW_RESET: Final = 0x00000000
QUEUE_DONE_HIGH_OFFSET: Final = 0x014
QUEUE_DONE_HIGH_RESET: Final = 0x00000000
QUEUE_RING_SIZE_OFFSET: Final = 0x018
QUEUE_RING_SIZE_RESET: Final = 0x00000000
QUEUE_RING_SIZE_LOG2_SHIFT: Final = 0
QUEUE_RING_SIZE_LOG2_WIDTH: Final = 4
QUEUE_RING_SIZE_LOG2_MASK: Final = 0x0000000F
QUEUE_DOORBELL_OFFSET: Final = 0x01C
QUEUE_DOORBELL_RESET: Final = 0x00000000
QUEUE_DOORBELL_COUNT_SHIFT: Final = 0
QUEUE_DOORBELL_COUNT_WIDTH: Final = 16
QUEUE_DOORBELL_COUNT_MASK: Final = 0x0000FFFF
QUEUE_PROGRESS_OFFSET: Final = 0x020
QUEUE_PROGRESS_FETCHED_SHIFT: Final = 0
QUEUE_PROGRESS_FETCHED_WIDTH: Final = 16
QUEUE_PROGRESS_FETCHED_MASK: Final = 0x0000FFFF
QUEUE_PROGRESS_COMPLETED_SHIFT: Final = 16
QUEUE_PROGRESS_COMPLETED_WIDTH: Final = 16
QUEUE_PROGRESS_COMPLETED_MASK: Final = 0xFFFF0000
QUEUE_IRQ_COUNT_OFFSET: Final = 0x024
QUEUE_IRQ_COUNT_RESET: Final = 0x00000000
QUEUE_IRQ_COUNT_COMPLETIONS_SHIFT: Final = 0
QUEUE_IRQ_COUNT_COMPLETIONS_WIDTH: Final = 16
QUEUE_IRQ_COUNT_COMPLETIONS_MASK: Final = 0x0000FFFF
QUEUE_IRQ_TIME_OFFSET: Final = 0x028
QUEUE_IRQ_TIME_RESET: Final = 0x00000000
QUEUE_IRQ_OFFSET: Final = 0x02C
QUEUE_IRQ_RESET: Final = 0x00000000
QUEUE_IRQ_PENDING_SHIFT: Final = 0
QUEUE_IRQ_PENDING_WIDTH: Final = 1
QUEUE_IRQ_PENDING_MASK: Final = 0x00000001
QUEUE_START_LOW_OFFSET: Final = 0x030
QUEUE_START_HIGH_OFFSET: Final = 0x034
QUEUE_FINISH_LOW_OFFSET: Final = 0x038
QUEUE_FINISH_HIGH_OFFSET: Final = 0x03C
QUEUE_JOBS_OFFSET: Final = 0x080
QUEUE_BYTES_LOW_OFFSET: Final = 0x084
QUEUE_BYTES_HIGH_OFFSET: Final = 0x088
QUEUE_BUSY_CYCLES_OFFSET: Final = 0x08C
QUEUE_WAIT_CYCLES_OFFSET: Final = 0x090
QUEUE_PREPARE_CYCLES_OFFSET: Final = 0x094
QUEUE_DATA_CYCLES_OFFSET: Final = 0x098
QUEUE_WRITE_CYCLES_OFFSET: Final = 0x09C
QUEUE_COMPLETE_CYCLES_OFFSET: Final = 0x0A0
QUEUE_STALL_READ_OFFSET: Final = 0x0A4
QUEUE_STALL_WRITE_OFFSET: Final = 0x0A8
QUEUE_STALL_STREAM_OFFSET: Final = 0x0AC
QUEUE_FETCH_CYCLES_OFFSET: Final = 0x0B0
QUEUE_TAG_CYCLES_OFFSET: Final = 0x0B4
QUEUE_ERROR_AUTH_OFFSET: Final = 0x0C0
QUEUE_ERROR_REQUEST_OFFSET: Final = 0x0C4
QUEUE_ERROR_KEY_OFFSET: Final = 0x0C8
QUEUE_ERROR_WINDOW_OFFSET: Final = 0x0CC
QUEUE_ERROR_BUS_OFFSET: Final = 0x0D0
QUEUE_ERROR_TIMEOUT_OFFSET: Final = 0x0D4

# What the owner of the device grants a queue.
QUEUE_CONFIG_OFFSET: Final = 0x0400
QUEUE_CONFIG_STRIDE: Final = 0x100
QUEUE_CONFIG_COUNT: Final = 4
QUEUE_CONFIG_GRANT_OFFSET: Final = 0x000
QUEUE_CONFIG_GRANT_RESET: Final = 0x00000000
QUEUE_CONFIG_GRANT_ALLOW_SHIFT: Final = 0
QUEUE_CONFIG_GRANT_ALLOW_WIDTH: Final = 1
QUEUE_CONFIG_GRANT_ALLOW_MASK: Final = 0x00000001
QUEUE_CONFIG_GRANT_PRIORITY_SHIFT: Final = 1
QUEUE_CONFIG_GRANT_PRIORITY_WIDTH: Final = 1
QUEUE_CONFIG_GRANT_PRIORITY_MASK: Final = 0x00000002
QUEUE_CONFIG_GRANT_ANY_ADDRESS_SHIFT: Final = 2
QUEUE_CONFIG_GRANT_ANY_ADDRESS_WIDTH: Final = 1
QUEUE_CONFIG_GRANT_ANY_ADDRESS_MASK: Final = 0x00000004
QUEUE_CONFIG_WATCHDOG_OFFSET: Final = 0x004
QUEUE_CONFIG_WATCHDOG_RESET: Final = 0x00000000

# An address window: the bytes from base to last, both included.
WINDOW_OFFSET: Final = 0x0080
WINDOW_STRIDE: Final = 0x20
WINDOW_COUNT: Final = 4
WINDOW_BASE_LOW_OFFSET: Final = 0x000
WINDOW_BASE_LOW_RESET: Final = 0x00000000
WINDOW_BASE_HIGH_OFFSET: Final = 0x004
WINDOW_BASE_HIGH_RESET: Final = 0x00000000
WINDOW_LAST_LOW_OFFSET: Final = 0x008
WINDOW_LAST_LOW_RESET: Final = 0x00000000
WINDOW_LAST_HIGH_OFFSET: Final = 0x00C
WINDOW_LAST_HIGH_RESET: Final = 0x00000000
WINDOW_PERMISSION_OFFSET: Final = 0x010
WINDOW_PERMISSION_RESET: Final = 0x00000000
WINDOW_PERMISSION_READ_SHIFT: Final = 0
WINDOW_PERMISSION_READ_WIDTH: Final = 1
WINDOW_PERMISSION_READ_MASK: Final = 0x00000001
WINDOW_PERMISSION_WRITE_SHIFT: Final = 1
WINDOW_PERMISSION_WRITE_WIDTH: Final = 1
WINDOW_PERMISSION_WRITE_MASK: Final = 0x00000002

# The fields of each engine's capability registers: engine, register, field, shift, width.
CAPABILITY_FIELDS: Final = (
    ("aes", "aes", "modes", 0, 16),
    ("aes", "aes", "stages", 16, 8),
    ("aes", "aes", "decrypt", 24, 1),
    ("aes", "aes", "version", 28, 4),
    ("hash", "hash", "algorithms", 0, 16),
    ("hash", "hash", "version", 28, 4),
    ("hash", "hash_units", "sha256", 0, 4),
    ("hash", "hash_units", "sha512", 4, 4),
    ("hash", "hash_units", "keccak", 8, 4),
    ("hash", "hash_units", "sha_rounds", 16, 4),
    ("hash", "hash_units", "keccak_rounds", 20, 4),
    ("radio", "radio", "algorithms", 0, 16),
    ("radio", "radio", "lanes", 16, 8),
    ("radio", "radio", "version", 28, 4),
    ("des", "des", "modes", 0, 16),
    ("des", "des", "legacy", 16, 1),
    ("des", "des", "version", 28, 4),
    ("combined", "combined", "algorithms", 0, 16),
    ("combined", "combined", "cbc_decrypt", 24, 1),
    ("combined", "combined", "version", 28, 4),
    ("pka", "pka", "operations", 0, 16),
    ("pka", "pka", "curves", 16, 4),
    ("pka", "pka", "rows", 20, 4),
    ("pka", "pka", "rsa_keys", 24, 4),
    ("pka", "pka", "version", 28, 4),
    ("ascon", "ascon", "algorithms", 0, 16),
    ("ascon", "ascon", "messages", 16, 4),
    ("ascon", "ascon", "rounds", 20, 4),
    ("ascon", "ascon", "version", 28, 4),
    ("lattice", "lattice", "operations", 0, 16),
    ("lattice", "lattice", "butterflies", 16, 4),
    ("lattice", "lattice", "version", 28, 4),
)

# Layouts in memory: a `struct` format, and its members in order.

# Job descriptor: 64 bytes, 64-byte aligned, in the descriptor ring.
DESCRIPTOR_SIZE: Final = 64
DESCRIPTOR_FORMAT: Final = "<IIQQQQII16s"
DESCRIPTOR_MEMBERS: Final = (
    "control",
    "cookie",
    "source",
    "destination",
    "aad",
    "context",
    "length",
    "aad_length",
    "iv",
)
DESCRIPTOR_CONTROL_OPCODE_SHIFT: Final = 0
DESCRIPTOR_CONTROL_OPCODE_WIDTH: Final = 8
DESCRIPTOR_CONTROL_OPCODE_MASK: Final = 0x000000FF
DESCRIPTOR_CONTROL_KEY_SHIFT: Final = 8
DESCRIPTOR_CONTROL_KEY_WIDTH: Final = 8
DESCRIPTOR_CONTROL_KEY_MASK: Final = 0x0000FF00
DESCRIPTOR_CONTROL_TAG_LENGTH_SHIFT: Final = 16
DESCRIPTOR_CONTROL_TAG_LENGTH_WIDTH: Final = 5
DESCRIPTOR_CONTROL_TAG_LENGTH_MASK: Final = 0x001F0000
DESCRIPTOR_CONTROL_DECRYPT_SHIFT: Final = 21
DESCRIPTOR_CONTROL_DECRYPT_WIDTH: Final = 1
DESCRIPTOR_CONTROL_DECRYPT_MASK: Final = 0x00200000
DESCRIPTOR_CONTROL_INLINE_KEY_SHIFT: Final = 22
DESCRIPTOR_CONTROL_INLINE_KEY_WIDTH: Final = 1
DESCRIPTOR_CONTROL_INLINE_KEY_MASK: Final = 0x00400000
DESCRIPTOR_CONTROL_LOAD_STATE_SHIFT: Final = 23
DESCRIPTOR_CONTROL_LOAD_STATE_WIDTH: Final = 1
DESCRIPTOR_CONTROL_LOAD_STATE_MASK: Final = 0x00800000
DESCRIPTOR_CONTROL_SAVE_STATE_SHIFT: Final = 24
DESCRIPTOR_CONTROL_SAVE_STATE_WIDTH: Final = 1
DESCRIPTOR_CONTROL_SAVE_STATE_MASK: Final = 0x01000000
DESCRIPTOR_CONTROL_SOURCE_LIST_SHIFT: Final = 25
DESCRIPTOR_CONTROL_SOURCE_LIST_WIDTH: Final = 1
DESCRIPTOR_CONTROL_SOURCE_LIST_MASK: Final = 0x02000000
DESCRIPTOR_CONTROL_DESTINATION_LIST_SHIFT: Final = 26
DESCRIPTOR_CONTROL_DESTINATION_LIST_WIDTH: Final = 1
DESCRIPTOR_CONTROL_DESTINATION_LIST_MASK: Final = 0x04000000
DESCRIPTOR_CONTROL_LONG_IV_SHIFT: Final = 27
DESCRIPTOR_CONTROL_LONG_IV_WIDTH: Final = 1
DESCRIPTOR_CONTROL_LONG_IV_MASK: Final = 0x08000000
DESCRIPTOR_CONTROL_APPEND_TAG_SHIFT: Final = 28
DESCRIPTOR_CONTROL_APPEND_TAG_WIDTH: Final = 1
DESCRIPTOR_CONTROL_APPEND_TAG_MASK: Final = 0x10000000
DESCRIPTOR_CONTROL_FENCE_SHIFT: Final = 29
DESCRIPTOR_CONTROL_FENCE_WIDTH: Final = 1
DESCRIPTOR_CONTROL_FENCE_MASK: Final = 0x20000000
DESCRIPTOR_CONTROL_INTERRUPT_SHIFT: Final = 30
DESCRIPTOR_CONTROL_INTERRUPT_WIDTH: Final = 1
DESCRIPTOR_CONTROL_INTERRUPT_MASK: Final = 0x40000000
DESCRIPTOR_CONTROL_GENERATION_SHIFT: Final = 31
DESCRIPTOR_CONTROL_GENERATION_WIDTH: Final = 1
DESCRIPTOR_CONTROL_GENERATION_MASK: Final = 0x80000000

# Context field of a job with GENERATION: The descriptor's context field, 8 bytes. The device adds no higher bits to the address.
SLOT_CONTEXT_SIZE: Final = 8
SLOT_CONTEXT_FORMAT: Final = "<Q"
SLOT_CONTEXT_MEMBERS: Final = ("value",)
SLOT_CONTEXT_VALUE_ADDRESS_SHIFT: Final = 0
SLOT_CONTEXT_VALUE_ADDRESS_WIDTH: Final = 48
SLOT_CONTEXT_VALUE_ADDRESS_MASK: Final = 0xFFFFFFFFFFFF
SLOT_CONTEXT_VALUE_GENERATION_SHIFT: Final = 48
SLOT_CONTEXT_VALUE_GENERATION_WIDTH: Final = 16
SLOT_CONTEXT_VALUE_GENERATION_MASK: Final = 0xFFFF000000000000

# IV field of a radio job: The descriptor's iv field, 16 bytes. With LONG_IV (ZUC-256) the first 12 hold address and length of the IV as usual. Bits without a name are zero.
RADIO_IV_SIZE: Final = 16
RADIO_IV_FORMAT: Final = "<IIII"
RADIO_IV_MEMBERS: Final = (
    "count",
    "fresh",
    "way",
    "control",
)
RADIO_IV_WAY_BEARER_SHIFT: Final = 0
RADIO_IV_WAY_BEARER_WIDTH: Final = 5
RADIO_IV_WAY_BEARER_MASK: Final = 0x0000001F
RADIO_IV_WAY_DIRECTION_SHIFT: Final = 5
RADIO_IV_WAY_DIRECTION_WIDTH: Final = 1
RADIO_IV_WAY_DIRECTION_MASK: Final = 0x00000020
RADIO_IV_CONTROL_LAST_BITS_SHIFT: Final = 0
RADIO_IV_CONTROL_LAST_BITS_WIDTH: Final = 3
RADIO_IV_CONTROL_LAST_BITS_MASK: Final = 0x00000007
RADIO_IV_CONTROL_CLEAR_BYTES_SHIFT: Final = 8
RADIO_IV_CONTROL_CLEAR_BYTES_WIDTH: Final = 4
RADIO_IV_CONTROL_CLEAR_BYTES_MASK: Final = 0x00000F00
RADIO_IV_CONTROL_MAC_OF_CIPHERTEXT_SHIFT: Final = 16
RADIO_IV_CONTROL_MAC_OF_CIPHERTEXT_WIDTH: Final = 1
RADIO_IV_CONTROL_MAC_OF_CIPHERTEXT_MASK: Final = 0x00010000

# IV field of a public-key job: The descriptor's iv field, 16 bytes. Lengths are in bits and exact: the highest bit is set. Numbers travel in the bytes that hold them, a curve's all in the bytes of its field. Fields that an opcode does not need are zero.
PKA_PARAMETERS_SIZE: Final = 16
PKA_PARAMETERS_FORMAT: Final = "<IIQ"
PKA_PARAMETERS_MEMBERS: Final = (
    "first",
    "primes",
    "zero",
)
PKA_PARAMETERS_FIRST_N_BITS_SHIFT: Final = 0
PKA_PARAMETERS_FIRST_N_BITS_WIDTH: Final = 16
PKA_PARAMETERS_FIRST_N_BITS_MASK: Final = 0x0000FFFF
PKA_PARAMETERS_FIRST_E_BITS_SHIFT: Final = 16
PKA_PARAMETERS_FIRST_E_BITS_WIDTH: Final = 16
PKA_PARAMETERS_FIRST_E_BITS_MASK: Final = 0xFFFF0000
PKA_PARAMETERS_PRIMES_P_BITS_SHIFT: Final = 0
PKA_PARAMETERS_PRIMES_P_BITS_WIDTH: Final = 16
PKA_PARAMETERS_PRIMES_P_BITS_MASK: Final = 0x0000FFFF
PKA_PARAMETERS_PRIMES_Q_BITS_SHIFT: Final = 16
PKA_PARAMETERS_PRIMES_Q_BITS_WIDTH: Final = 16
PKA_PARAMETERS_PRIMES_Q_BITS_MASK: Final = 0xFFFF0000

# IV field of a lattice job: The descriptor's iv field, 16 bytes. Only MLKEM_DECAPSULATE under a key in a slot names a slot for its result.
LATTICE_PARAMETERS_SIZE: Final = 16
LATTICE_PARAMETERS_FORMAT: Final = "<IIQ"
LATTICE_PARAMETERS_MEMBERS: Final = (
    "first",
    "zero",
    "zero_high",
)
LATTICE_PARAMETERS_FIRST_K_SHIFT: Final = 0
LATTICE_PARAMETERS_FIRST_K_WIDTH: Final = 4
LATTICE_PARAMETERS_FIRST_K_MASK: Final = 0x0000000F
LATTICE_PARAMETERS_FIRST_SLOT_SHIFT: Final = 8
LATTICE_PARAMETERS_FIRST_SLOT_WIDTH: Final = 8
LATTICE_PARAMETERS_FIRST_SLOT_MASK: Final = 0x0000FF00
LATTICE_PARAMETERS_FIRST_GENERATION_SHIFT: Final = 16
LATTICE_PARAMETERS_FIRST_GENERATION_WIDTH: Final = 16
LATTICE_PARAMETERS_FIRST_GENERATION_MASK: Final = 0xFFFF0000

# Completion record: 32 bytes, 32-byte aligned, in the completion ring, which has as many entries as the descriptor ring. Jobs may complete out of order. The phase stands in the word that the device writes last.
COMPLETION_SIZE: Final = 32
COMPLETION_FORMAT: Final = "<16sIIII"
COMPLETION_MEMBERS: Final = (
    "tag",
    "cookie",
    "bytes",
    "cycles",
    "result",
)
COMPLETION_RESULT_STATUS_SHIFT: Final = 0
COMPLETION_RESULT_STATUS_WIDTH: Final = 8
COMPLETION_RESULT_STATUS_MASK: Final = 0x000000FF
COMPLETION_RESULT_PHASE_SHIFT: Final = 31
COMPLETION_RESULT_PHASE_WIDTH: Final = 1
COMPLETION_RESULT_PHASE_MASK: Final = 0x80000000

# Segment: 16 bytes; a segment list is an array of these, 16-byte aligned.
SEGMENT_SIZE: Final = 16
SEGMENT_FORMAT: Final = "<QII"
SEGMENT_MEMBERS: Final = (
    "address",
    "length",
    "control",
)
SEGMENT_CONTROL_LAST_SHIFT: Final = 0
SEGMENT_CONTROL_LAST_WIDTH: Final = 1
SEGMENT_CONTROL_LAST_MASK: Final = 0x00000001

# Context: 128 bytes, 16-byte aligned. The key part is only read; the state part is written by SAVE_STATE and read by LOAD_STATE. With a key in a slot there is no key part: 0x20 to 0x6f are a sealed state, the nonce in place of `tweak_key0`, the tag in place of `tweak_key1`, and the state encrypted. The nonce is a count of 8 bytes, the queue's number, and 7 zeros; a message goes on in that queue.
CONTEXT_SIZE: Final = 128
CONTEXT_FORMAT: Final = "<16s16s16s16s16s16s16s16s"
CONTEXT_MEMBERS: Final = (
    "key0",
    "key1",
    "tweak_key0",
    "tweak_key1",
    "state0",
    "state1",
    "state2",
    "spare",
)

# Context of hash functions: 16-byte aligned. The key part is only read; the state part is written by SAVE_STATE and read by LOAD_STATE, of SHA-1 to SHA-256 its first 144 bytes, of SHA-384 to SHA-512/256 its first 208, of Keccak 224. A state means the same to every unit and to software. With a key in a slot there is no key part: the state is sealed, so encrypted, its nonce in place of `key[6]`, its tag in place of `key[7]`.
HASH_CONTEXT_SIZE: Final = 352
HASH_CONTEXT_FORMAT: Final = "<128sQQ64s144s"
HASH_CONTEXT_MEMBERS: Final = (
    "key",
    "bytes",
    "partial",
    "chain",
    "block",
)
