/* SPDX-FileCopyrightText: The Outwork authors */
/* SPDX-License-Identifier: Apache-2.0 */
/* Registers, memory layouts and codes: generated from spec/outwork.rdl by spec/generate.py; do not edit. */
#ifndef OUTWORK_SPEC_H
#define OUTWORK_SPEC_H

#include <stddef.h>
#include <stdint.h>

/* clang-format off */
#ifdef __cplusplus
#define OW_STATIC_ASSERT static_assert
#else
#define OW_STATIC_ASSERT _Static_assert
#endif

enum ow_engine {
  OW_ENGINE_SHELL = 0x00, /* The shell itself (no-operation jobs). */
  OW_ENGINE_AES = 0x01, /* AES in all modes (rtl/aes). */
  OW_ENGINE_HASH = 0x02, /* SHA-1, SHA-2, SHA-3, SHAKE, HMAC and KMAC (rtl/hash). */
  OW_ENGINE_COMBINED = 0x06, /* AES and HMAC in one pass (rtl/combined): with both engines, for the hashes that HASH lists. */
  OW_ENGINE_RADIO = 0x03, /* ZUC and SNOW 3G for LTE and 5G (rtl/radio). */
  OW_ENGINE_DES = 0x04, /* DES and TDES; legacy (rtl/des). */
  OW_ENGINE_PKA = 0x05, /* RSA and elliptic curves (rtl/pka). */
  OW_ENGINE_ASCON = 0x07, /* Ascon-AEAD128, Ascon-Hash256, Ascon-XOF128, Ascon-CXOF128 (rtl/ascon). */
  OW_ENGINE_LATTICE = 0x08, /* ML-KEM and ML-DSA (rtl/lattice). */
};

enum ow_opcode {
  OW_OP_NOP = 0x00, /* Moves nothing; completes at once. Measures the fixed cost of a job. */
  OW_OP_AES_ECB = 0x10, /* AES, electronic codebook (SP 800-38A 6.1). Length a multiple of 16. */
  OW_OP_AES_CBC = 0x11, /* AES, cipher block chaining (SP 800-38A 6.2). Length a multiple of 16. The completion's tag is the next IV. */
  OW_OP_AES_CTR = 0x12, /* AES, counter (SP 800-38A 6.5), 128-bit big-endian counter. The completion's tag is the next counter block. */
  OW_OP_AES_GCM = 0x13, /* AES, Galois/counter mode (SP 800-38D). Any IV, AAD and payload length; tags of 4 to 16 bytes. */
  OW_OP_AES_GMAC = 0x14, /* GMAC (SP 800-38D 3): GCM over `source` as additional authenticated data, with no payload: only APPEND_TAG writes to the destination. `aad_length` is 0. */
  OW_OP_AES_XTS = 0x15, /* XTS (SP 800-38E, IEEE 1619) with ciphertext stealing. Two keys of 128 or 256 bits (192: BAD_KEY); IV is the 16-byte data unit number; length at least 16. */
  OW_OP_AES_CCM = 0x16, /* CCM (SP 800-38C). IV is the counter block Ctr_0: flags byte q-1, the nonce, zeros. Length below 2^(8q). */
  OW_OP_AES_CMAC = 0x17, /* CMAC (SP 800-38B) over `source`: only APPEND_TAG writes to the destination. `aad_length` is 0. */
  OW_OP_EEA2 = 0x1a, /* 128-EEA2, 128-NEA2: AES-128 in counter mode (TS 33.401 B.1.3), any length in bits. The IV field is a radio IV. */
  OW_OP_EIA2 = 0x1f, /* 128-EIA2, 128-NIA2: AES-128 CMAC (TS 33.401 B.2.3), any length in bits. The IV field is a radio IV. Only APPEND_TAG writes to the destination. */
  OW_OP_SHA1 = 0x20, /* SHA-1 (FIPS 180-4 6.1): 20 bytes. */
  OW_OP_SHA224 = 0x21, /* SHA-224 (FIPS 180-4 6.3): 28 bytes. */
  OW_OP_SHA256 = 0x22, /* SHA-256 (FIPS 180-4 6.2): 32 bytes. */
  OW_OP_SHA384 = 0x23, /* SHA-384 (FIPS 180-4 6.5): 48 bytes. */
  OW_OP_SHA512 = 0x24, /* SHA-512 (FIPS 180-4 6.4): 64 bytes. */
  OW_OP_SHA512_224 = 0x25, /* SHA-512/224 (FIPS 180-4 6.6): 28 bytes. */
  OW_OP_SHA512_256 = 0x26, /* SHA-512/256 (FIPS 180-4 6.7): 32 bytes. */
  OW_OP_SHA3_224 = 0x28, /* SHA3-224 (FIPS 202 6.1): 28 bytes. */
  OW_OP_SHA3_256 = 0x29, /* SHA3-256 (FIPS 202 6.1): 32 bytes. */
  OW_OP_SHA3_384 = 0x2a, /* SHA3-384 (FIPS 202 6.1): 48 bytes. */
  OW_OP_SHA3_512 = 0x2b, /* SHA3-512 (FIPS 202 6.1): 64 bytes. */
  OW_OP_SHAKE128 = 0x2c, /* SHAKE128 (FIPS 202 6.2): `aad_length` bytes of output. */
  OW_OP_SHAKE256 = 0x2d, /* SHAKE256 (FIPS 202 6.2): `aad_length` bytes of output. */
  OW_OP_HMAC_SHA1 = 0x30, /* HMAC (FIPS 198-1) with SHA-1: the first `aad_length` bytes of it, at most 20. */
  OW_OP_HMAC_SHA224 = 0x31, /* HMAC (FIPS 198-1) with SHA-224: the first `aad_length` bytes of it, at most 28. */
  OW_OP_HMAC_SHA256 = 0x32, /* HMAC (FIPS 198-1) with SHA-256: the first `aad_length` bytes of it, at most 32. */
  OW_OP_HMAC_SHA384 = 0x33, /* HMAC (FIPS 198-1) with SHA-384: the first `aad_length` bytes of it, at most 48. */
  OW_OP_HMAC_SHA512 = 0x34, /* HMAC (FIPS 198-1) with SHA-512: the first `aad_length` bytes of it, at most 64. */
  OW_OP_HMAC_SHA512_224 = 0x35, /* HMAC (FIPS 198-1) with SHA-512/224: the first `aad_length` bytes of it, at most 28. */
  OW_OP_HMAC_SHA512_256 = 0x36, /* HMAC (FIPS 198-1) with SHA-512/256: the first `aad_length` bytes of it, at most 32. */
  OW_OP_HMAC_SHA3_224 = 0x38, /* HMAC (FIPS 198-1) with SHA3-224: the first `aad_length` bytes of it, at most 28. */
  OW_OP_HMAC_SHA3_256 = 0x39, /* HMAC (FIPS 198-1) with SHA3-256: the first `aad_length` bytes of it, at most 32. */
  OW_OP_HMAC_SHA3_384 = 0x3a, /* HMAC (FIPS 198-1) with SHA3-384: the first `aad_length` bytes of it, at most 48. */
  OW_OP_HMAC_SHA3_512 = 0x3b, /* HMAC (FIPS 198-1) with SHA3-512: the first `aad_length` bytes of it, at most 64. */
  OW_OP_KMAC128 = 0x3c, /* KMAC128 (SP 800-185 4.3) without customization: `aad_length` bytes. */
  OW_OP_KMAC256 = 0x3d, /* KMAC256 (SP 800-185 4.3) without customization: `aad_length` bytes. */
  OW_OP_EEA1 = 0x41, /* 128-EEA1, 128-NEA1, UEA2: SNOW 3G (TS 35.215 3). The IV field is a radio IV. */
  OW_OP_ZUC256 = 0x42, /* ZUC-256, version 1.1 (2018). LONG_IV: 23 bytes, the parts of six bits packed. */
  OW_OP_EEA3 = 0x43, /* 128-EEA3, 128-NEA3: ZUC (TS 35.221). */
  OW_OP_EIA1 = 0x44, /* 128-EIA1, 128-NIA1, UIA2: SNOW 3G (TS 35.215 4). Only APPEND_TAG writes to the destination; so with every MAC alone. */
  OW_OP_EEA1_EIA1 = 0x45, /* 128-EEA1 and 128-EIA1 of one packet. The radio IV says which of the two sees the other's result. */
  OW_OP_EEA3_EIA1 = 0x47, /* 128-EEA3 and 128-EIA1 of one packet. */
  OW_OP_ZUC256_MAC = 0x48, /* The MAC of ZUC-256, version 1.1 (2018): 4, 8 or 16 bytes. */
  OW_OP_ZUC256_BOTH = 0x4a, /* ZUC-256 and its MAC of one packet. */
  OW_OP_EIA3 = 0x4c, /* 128-EIA3, 128-NIA3: ZUC (TS 35.221). */
  OW_OP_EEA1_EIA3 = 0x4d, /* 128-EEA1 and 128-EIA3 of one packet. */
  OW_OP_EEA3_EIA3 = 0x4f, /* 128-EEA3 and 128-EIA3 of one packet. */
  OW_OP_DES_ECB = 0x50, /* Legacy. DES (FIPS 46-3), electronic codebook. Key of 8 bytes; length a multiple of 8. */
  OW_OP_DES_CBC = 0x51, /* Legacy. DES, cipher block chaining: IV of 8 bytes; the completion's tag is the next IV. */
  OW_OP_TDES_ECB = 0x52, /* Legacy. TDES (SP 800-67), electronic codebook. Keys of 24 bytes; two-key TDES repeats the first 8. */
  OW_OP_TDES_CBC = 0x53, /* Legacy. TDES, cipher block chaining. */
  OW_OP_MODEXP = 0x60, /* x^e mod m for an odd m, in constant time. AAD: m, e; source: x below m. */
  OW_OP_RSA_PUBLIC = 0x61, /* RSAEP, RSAVP1 (RFC 8017 5.1.1, 5.2.2); its time depends on e. AAD: n, e; source: the message representative, below n. */
  OW_OP_RSA_PRIVATE = 0x62, /* RSADP, RSASP1 by CRT (RFC 8017 5.1.2, 5.2.1), blinded, and checked under e before anything leaves. AAD: n, e, p, q, dP, dQ, qInv, or a slot; source: the representative, and 42 random bytes unless the key is in a slot. */
  OW_OP_RSA_LOAD = 0x63, /* Fills a slot of the kind RSA_PRIVATE, once. Source: n, e, p, q, dP, dQ, qInv. No destination. */
  OW_OP_EC_MULTIPLY = 0x64, /* The point k P; its x is the shared secret of ECDH (SP 800-56A 5.7.1.2). AAD: k, or a slot; source: x, y of P, which is validated, and unless k is in a slot random bytes: the curve's blinding, one number. Destination: x, y. */
  OW_OP_EC_PUBLIC = 0x65, /* The public key d G. AAD: d; source: random bytes as in EC_MULTIPLY. Or a slot, and no source. Destination: x, y. */
  OW_OP_EC_CHECK = 0x66, /* Validates a public key (SP 800-56A 5.6.2.3.4). AAD: x, y. No source, no destination. */
  OW_OP_EC_SIGN = 0x67, /* ECDSA (FIPS 186-5 6.4.1). AAD: d; source: the hash as a number, k, random bytes as in EC_MULTIPLY, one more number. Or a slot; source: the hash alone, and the device makes k and the rest. Destination: r, s. */
  OW_OP_EC_VERIFY = 0x68, /* ECDSA (FIPS 186-5 6.4.2); AUTH_FAILED where r, s is no signature. AAD: x, y; source: the hash, r, s. No destination. */
  OW_OP_X25519 = 0x69, /* The x coordinate of k P on Curve25519 or its twist (RFC 7748 5): the shared secret, or with x = 9 the public key. k and x are the numbers that RFC 7748's strings stand for, whose order of bytes is the other one; which bits of them count is as there. BAD_OPERAND where the result is 0 (RFC 7748 6.1). AAD: k, or a slot; source: x, and one random number unless k is in a slot. Destination: x. The iv field is 0. */
  OW_OP_ED25519_PUBLIC = 0x6a, /* The point s B of edwards25519, encoded (RFC 8032 5.1.5, 5.1.6): the public key, or R of a signature. s has 64 bytes, a hash; numbers are in the order of bytes as for X25519. AAD: s; source: 8 random bytes, one random number. Destination: the point. The iv field is 0. No slots. */
  OW_OP_ED25519_SIGN = 0x6b, /* S = (r + h a) mod L of a signature (RFC 8032 5.1.6). AAD: a, r (64 bytes); source: h (64 bytes), one random number. Destination: S. The iv field is 0. No slots: who can choose h for an r computes a. */
  OW_OP_ED25519_VERIFY = 0x6c, /* Whether S B - h A is R, without the cofactor (RFC 8032 5.1.7, FIPS 186-5 7.7); AUTH_FAILED where it is not or S is not below L, BAD_OPERAND where A is no point. AAD: A; source: R, S, h (64 bytes). No destination. The iv field is 0. */
  OW_OP_AES_CBC_HMAC_SHA1 = 0x70, /* AES-CBC (SP 800-38A 6.2), then HMAC-SHA-1 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366. Length a multiple of 16. */
  OW_OP_AES_CBC_HMAC_SHA256 = 0x71, /* AES-CBC (SP 800-38A 6.2), then HMAC-SHA-256 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366. Length a multiple of 16. */
  OW_OP_AES_CBC_HMAC_SHA384 = 0x72, /* AES-CBC (SP 800-38A 6.2), then HMAC-SHA-384 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366. Length a multiple of 16. */
  OW_OP_AES_CBC_HMAC_SHA512 = 0x73, /* AES-CBC (SP 800-38A 6.2), then HMAC-SHA-512 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366. Length a multiple of 16. */
  OW_OP_AES_CTR_HMAC_SHA1 = 0x74, /* AES-CTR (SP 800-38A 6.5), then HMAC-SHA-1 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366. */
  OW_OP_AES_CTR_HMAC_SHA256 = 0x75, /* AES-CTR (SP 800-38A 6.5), then HMAC-SHA-256 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366. */
  OW_OP_AES_CTR_HMAC_SHA384 = 0x76, /* AES-CTR (SP 800-38A 6.5), then HMAC-SHA-384 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366. */
  OW_OP_AES_CTR_HMAC_SHA512 = 0x77, /* AES-CTR (SP 800-38A 6.5), then HMAC-SHA-512 (FIPS 198-1) over AAD and ciphertext: encrypt-then-MAC as in RFC 4303 and RFC 7366. */
  OW_OP_ASCON_AEAD128 = 0x80, /* Ascon-AEAD128 (SP 800-232 4.1). Key and nonce of 16 bytes, any AAD and payload length; tags of 4 to 16 bytes. */
  OW_OP_ASCON_HASH256 = 0x81, /* Ascon-Hash256 (SP 800-232 5.1): 32 bytes. */
  OW_OP_ASCON_XOF128 = 0x82, /* Ascon-XOF128 (SP 800-232 5.2): `aad_length` bytes of output. */
  OW_OP_ASCON_CXOF128 = 0x83, /* Ascon-CXOF128 (SP 800-232 5.3): `aad_length` bytes of output. With LONG_IV the IV is the customization string, 1 to 256 bytes; without, it is empty. */
  OW_OP_MLKEM_KEYGEN = 0xa0, /* ML-KEM.KeyGen_internal (FIPS 203, algorithm 16). The iv field is k: 2, 3 or 4 for ML-KEM-512, 768 or 1024. Source: d, z, 32 random bytes each. Destination: dk, of which ek is the part from byte 384 k on. A source of no bytes: of the key in a slot; the destination is ek. */
  OW_OP_MLKEM_ENCAPSULATE = 0xa1, /* ML-KEM.Encaps_internal (FIPS 203, algorithm 17) with the check of 7.2; BAD_OPERAND where ek is no encapsulation key. The iv field is k. AAD: ek; source: m, 32 random bytes. Destination: c, K. */
  OW_OP_MLKEM_DECAPSULATE = 0xa2, /* ML-KEM.Decaps (FIPS 203, algorithms 18 and 21) with the check of 7.3 and implicit rejection; BAD_OPERAND where dk is no decapsulation key. The iv field is k. With INLINE_KEY, AAD: dk; else a key in a slot and no AAD. Source: c. Destination: K. Or, with a key in a slot, a reserved slot and its generation in the iv field (LATTICE_PARAMETERS): K, or its first bytes, becomes the key there and there is no destination; KEY_DENIED where that slot is not reserved, or not for this queue, or not under this generation. */
  OW_OP_MLDSA_KEYGEN = 0xa3, /* ML-DSA.KeyGen_internal (FIPS 204, algorithm 6). The iv field is k: 4, 6 or 8 for ML-DSA-44, 65 or 87. Source: xi, 32 random bytes. Destination: pk, sk. A source of no bytes: of the key in a slot; the destination is pk. */
  OW_OP_MLDSA_SIGN = 0xa4, /* ML-DSA.Sign_internal (FIPS 204, algorithm 7) of mu; BAD_OPERAND where sk is no private key, or 814 rounds gave no signature. The iv field is k. With INLINE_KEY, AAD: sk; else a key in a slot and no AAD. Source: mu (64 bytes), rnd (32 random bytes, or zeros for the deterministic variant). Destination: the signature. */
  OW_OP_MLDSA_VERIFY = 0xa5, /* ML-DSA.Verify_internal (FIPS 204, algorithm 8) of mu; AUTH_FAILED where the signature is not valid. The iv field is k. AAD: pk; source: mu (64 bytes), the signature. No destination. */
};

enum ow_device_status {
  OW_DEVICE_OK = 0x00, /* Done. */
  OW_DEVICE_AUTH_FAILED = 0x01, /* The tag does not match. The destination holds zeros. */
  OW_DEVICE_BAD_OPCODE = 0x02, /* This build has no such opcode. */
  OW_DEVICE_BAD_FLAGS = 0x03, /* A flag does not go with this opcode or with another flag. */
  OW_DEVICE_BAD_LENGTH = 0x04, /* A length is not allowed for this opcode. */
  OW_DEVICE_BAD_TAG_LENGTH = 0x05, /* The tag length is not allowed for this opcode. */
  OW_DEVICE_BAD_IV = 0x06, /* The IV, its length, or the parameters in its place are not allowed for this opcode. */
  OW_DEVICE_BAD_KEY = 0x07, /* The length or kind of the key does not fit the opcode. */
  OW_DEVICE_KEY_DENIED = 0x08, /* The key in this slot may not be used for this operation; or the queue may use no key there: the slot is another queue's, empty, or does not exist, which looks the same. */
  OW_DEVICE_BAD_SEGMENT = 0x09, /* A segment list is not 16-byte aligned or ended before the job's bytes. */
  OW_DEVICE_WINDOW_VIOLATION = 0x0a, /* An address lies outside the queue's windows. No byte outside was read or written. */
  OW_DEVICE_READ_ERROR = 0x0b, /* The bus answered a read with an error. */
  OW_DEVICE_WRITE_ERROR = 0x0c, /* The bus answered a write with an error. */
  OW_DEVICE_TIMEOUT = 0x0d, /* The job ran longer than the queue's watchdog allows, or its input came so late that it held the public-key engine up. */
  OW_DEVICE_ABORTED = 0x0e, /* The job was stopped by a reset of its queue (never seen in a ring). */
  OW_DEVICE_BAD_OPERAND = 0x0f, /* A number is out of range: an even or zero modulus, one of another length than stated, a message not below it, a scalar not between 0 and the order, a point off the curve. No result is written, but there may be zeros in its place. */
  OW_DEVICE_FAULT = 0x10, /* A result failed its check and did not leave: the key is not consistent, or the device erred. */
  OW_DEVICE_WIPE_FAILED = 0x11, /* The job failed, and its destination could not be zeroed: its segment list had changed, an address was refused, the bus answered with an error, or it took longer than the queue's watchdog allows. Whoever asked must zero the destination. */
  OW_DEVICE_KEY_GONE = 0x12, /* The slot holds another key than the job names, or its key was zeroised or replaced while the job ran. */
  OW_DEVICE_BAD_STATE = 0x13, /* LOAD_STATE, key in a slot: the state is not one that this device saved for this queue, slot, key and opcode since the last seed. No word of it was used. SAVE_STATE, LOAD_STATE, key in a slot: the device has no seed. */
  OW_DEVICE_NOT_SEEDED = 0x14, /* The device has to make random numbers for this job and has not been given a seed (SEED). */
};

enum ow_halt {
  OW_HALT_NONE = 0x00, /* Not halted. */
  OW_HALT_BAD_RING = 0x01, /* Ring base or size is not allowed. */
  OW_HALT_RING_OVERRUN = 0x02, /* The doorbell announced more jobs than the ring holds. */
  OW_HALT_RING_WINDOW = 0x03, /* A ring lies outside the queue's windows. */
  OW_HALT_RING_READ = 0x04, /* The bus answered a descriptor read with an error. */
  OW_HALT_RING_WRITE = 0x05, /* The bus answered a completion write with an error. */
  OW_HALT_BAD_DOORBELL = 0x06, /* The doorbell went back, or further forward than the largest ring. */
};

enum ow_key_length {
  OW_KEY_BITS_128 = 0x00, /* 16 bytes. */
  OW_KEY_BITS_192 = 0x01, /* 24 bytes. */
  OW_KEY_BITS_256 = 0x02, /* 32 bytes. */
};

enum ow_curve {
  OW_CURVE_P256 = 0x00, /* NIST P-256, secp256r1 (SP 800-186). Blinding: 8 bytes. */
  OW_CURVE_P384 = 0x01, /* NIST P-384, secp384r1 (SP 800-186). Blinding: 24 bytes. */
  OW_CURVE_P521 = 0x02, /* NIST P-521, secp521r1 (SP 800-186). Blinding: 32 bytes. Not in slots. */
  OW_CURVE_SECP256K1 = 0x03, /* secp256k1 (SEC 2). Blinding: 16 bytes. */
};

/* Register offsets count from the start of the block around them (page, queue_config, window). A _MASK is in
   place: (value << _SHIFT) & _MASK. A register of one field that fills it has no masks. */
#define OW_PAGE_SIZE 0x1000u
#define OW_FIELD(value, name) (((value) & name##_MASK) >> name##_SHIFT)

/* The page of the device's owner. */
#define OW_GLOBAL_OFFSET 0x0000u
#define OW_GLOBAL_ID_OFFSET 0x000u
#define OW_GLOBAL_ID_RESET 0x4f57524bu
#define OW_GLOBAL_VERSION_OFFSET 0x004u
#define OW_GLOBAL_VERSION_RESET 0x00000200u
#define OW_GLOBAL_VERSION_PATCH_SHIFT 0u
#define OW_GLOBAL_VERSION_PATCH_WIDTH 8u
#define OW_GLOBAL_VERSION_PATCH_MASK 0x000000ffu
#define OW_GLOBAL_VERSION_MINOR_SHIFT 8u
#define OW_GLOBAL_VERSION_MINOR_WIDTH 8u
#define OW_GLOBAL_VERSION_MINOR_MASK 0x0000ff00u
#define OW_GLOBAL_VERSION_MAJOR_SHIFT 16u
#define OW_GLOBAL_VERSION_MAJOR_WIDTH 16u
#define OW_GLOBAL_VERSION_MAJOR_MASK 0xffff0000u
#define OW_GLOBAL_SHELL_OFFSET 0x008u
#define OW_GLOBAL_SHELL_QUEUES_SHIFT 0u
#define OW_GLOBAL_SHELL_QUEUES_WIDTH 8u
#define OW_GLOBAL_SHELL_QUEUES_MASK 0x000000ffu
#define OW_GLOBAL_SHELL_STREAMS_SHIFT 8u
#define OW_GLOBAL_SHELL_STREAMS_WIDTH 8u
#define OW_GLOBAL_SHELL_STREAMS_MASK 0x0000ff00u
#define OW_GLOBAL_SHELL_KEY_SLOTS_SHIFT 16u
#define OW_GLOBAL_SHELL_KEY_SLOTS_WIDTH 8u
#define OW_GLOBAL_SHELL_KEY_SLOTS_MASK 0x00ff0000u
#define OW_GLOBAL_SHELL_BUS_BYTES_SHIFT 24u
#define OW_GLOBAL_SHELL_BUS_BYTES_WIDTH 8u
#define OW_GLOBAL_SHELL_BUS_BYTES_MASK 0xff000000u
#define OW_GLOBAL_LIMITS_OFFSET 0x00cu
#define OW_GLOBAL_LIMITS_RING_LOG2_MAX_SHIFT 0u
#define OW_GLOBAL_LIMITS_RING_LOG2_MAX_WIDTH 8u
#define OW_GLOBAL_LIMITS_RING_LOG2_MAX_MASK 0x000000ffu
#define OW_GLOBAL_LIMITS_WINDOWS_SHIFT 8u
#define OW_GLOBAL_LIMITS_WINDOWS_WIDTH 8u
#define OW_GLOBAL_LIMITS_WINDOWS_MASK 0x0000ff00u
#define OW_GLOBAL_LIMITS_NO_SEAL_SHIFT 16u
#define OW_GLOBAL_LIMITS_NO_SEAL_WIDTH 1u
#define OW_GLOBAL_LIMITS_NO_SEAL_MASK 0x00010000u
#define OW_GLOBAL_LIMITS_NO_STEP_CYCLES_SHIFT 17u
#define OW_GLOBAL_LIMITS_NO_STEP_CYCLES_WIDTH 1u
#define OW_GLOBAL_LIMITS_NO_STEP_CYCLES_MASK 0x00020000u
#define OW_GLOBAL_LIMITS_MADE_KEYS_SHIFT 18u
#define OW_GLOBAL_LIMITS_MADE_KEYS_WIDTH 1u
#define OW_GLOBAL_LIMITS_MADE_KEYS_MASK 0x00040000u
#define OW_GLOBAL_ENGINES_OFFSET 0x010u
#define OW_GLOBAL_AES_OFFSET 0x014u
#define OW_GLOBAL_AES_MODES_SHIFT 0u
#define OW_GLOBAL_AES_MODES_WIDTH 16u
#define OW_GLOBAL_AES_MODES_MASK 0x0000ffffu
#define OW_GLOBAL_AES_STAGES_SHIFT 16u
#define OW_GLOBAL_AES_STAGES_WIDTH 8u
#define OW_GLOBAL_AES_STAGES_MASK 0x00ff0000u
#define OW_GLOBAL_AES_DECRYPT_SHIFT 24u
#define OW_GLOBAL_AES_DECRYPT_WIDTH 1u
#define OW_GLOBAL_AES_DECRYPT_MASK 0x01000000u
#define OW_GLOBAL_AES_VERSION_SHIFT 28u
#define OW_GLOBAL_AES_VERSION_WIDTH 4u
#define OW_GLOBAL_AES_VERSION_MASK 0xf0000000u
#define OW_GLOBAL_HASH_OFFSET 0x018u
#define OW_GLOBAL_HASH_ALGORITHMS_SHIFT 0u
#define OW_GLOBAL_HASH_ALGORITHMS_WIDTH 16u
#define OW_GLOBAL_HASH_ALGORITHMS_MASK 0x0000ffffu
#define OW_GLOBAL_HASH_VERSION_SHIFT 28u
#define OW_GLOBAL_HASH_VERSION_WIDTH 4u
#define OW_GLOBAL_HASH_VERSION_MASK 0xf0000000u
#define OW_GLOBAL_HASH_UNITS_OFFSET 0x01cu
#define OW_GLOBAL_HASH_UNITS_SHA256_SHIFT 0u
#define OW_GLOBAL_HASH_UNITS_SHA256_WIDTH 4u
#define OW_GLOBAL_HASH_UNITS_SHA256_MASK 0x0000000fu
#define OW_GLOBAL_HASH_UNITS_SHA512_SHIFT 4u
#define OW_GLOBAL_HASH_UNITS_SHA512_WIDTH 4u
#define OW_GLOBAL_HASH_UNITS_SHA512_MASK 0x000000f0u
#define OW_GLOBAL_HASH_UNITS_KECCAK_SHIFT 8u
#define OW_GLOBAL_HASH_UNITS_KECCAK_WIDTH 4u
#define OW_GLOBAL_HASH_UNITS_KECCAK_MASK 0x00000f00u
#define OW_GLOBAL_HASH_UNITS_SHA_ROUNDS_SHIFT 16u
#define OW_GLOBAL_HASH_UNITS_SHA_ROUNDS_WIDTH 4u
#define OW_GLOBAL_HASH_UNITS_SHA_ROUNDS_MASK 0x000f0000u
#define OW_GLOBAL_HASH_UNITS_KECCAK_ROUNDS_SHIFT 20u
#define OW_GLOBAL_HASH_UNITS_KECCAK_ROUNDS_WIDTH 4u
#define OW_GLOBAL_HASH_UNITS_KECCAK_ROUNDS_MASK 0x00f00000u
#define OW_GLOBAL_CYCLE_LOW_OFFSET 0x020u
#define OW_GLOBAL_CYCLE_HIGH_OFFSET 0x024u
#define OW_GLOBAL_STATUS_OFFSET 0x028u
#define OW_GLOBAL_STATUS_BUSY_SHIFT 0u
#define OW_GLOBAL_STATUS_BUSY_WIDTH 1u
#define OW_GLOBAL_STATUS_BUSY_MASK 0x00000001u
#define OW_GLOBAL_STATUS_ZEROISING_SHIFT 1u
#define OW_GLOBAL_STATUS_ZEROISING_WIDTH 1u
#define OW_GLOBAL_STATUS_ZEROISING_MASK 0x00000002u
#define OW_GLOBAL_STATUS_TAMPER_SHIFT 2u
#define OW_GLOBAL_STATUS_TAMPER_WIDTH 1u
#define OW_GLOBAL_STATUS_TAMPER_MASK 0x00000004u
#define OW_GLOBAL_STATUS_SEEDED_SHIFT 3u
#define OW_GLOBAL_STATUS_SEEDED_WIDTH 1u
#define OW_GLOBAL_STATUS_SEEDED_MASK 0x00000008u
#define OW_GLOBAL_IRQ_OFFSET 0x02cu
#define OW_GLOBAL_RADIO_OFFSET 0x030u
#define OW_GLOBAL_RADIO_ALGORITHMS_SHIFT 0u
#define OW_GLOBAL_RADIO_ALGORITHMS_WIDTH 16u
#define OW_GLOBAL_RADIO_ALGORITHMS_MASK 0x0000ffffu
#define OW_GLOBAL_RADIO_LANES_SHIFT 16u
#define OW_GLOBAL_RADIO_LANES_WIDTH 8u
#define OW_GLOBAL_RADIO_LANES_MASK 0x00ff0000u
#define OW_GLOBAL_RADIO_VERSION_SHIFT 28u
#define OW_GLOBAL_RADIO_VERSION_WIDTH 4u
#define OW_GLOBAL_RADIO_VERSION_MASK 0xf0000000u
#define OW_GLOBAL_DES_OFFSET 0x034u
#define OW_GLOBAL_DES_MODES_SHIFT 0u
#define OW_GLOBAL_DES_MODES_WIDTH 16u
#define OW_GLOBAL_DES_MODES_MASK 0x0000ffffu
#define OW_GLOBAL_DES_LEGACY_SHIFT 16u
#define OW_GLOBAL_DES_LEGACY_WIDTH 1u
#define OW_GLOBAL_DES_LEGACY_MASK 0x00010000u
#define OW_GLOBAL_DES_VERSION_SHIFT 28u
#define OW_GLOBAL_DES_VERSION_WIDTH 4u
#define OW_GLOBAL_DES_VERSION_MASK 0xf0000000u
#define OW_GLOBAL_COMBINED_OFFSET 0x038u
#define OW_GLOBAL_COMBINED_ALGORITHMS_SHIFT 0u
#define OW_GLOBAL_COMBINED_ALGORITHMS_WIDTH 16u
#define OW_GLOBAL_COMBINED_ALGORITHMS_MASK 0x0000ffffu
#define OW_GLOBAL_COMBINED_CBC_DECRYPT_SHIFT 24u
#define OW_GLOBAL_COMBINED_CBC_DECRYPT_WIDTH 1u
#define OW_GLOBAL_COMBINED_CBC_DECRYPT_MASK 0x01000000u
#define OW_GLOBAL_COMBINED_VERSION_SHIFT 28u
#define OW_GLOBAL_COMBINED_VERSION_WIDTH 4u
#define OW_GLOBAL_COMBINED_VERSION_MASK 0xf0000000u
#define OW_GLOBAL_PKA_OFFSET 0x03cu
#define OW_GLOBAL_PKA_OPERATIONS_SHIFT 0u
#define OW_GLOBAL_PKA_OPERATIONS_WIDTH 16u
#define OW_GLOBAL_PKA_OPERATIONS_MASK 0x0000ffffu
#define OW_GLOBAL_PKA_CURVES_SHIFT 16u
#define OW_GLOBAL_PKA_CURVES_WIDTH 4u
#define OW_GLOBAL_PKA_CURVES_MASK 0x000f0000u
#define OW_GLOBAL_PKA_ROWS_SHIFT 20u
#define OW_GLOBAL_PKA_ROWS_WIDTH 4u
#define OW_GLOBAL_PKA_ROWS_MASK 0x00f00000u
#define OW_GLOBAL_PKA_RSA_KEYS_SHIFT 24u
#define OW_GLOBAL_PKA_RSA_KEYS_WIDTH 4u
#define OW_GLOBAL_PKA_RSA_KEYS_MASK 0x0f000000u
#define OW_GLOBAL_PKA_VERSION_SHIFT 28u
#define OW_GLOBAL_PKA_VERSION_WIDTH 4u
#define OW_GLOBAL_PKA_VERSION_MASK 0xf0000000u
#define OW_GLOBAL_KEY_SLOT_OFFSET 0x040u
#define OW_GLOBAL_KEY_SLOT_RESET 0x00000000u
#define OW_GLOBAL_KEY_SLOT_INDEX_SHIFT 0u
#define OW_GLOBAL_KEY_SLOT_INDEX_WIDTH 8u
#define OW_GLOBAL_KEY_SLOT_INDEX_MASK 0x000000ffu
#define OW_GLOBAL_KEY_CONFIG_OFFSET 0x044u
#define OW_GLOBAL_KEY_CONFIG_RESET 0x00000000u
#define OW_GLOBAL_KEY_CONFIG_LENGTH_SHIFT 0u
#define OW_GLOBAL_KEY_CONFIG_LENGTH_WIDTH 2u
#define OW_GLOBAL_KEY_CONFIG_LENGTH_MASK 0x00000003u
#define OW_GLOBAL_KEY_CONFIG_TWO_KEYS_SHIFT 2u
#define OW_GLOBAL_KEY_CONFIG_TWO_KEYS_WIDTH 1u
#define OW_GLOBAL_KEY_CONFIG_TWO_KEYS_MASK 0x00000004u
#define OW_GLOBAL_KEY_CONFIG_ENCRYPT_SHIFT 3u
#define OW_GLOBAL_KEY_CONFIG_ENCRYPT_WIDTH 1u
#define OW_GLOBAL_KEY_CONFIG_ENCRYPT_MASK 0x00000008u
#define OW_GLOBAL_KEY_CONFIG_DECRYPT_SHIFT 4u
#define OW_GLOBAL_KEY_CONFIG_DECRYPT_WIDTH 1u
#define OW_GLOBAL_KEY_CONFIG_DECRYPT_MASK 0x00000010u
#define OW_GLOBAL_KEY_CONFIG_MAC_SHIFT 5u
#define OW_GLOBAL_KEY_CONFIG_MAC_WIDTH 1u
#define OW_GLOBAL_KEY_CONFIG_MAC_MASK 0x00000020u
#define OW_GLOBAL_KEY_CONFIG_QUEUES_SHIFT 8u
#define OW_GLOBAL_KEY_CONFIG_QUEUES_WIDTH 8u
#define OW_GLOBAL_KEY_CONFIG_QUEUES_MASK 0x0000ff00u
#define OW_GLOBAL_KEY_CONFIG_LOCK_SHIFT 16u
#define OW_GLOBAL_KEY_CONFIG_LOCK_WIDTH 1u
#define OW_GLOBAL_KEY_CONFIG_LOCK_MASK 0x00010000u
#define OW_GLOBAL_KEY_CONFIG_BYTES_SHIFT 17u
#define OW_GLOBAL_KEY_CONFIG_BYTES_WIDTH 7u
#define OW_GLOBAL_KEY_CONFIG_BYTES_MASK 0x00fe0000u
#define OW_GLOBAL_KEY_CONFIG_KIND_SHIFT 24u
#define OW_GLOBAL_KEY_CONFIG_KIND_WIDTH 8u
#define OW_GLOBAL_KEY_CONFIG_KIND_MASK 0xff000000u
#define OW_GLOBAL_KEY_COMMAND_OFFSET 0x048u
#define OW_GLOBAL_KEY_COMMAND_LOAD_SHIFT 0u
#define OW_GLOBAL_KEY_COMMAND_LOAD_WIDTH 1u
#define OW_GLOBAL_KEY_COMMAND_LOAD_MASK 0x00000001u
#define OW_GLOBAL_KEY_COMMAND_ZEROISE_SHIFT 1u
#define OW_GLOBAL_KEY_COMMAND_ZEROISE_WIDTH 1u
#define OW_GLOBAL_KEY_COMMAND_ZEROISE_MASK 0x00000002u
#define OW_GLOBAL_KEY_COMMAND_ZEROISE_ALL_SHIFT 2u
#define OW_GLOBAL_KEY_COMMAND_ZEROISE_ALL_WIDTH 1u
#define OW_GLOBAL_KEY_COMMAND_ZEROISE_ALL_MASK 0x00000004u
#define OW_GLOBAL_KEY_COMMAND_RESERVE_SHIFT 3u
#define OW_GLOBAL_KEY_COMMAND_RESERVE_WIDTH 1u
#define OW_GLOBAL_KEY_COMMAND_RESERVE_MASK 0x00000008u
#define OW_GLOBAL_KEY_STATUS_OFFSET 0x04cu
#define OW_GLOBAL_KEY_STATUS_VALID_SHIFT 0u
#define OW_GLOBAL_KEY_STATUS_VALID_WIDTH 1u
#define OW_GLOBAL_KEY_STATUS_VALID_MASK 0x00000001u
#define OW_GLOBAL_KEY_STATUS_LOCKED_SHIFT 1u
#define OW_GLOBAL_KEY_STATUS_LOCKED_WIDTH 1u
#define OW_GLOBAL_KEY_STATUS_LOCKED_MASK 0x00000002u
#define OW_GLOBAL_KEY_STATUS_BUSY_SHIFT 2u
#define OW_GLOBAL_KEY_STATUS_BUSY_WIDTH 1u
#define OW_GLOBAL_KEY_STATUS_BUSY_MASK 0x00000004u
#define OW_GLOBAL_KEY_STATUS_REFUSED_SHIFT 3u
#define OW_GLOBAL_KEY_STATUS_REFUSED_WIDTH 1u
#define OW_GLOBAL_KEY_STATUS_REFUSED_MASK 0x00000008u
#define OW_GLOBAL_KEY_STATUS_LENGTH_SHIFT 4u
#define OW_GLOBAL_KEY_STATUS_LENGTH_WIDTH 2u
#define OW_GLOBAL_KEY_STATUS_LENGTH_MASK 0x00000030u
#define OW_GLOBAL_KEY_STATUS_TWO_KEYS_SHIFT 6u
#define OW_GLOBAL_KEY_STATUS_TWO_KEYS_WIDTH 1u
#define OW_GLOBAL_KEY_STATUS_TWO_KEYS_MASK 0x00000040u
#define OW_GLOBAL_KEY_STATUS_ENCRYPT_SHIFT 7u
#define OW_GLOBAL_KEY_STATUS_ENCRYPT_WIDTH 1u
#define OW_GLOBAL_KEY_STATUS_ENCRYPT_MASK 0x00000080u
#define OW_GLOBAL_KEY_STATUS_DECRYPT_SHIFT 8u
#define OW_GLOBAL_KEY_STATUS_DECRYPT_WIDTH 1u
#define OW_GLOBAL_KEY_STATUS_DECRYPT_MASK 0x00000100u
#define OW_GLOBAL_KEY_STATUS_MAC_SHIFT 9u
#define OW_GLOBAL_KEY_STATUS_MAC_WIDTH 1u
#define OW_GLOBAL_KEY_STATUS_MAC_MASK 0x00000200u
#define OW_GLOBAL_KEY_STATUS_RESERVED_SHIFT 10u
#define OW_GLOBAL_KEY_STATUS_RESERVED_WIDTH 1u
#define OW_GLOBAL_KEY_STATUS_RESERVED_MASK 0x00000400u
#define OW_GLOBAL_KEY_STATUS_QUEUES_SHIFT 16u
#define OW_GLOBAL_KEY_STATUS_QUEUES_WIDTH 8u
#define OW_GLOBAL_KEY_STATUS_QUEUES_MASK 0x00ff0000u
#define OW_GLOBAL_KEY_STATUS_KIND_SHIFT 24u
#define OW_GLOBAL_KEY_STATUS_KIND_WIDTH 8u
#define OW_GLOBAL_KEY_STATUS_KIND_MASK 0xff000000u
#define OW_GLOBAL_KEY_GENERATION_OFFSET 0x050u
#define OW_GLOBAL_KEY_GENERATION_VALUE_SHIFT 0u
#define OW_GLOBAL_KEY_GENERATION_VALUE_WIDTH 16u
#define OW_GLOBAL_KEY_GENERATION_VALUE_MASK 0x0000ffffu
#define OW_GLOBAL_ASCON_OFFSET 0x054u
#define OW_GLOBAL_ASCON_ALGORITHMS_SHIFT 0u
#define OW_GLOBAL_ASCON_ALGORITHMS_WIDTH 16u
#define OW_GLOBAL_ASCON_ALGORITHMS_MASK 0x0000ffffu
#define OW_GLOBAL_ASCON_MESSAGES_SHIFT 16u
#define OW_GLOBAL_ASCON_MESSAGES_WIDTH 4u
#define OW_GLOBAL_ASCON_MESSAGES_MASK 0x000f0000u
#define OW_GLOBAL_ASCON_ROUNDS_SHIFT 20u
#define OW_GLOBAL_ASCON_ROUNDS_WIDTH 4u
#define OW_GLOBAL_ASCON_ROUNDS_MASK 0x00f00000u
#define OW_GLOBAL_ASCON_VERSION_SHIFT 28u
#define OW_GLOBAL_ASCON_VERSION_WIDTH 4u
#define OW_GLOBAL_ASCON_VERSION_MASK 0xf0000000u
#define OW_GLOBAL_LATTICE_OFFSET 0x05cu
#define OW_GLOBAL_LATTICE_OPERATIONS_SHIFT 0u
#define OW_GLOBAL_LATTICE_OPERATIONS_WIDTH 16u
#define OW_GLOBAL_LATTICE_OPERATIONS_MASK 0x0000ffffu
#define OW_GLOBAL_LATTICE_BUTTERFLIES_SHIFT 16u
#define OW_GLOBAL_LATTICE_BUTTERFLIES_WIDTH 4u
#define OW_GLOBAL_LATTICE_BUTTERFLIES_MASK 0x000f0000u
#define OW_GLOBAL_LATTICE_VERSION_SHIFT 28u
#define OW_GLOBAL_LATTICE_VERSION_WIDTH 4u
#define OW_GLOBAL_LATTICE_VERSION_MASK 0xf0000000u
#define OW_GLOBAL_KEY_DATA_OFFSET 0x080u
#define OW_GLOBAL_KEY_DATA_STRIDE 0x4u
#define OW_GLOBAL_KEY_DATA_COUNT 24u
#define OW_GLOBAL_SEED_OFFSET 0x0e0u
#define OW_GLOBAL_SEED_STRIDE 0x4u
#define OW_GLOBAL_SEED_COUNT 8u

/* The page of a queue; it can be mapped to a process on its own. */
#define OW_QUEUE_OFFSET 0x1000u
#define OW_QUEUE_STRIDE 0x1000u
#define OW_QUEUE_COUNT 4u
#define OW_QUEUE_CONTROL_OFFSET 0x000u
#define OW_QUEUE_CONTROL_RESET 0x00000000u
#define OW_QUEUE_CONTROL_ENABLE_SHIFT 0u
#define OW_QUEUE_CONTROL_ENABLE_WIDTH 1u
#define OW_QUEUE_CONTROL_ENABLE_MASK 0x00000001u
#define OW_QUEUE_CONTROL_RESET_SHIFT 1u
#define OW_QUEUE_CONTROL_RESET_WIDTH 1u
#define OW_QUEUE_CONTROL_RESET_MASK 0x00000002u
#define OW_QUEUE_CONTROL_IRQ_ENABLE_SHIFT 2u
#define OW_QUEUE_CONTROL_IRQ_ENABLE_WIDTH 1u
#define OW_QUEUE_CONTROL_IRQ_ENABLE_MASK 0x00000004u
#define OW_QUEUE_STATUS_OFFSET 0x004u
#define OW_QUEUE_STATUS_BUSY_SHIFT 0u
#define OW_QUEUE_STATUS_BUSY_WIDTH 1u
#define OW_QUEUE_STATUS_BUSY_MASK 0x00000001u
#define OW_QUEUE_STATUS_HALTED_SHIFT 1u
#define OW_QUEUE_STATUS_HALTED_WIDTH 1u
#define OW_QUEUE_STATUS_HALTED_MASK 0x00000002u
#define OW_QUEUE_STATUS_WATCHDOG_SHIFT 2u
#define OW_QUEUE_STATUS_WATCHDOG_WIDTH 1u
#define OW_QUEUE_STATUS_WATCHDOG_MASK 0x00000004u
#define OW_QUEUE_STATUS_HALT_SHIFT 8u
#define OW_QUEUE_STATUS_HALT_WIDTH 8u
#define OW_QUEUE_STATUS_HALT_MASK 0x0000ff00u
#define OW_QUEUE_RING_LOW_OFFSET 0x008u
#define OW_QUEUE_RING_LOW_RESET 0x00000000u
#define OW_QUEUE_RING_HIGH_OFFSET 0x00cu
#define OW_QUEUE_RING_HIGH_RESET 0x00000000u
#define OW_QUEUE_DONE_LOW_OFFSET 0x010u
#define OW_QUEUE_DONE_LOW_RESET 0x00000000u
#define OW_QUEUE_DONE_HIGH_OFFSET 0x014u
#define OW_QUEUE_DONE_HIGH_RESET 0x00000000u
#define OW_QUEUE_RING_SIZE_OFFSET 0x018u
#define OW_QUEUE_RING_SIZE_RESET 0x00000000u
#define OW_QUEUE_RING_SIZE_LOG2_SHIFT 0u
#define OW_QUEUE_RING_SIZE_LOG2_WIDTH 4u
#define OW_QUEUE_RING_SIZE_LOG2_MASK 0x0000000fu
#define OW_QUEUE_DOORBELL_OFFSET 0x01cu
#define OW_QUEUE_DOORBELL_RESET 0x00000000u
#define OW_QUEUE_DOORBELL_COUNT_SHIFT 0u
#define OW_QUEUE_DOORBELL_COUNT_WIDTH 16u
#define OW_QUEUE_DOORBELL_COUNT_MASK 0x0000ffffu
#define OW_QUEUE_PROGRESS_OFFSET 0x020u
#define OW_QUEUE_PROGRESS_FETCHED_SHIFT 0u
#define OW_QUEUE_PROGRESS_FETCHED_WIDTH 16u
#define OW_QUEUE_PROGRESS_FETCHED_MASK 0x0000ffffu
#define OW_QUEUE_PROGRESS_COMPLETED_SHIFT 16u
#define OW_QUEUE_PROGRESS_COMPLETED_WIDTH 16u
#define OW_QUEUE_PROGRESS_COMPLETED_MASK 0xffff0000u
#define OW_QUEUE_IRQ_COUNT_OFFSET 0x024u
#define OW_QUEUE_IRQ_COUNT_RESET 0x00000000u
#define OW_QUEUE_IRQ_COUNT_COMPLETIONS_SHIFT 0u
#define OW_QUEUE_IRQ_COUNT_COMPLETIONS_WIDTH 16u
#define OW_QUEUE_IRQ_COUNT_COMPLETIONS_MASK 0x0000ffffu
#define OW_QUEUE_IRQ_TIME_OFFSET 0x028u
#define OW_QUEUE_IRQ_TIME_RESET 0x00000000u
#define OW_QUEUE_IRQ_OFFSET 0x02cu
#define OW_QUEUE_IRQ_RESET 0x00000000u
#define OW_QUEUE_IRQ_PENDING_SHIFT 0u
#define OW_QUEUE_IRQ_PENDING_WIDTH 1u
#define OW_QUEUE_IRQ_PENDING_MASK 0x00000001u
#define OW_QUEUE_START_LOW_OFFSET 0x030u
#define OW_QUEUE_START_HIGH_OFFSET 0x034u
#define OW_QUEUE_FINISH_LOW_OFFSET 0x038u
#define OW_QUEUE_FINISH_HIGH_OFFSET 0x03cu
#define OW_QUEUE_JOBS_OFFSET 0x080u
#define OW_QUEUE_BYTES_LOW_OFFSET 0x084u
#define OW_QUEUE_BYTES_HIGH_OFFSET 0x088u
#define OW_QUEUE_BUSY_CYCLES_OFFSET 0x08cu
#define OW_QUEUE_WAIT_CYCLES_OFFSET 0x090u
#define OW_QUEUE_PREPARE_CYCLES_OFFSET 0x094u
#define OW_QUEUE_DATA_CYCLES_OFFSET 0x098u
#define OW_QUEUE_WRITE_CYCLES_OFFSET 0x09cu
#define OW_QUEUE_COMPLETE_CYCLES_OFFSET 0x0a0u
#define OW_QUEUE_STALL_READ_OFFSET 0x0a4u
#define OW_QUEUE_STALL_WRITE_OFFSET 0x0a8u
#define OW_QUEUE_STALL_STREAM_OFFSET 0x0acu
#define OW_QUEUE_FETCH_CYCLES_OFFSET 0x0b0u
#define OW_QUEUE_TAG_CYCLES_OFFSET 0x0b4u
#define OW_QUEUE_ERROR_AUTH_OFFSET 0x0c0u
#define OW_QUEUE_ERROR_REQUEST_OFFSET 0x0c4u
#define OW_QUEUE_ERROR_KEY_OFFSET 0x0c8u
#define OW_QUEUE_ERROR_WINDOW_OFFSET 0x0ccu
#define OW_QUEUE_ERROR_BUS_OFFSET 0x0d0u
#define OW_QUEUE_ERROR_TIMEOUT_OFFSET 0x0d4u

/* What the owner of the device grants a queue. */
#define OW_QUEUE_CONFIG_OFFSET 0x0400u
#define OW_QUEUE_CONFIG_STRIDE 0x100u
#define OW_QUEUE_CONFIG_COUNT 4u
#define OW_QUEUE_CONFIG_GRANT_OFFSET 0x000u
#define OW_QUEUE_CONFIG_GRANT_RESET 0x00000000u
#define OW_QUEUE_CONFIG_GRANT_ALLOW_SHIFT 0u
#define OW_QUEUE_CONFIG_GRANT_ALLOW_WIDTH 1u
#define OW_QUEUE_CONFIG_GRANT_ALLOW_MASK 0x00000001u
#define OW_QUEUE_CONFIG_GRANT_PRIORITY_SHIFT 1u
#define OW_QUEUE_CONFIG_GRANT_PRIORITY_WIDTH 1u
#define OW_QUEUE_CONFIG_GRANT_PRIORITY_MASK 0x00000002u
#define OW_QUEUE_CONFIG_GRANT_ANY_ADDRESS_SHIFT 2u
#define OW_QUEUE_CONFIG_GRANT_ANY_ADDRESS_WIDTH 1u
#define OW_QUEUE_CONFIG_GRANT_ANY_ADDRESS_MASK 0x00000004u
#define OW_QUEUE_CONFIG_WATCHDOG_OFFSET 0x004u
#define OW_QUEUE_CONFIG_WATCHDOG_RESET 0x00000000u

/* An address window: the bytes from base to last, both included. */
#define OW_WINDOW_OFFSET 0x0080u
#define OW_WINDOW_STRIDE 0x20u
#define OW_WINDOW_COUNT 4u
#define OW_WINDOW_BASE_LOW_OFFSET 0x000u
#define OW_WINDOW_BASE_LOW_RESET 0x00000000u
#define OW_WINDOW_BASE_HIGH_OFFSET 0x004u
#define OW_WINDOW_BASE_HIGH_RESET 0x00000000u
#define OW_WINDOW_LAST_LOW_OFFSET 0x008u
#define OW_WINDOW_LAST_LOW_RESET 0x00000000u
#define OW_WINDOW_LAST_HIGH_OFFSET 0x00cu
#define OW_WINDOW_LAST_HIGH_RESET 0x00000000u
#define OW_WINDOW_PERMISSION_OFFSET 0x010u
#define OW_WINDOW_PERMISSION_RESET 0x00000000u
#define OW_WINDOW_PERMISSION_READ_SHIFT 0u
#define OW_WINDOW_PERMISSION_READ_WIDTH 1u
#define OW_WINDOW_PERMISSION_READ_MASK 0x00000001u
#define OW_WINDOW_PERMISSION_WRITE_SHIFT 1u
#define OW_WINDOW_PERMISSION_WRITE_WIDTH 1u
#define OW_WINDOW_PERMISSION_WRITE_MASK 0x00000002u

/* What each engine of a build can do: its capability registers, zero where it is not built in. */
struct ow_engine_capabilities {
  uint32_t aes; /* What the AES engine can do. */
  uint32_t hash; /* What the hash engine can do. */
  uint32_t hash_units; /* Size of the hash engine. */
  uint32_t radio; /* What the radio engine can do. */
  uint32_t des; /* What the DES engine can do. */
  uint32_t combined; /* What AES and hash engine can do together. */
  uint32_t pka; /* What the public-key engine can do. */
  uint32_t ascon; /* What the Ascon engine can do. */
  uint32_t lattice; /* What the lattice engine can do. */
};
/* X(member, offset of the register) for each of them. */
#define OW_CAPABILITY_REGISTERS(X) \
  X(aes, OW_GLOBAL_AES_OFFSET) \
  X(hash, OW_GLOBAL_HASH_OFFSET) \
  X(hash_units, OW_GLOBAL_HASH_UNITS_OFFSET) \
  X(radio, OW_GLOBAL_RADIO_OFFSET) \
  X(des, OW_GLOBAL_DES_OFFSET) \
  X(combined, OW_GLOBAL_COMBINED_OFFSET) \
  X(pka, OW_GLOBAL_PKA_OFFSET) \
  X(ascon, OW_GLOBAL_ASCON_OFFSET) \
  X(lattice, OW_GLOBAL_LATTICE_OFFSET)
/* X(engine) for each engine. Its first capability register is a member of its name, whose lower half has a bit
   for each of its opcodes, by their low digits. */
#define OW_ENGINES(X) \
  X(aes) \
  X(hash) \
  X(radio) \
  X(des) \
  X(pka) \
  X(combined) \
  X(ascon) \
  X(lattice)
/* X(engine, high digit of opcodes) for each engine and each of its digits. */
#define OW_ENGINE_DIGITS(X) \
  X(aes, 1) \
  X(hash, 2) \
  X(hash, 3) \
  X(radio, 4) \
  X(des, 5) \
  X(pka, 6) \
  X(combined, 7) \
  X(ascon, 8) \
  X(lattice, 10)

/* Layouts in memory, little-endian. */

/* Job descriptor: 64 bytes, 64-byte aligned, in the descriptor ring. */
#define OW_DESCRIPTOR_SIZE 64u
#define OW_DESCRIPTOR_CONTROL_OPCODE_SHIFT 0u
#define OW_DESCRIPTOR_CONTROL_OPCODE_WIDTH 8u
#define OW_DESCRIPTOR_CONTROL_OPCODE_MASK 0x000000ffu
#define OW_DESCRIPTOR_CONTROL_KEY_SHIFT 8u
#define OW_DESCRIPTOR_CONTROL_KEY_WIDTH 8u
#define OW_DESCRIPTOR_CONTROL_KEY_MASK 0x0000ff00u
#define OW_DESCRIPTOR_CONTROL_TAG_LENGTH_SHIFT 16u
#define OW_DESCRIPTOR_CONTROL_TAG_LENGTH_WIDTH 5u
#define OW_DESCRIPTOR_CONTROL_TAG_LENGTH_MASK 0x001f0000u
#define OW_DESCRIPTOR_CONTROL_DECRYPT_SHIFT 21u
#define OW_DESCRIPTOR_CONTROL_DECRYPT_WIDTH 1u
#define OW_DESCRIPTOR_CONTROL_DECRYPT_MASK 0x00200000u
#define OW_DESCRIPTOR_CONTROL_INLINE_KEY_SHIFT 22u
#define OW_DESCRIPTOR_CONTROL_INLINE_KEY_WIDTH 1u
#define OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK 0x00400000u
#define OW_DESCRIPTOR_CONTROL_LOAD_STATE_SHIFT 23u
#define OW_DESCRIPTOR_CONTROL_LOAD_STATE_WIDTH 1u
#define OW_DESCRIPTOR_CONTROL_LOAD_STATE_MASK 0x00800000u
#define OW_DESCRIPTOR_CONTROL_SAVE_STATE_SHIFT 24u
#define OW_DESCRIPTOR_CONTROL_SAVE_STATE_WIDTH 1u
#define OW_DESCRIPTOR_CONTROL_SAVE_STATE_MASK 0x01000000u
#define OW_DESCRIPTOR_CONTROL_SOURCE_LIST_SHIFT 25u
#define OW_DESCRIPTOR_CONTROL_SOURCE_LIST_WIDTH 1u
#define OW_DESCRIPTOR_CONTROL_SOURCE_LIST_MASK 0x02000000u
#define OW_DESCRIPTOR_CONTROL_DESTINATION_LIST_SHIFT 26u
#define OW_DESCRIPTOR_CONTROL_DESTINATION_LIST_WIDTH 1u
#define OW_DESCRIPTOR_CONTROL_DESTINATION_LIST_MASK 0x04000000u
#define OW_DESCRIPTOR_CONTROL_LONG_IV_SHIFT 27u
#define OW_DESCRIPTOR_CONTROL_LONG_IV_WIDTH 1u
#define OW_DESCRIPTOR_CONTROL_LONG_IV_MASK 0x08000000u
#define OW_DESCRIPTOR_CONTROL_APPEND_TAG_SHIFT 28u
#define OW_DESCRIPTOR_CONTROL_APPEND_TAG_WIDTH 1u
#define OW_DESCRIPTOR_CONTROL_APPEND_TAG_MASK 0x10000000u
#define OW_DESCRIPTOR_CONTROL_FENCE_SHIFT 29u
#define OW_DESCRIPTOR_CONTROL_FENCE_WIDTH 1u
#define OW_DESCRIPTOR_CONTROL_FENCE_MASK 0x20000000u
#define OW_DESCRIPTOR_CONTROL_INTERRUPT_SHIFT 30u
#define OW_DESCRIPTOR_CONTROL_INTERRUPT_WIDTH 1u
#define OW_DESCRIPTOR_CONTROL_INTERRUPT_MASK 0x40000000u
#define OW_DESCRIPTOR_CONTROL_GENERATION_SHIFT 31u
#define OW_DESCRIPTOR_CONTROL_GENERATION_WIDTH 1u
#define OW_DESCRIPTOR_CONTROL_GENERATION_MASK 0x80000000u
struct ow_descriptor {
  uint32_t control; /* What to do. */
  uint32_t cookie; /* Returned in the completion record; any value. */
  uint64_t source; /* Address of the payload, or of its segment list. */
  uint64_t destination; /* Address of the result, or of its segment list. May equal source. */
  uint64_t aad; /* Address of the additional authenticated data. */
  uint64_t context; /* Address of the context (16-byte aligned); used by INLINE_KEY, LOAD_STATE and SAVE_STATE. */
  uint32_t length; /* Payload bytes, the tag not counted. */
  uint32_t aad_length; /* Bytes of additional authenticated data. For SHAKE, Ascon's XOFs and MACs of the hash engine: bytes that are returned or verified. */
  uint8_t iv[16]; /* IV, nonce or counter block, first byte at the lowest address. GCM: 12 bytes. */
};
OW_STATIC_ASSERT(sizeof(struct ow_descriptor) == 64, "descriptor");
OW_STATIC_ASSERT(offsetof(struct ow_descriptor, control) == 0x00, "descriptor.control");
OW_STATIC_ASSERT(offsetof(struct ow_descriptor, cookie) == 0x04, "descriptor.cookie");
OW_STATIC_ASSERT(offsetof(struct ow_descriptor, source) == 0x08, "descriptor.source");
OW_STATIC_ASSERT(offsetof(struct ow_descriptor, destination) == 0x10, "descriptor.destination");
OW_STATIC_ASSERT(offsetof(struct ow_descriptor, aad) == 0x18, "descriptor.aad");
OW_STATIC_ASSERT(offsetof(struct ow_descriptor, context) == 0x20, "descriptor.context");
OW_STATIC_ASSERT(offsetof(struct ow_descriptor, length) == 0x28, "descriptor.length");
OW_STATIC_ASSERT(offsetof(struct ow_descriptor, aad_length) == 0x2c, "descriptor.aad_length");
OW_STATIC_ASSERT(offsetof(struct ow_descriptor, iv) == 0x30, "descriptor.iv");

/* Context field of a job with GENERATION: The descriptor's context field, 8 bytes. The device adds no higher bits to the address. */
#define OW_SLOT_CONTEXT_SIZE 8u
#define OW_SLOT_CONTEXT_VALUE_ADDRESS_SHIFT 0u
#define OW_SLOT_CONTEXT_VALUE_ADDRESS_WIDTH 48u
#define OW_SLOT_CONTEXT_VALUE_ADDRESS_MASK 0xffffffffffffu
#define OW_SLOT_CONTEXT_VALUE_GENERATION_SHIFT 48u
#define OW_SLOT_CONTEXT_VALUE_GENERATION_WIDTH 16u
#define OW_SLOT_CONTEXT_VALUE_GENERATION_MASK 0xffff000000000000u
struct ow_slot_context {
  uint64_t value; /* Context and key. */
};
OW_STATIC_ASSERT(sizeof(struct ow_slot_context) == 8, "slot_context");
OW_STATIC_ASSERT(offsetof(struct ow_slot_context, value) == 0x00, "slot_context.value");

/* IV field of a radio job: The descriptor's iv field, 16 bytes. With LONG_IV (ZUC-256) the first 12 hold address and length of the IV as usual. Bits without a name are zero. */
#define OW_RADIO_IV_SIZE 16u
#define OW_RADIO_IV_WAY_BEARER_SHIFT 0u
#define OW_RADIO_IV_WAY_BEARER_WIDTH 5u
#define OW_RADIO_IV_WAY_BEARER_MASK 0x0000001fu
#define OW_RADIO_IV_WAY_DIRECTION_SHIFT 5u
#define OW_RADIO_IV_WAY_DIRECTION_WIDTH 1u
#define OW_RADIO_IV_WAY_DIRECTION_MASK 0x00000020u
#define OW_RADIO_IV_CONTROL_LAST_BITS_SHIFT 0u
#define OW_RADIO_IV_CONTROL_LAST_BITS_WIDTH 3u
#define OW_RADIO_IV_CONTROL_LAST_BITS_MASK 0x00000007u
#define OW_RADIO_IV_CONTROL_CLEAR_BYTES_SHIFT 8u
#define OW_RADIO_IV_CONTROL_CLEAR_BYTES_WIDTH 4u
#define OW_RADIO_IV_CONTROL_CLEAR_BYTES_MASK 0x00000f00u
#define OW_RADIO_IV_CONTROL_MAC_OF_CIPHERTEXT_SHIFT 16u
#define OW_RADIO_IV_CONTROL_MAC_OF_CIPHERTEXT_WIDTH 1u
#define OW_RADIO_IV_CONTROL_MAC_OF_CIPHERTEXT_MASK 0x00010000u
struct ow_radio_iv {
  uint32_t count; /* COUNT. */
  uint32_t fresh; /* FRESH, for SNOW 3G's MAC; 128-EIA1: BEARER in the highest five bits, zeros below. */
  uint32_t way; /* The packet's way. */
  uint32_t control; /* How the packet is handled. */
};
OW_STATIC_ASSERT(sizeof(struct ow_radio_iv) == 16, "radio_iv");
OW_STATIC_ASSERT(offsetof(struct ow_radio_iv, count) == 0x00, "radio_iv.count");
OW_STATIC_ASSERT(offsetof(struct ow_radio_iv, fresh) == 0x04, "radio_iv.fresh");
OW_STATIC_ASSERT(offsetof(struct ow_radio_iv, way) == 0x08, "radio_iv.way");
OW_STATIC_ASSERT(offsetof(struct ow_radio_iv, control) == 0x0c, "radio_iv.control");

/* IV field of a public-key job: The descriptor's iv field, 16 bytes. Lengths are in bits and exact: the highest bit is set. Numbers travel in the bytes that hold them, a curve's all in the bytes of its field. Fields that an opcode does not need are zero. */
#define OW_PKA_PARAMETERS_SIZE 16u
#define OW_PKA_PARAMETERS_FIRST_N_BITS_SHIFT 0u
#define OW_PKA_PARAMETERS_FIRST_N_BITS_WIDTH 16u
#define OW_PKA_PARAMETERS_FIRST_N_BITS_MASK 0x0000ffffu
#define OW_PKA_PARAMETERS_FIRST_E_BITS_SHIFT 16u
#define OW_PKA_PARAMETERS_FIRST_E_BITS_WIDTH 16u
#define OW_PKA_PARAMETERS_FIRST_E_BITS_MASK 0xffff0000u
#define OW_PKA_PARAMETERS_PRIMES_P_BITS_SHIFT 0u
#define OW_PKA_PARAMETERS_PRIMES_P_BITS_WIDTH 16u
#define OW_PKA_PARAMETERS_PRIMES_P_BITS_MASK 0x0000ffffu
#define OW_PKA_PARAMETERS_PRIMES_Q_BITS_SHIFT 16u
#define OW_PKA_PARAMETERS_PRIMES_Q_BITS_WIDTH 16u
#define OW_PKA_PARAMETERS_PRIMES_Q_BITS_MASK 0xffff0000u
struct ow_pka_parameters {
  uint32_t first; /* Modulus and exponent. */
  uint32_t primes; /* RSA's primes. */
  uint64_t zero; /* Must be zero. */
};
OW_STATIC_ASSERT(sizeof(struct ow_pka_parameters) == 16, "pka_parameters");
OW_STATIC_ASSERT(offsetof(struct ow_pka_parameters, first) == 0x00, "pka_parameters.first");
OW_STATIC_ASSERT(offsetof(struct ow_pka_parameters, primes) == 0x04, "pka_parameters.primes");
OW_STATIC_ASSERT(offsetof(struct ow_pka_parameters, zero) == 0x08, "pka_parameters.zero");

/* IV field of a lattice job: The descriptor's iv field, 16 bytes. Only MLKEM_DECAPSULATE under a key in a slot names a slot for its result. */
#define OW_LATTICE_PARAMETERS_SIZE 16u
#define OW_LATTICE_PARAMETERS_FIRST_K_SHIFT 0u
#define OW_LATTICE_PARAMETERS_FIRST_K_WIDTH 4u
#define OW_LATTICE_PARAMETERS_FIRST_K_MASK 0x0000000fu
#define OW_LATTICE_PARAMETERS_FIRST_SLOT_SHIFT 8u
#define OW_LATTICE_PARAMETERS_FIRST_SLOT_WIDTH 8u
#define OW_LATTICE_PARAMETERS_FIRST_SLOT_MASK 0x0000ff00u
#define OW_LATTICE_PARAMETERS_FIRST_GENERATION_SHIFT 16u
#define OW_LATTICE_PARAMETERS_FIRST_GENERATION_WIDTH 16u
#define OW_LATTICE_PARAMETERS_FIRST_GENERATION_MASK 0xffff0000u
struct ow_lattice_parameters {
  uint32_t first; /* Parameter set and result. */
  uint32_t zero; /* Must be zero. */
  uint64_t zero_high; /* Must be zero. */
};
OW_STATIC_ASSERT(sizeof(struct ow_lattice_parameters) == 16, "lattice_parameters");
OW_STATIC_ASSERT(offsetof(struct ow_lattice_parameters, first) == 0x00, "lattice_parameters.first");
OW_STATIC_ASSERT(offsetof(struct ow_lattice_parameters, zero) == 0x04, "lattice_parameters.zero");
OW_STATIC_ASSERT(offsetof(struct ow_lattice_parameters, zero_high) == 0x08, "lattice_parameters.zero_high");

/* Completion record: 32 bytes, 32-byte aligned, in the completion ring, which has as many entries as the descriptor ring. Jobs may complete out of order. The phase stands in the word that the device writes last. */
#define OW_COMPLETION_SIZE 32u
#define OW_COMPLETION_RESULT_STATUS_SHIFT 0u
#define OW_COMPLETION_RESULT_STATUS_WIDTH 8u
#define OW_COMPLETION_RESULT_STATUS_MASK 0x000000ffu
#define OW_COMPLETION_RESULT_PHASE_SHIFT 31u
#define OW_COMPLETION_RESULT_PHASE_WIDTH 1u
#define OW_COMPLETION_RESULT_PHASE_MASK 0x80000000u
struct ow_completion {
  uint8_t tag[16]; /* Tag or MAC, zeros behind its `tag_length` bytes; or next IV or counter block. First byte at the lowest address. Zero where the job has none of them or failed. */
  uint32_t cookie; /* The descriptor's cookie. */
  uint32_t bytes; /* Bytes written to the destination (payload and appended tag). */
  uint32_t cycles; /* Device cycles from the fetch of the descriptor to this record. */
  uint32_t result; /* How the job ended. */
};
OW_STATIC_ASSERT(sizeof(struct ow_completion) == 32, "completion");
OW_STATIC_ASSERT(offsetof(struct ow_completion, tag) == 0x00, "completion.tag");
OW_STATIC_ASSERT(offsetof(struct ow_completion, cookie) == 0x10, "completion.cookie");
OW_STATIC_ASSERT(offsetof(struct ow_completion, bytes) == 0x14, "completion.bytes");
OW_STATIC_ASSERT(offsetof(struct ow_completion, cycles) == 0x18, "completion.cycles");
OW_STATIC_ASSERT(offsetof(struct ow_completion, result) == 0x1c, "completion.result");

/* Segment: 16 bytes; a segment list is an array of these, 16-byte aligned. */
#define OW_SEGMENT_SIZE 16u
#define OW_SEGMENT_CONTROL_LAST_SHIFT 0u
#define OW_SEGMENT_CONTROL_LAST_WIDTH 1u
#define OW_SEGMENT_CONTROL_LAST_MASK 0x00000001u
struct ow_segment {
  uint64_t address; /* Address of the piece. */
  uint32_t length; /* Bytes of the piece; may be zero. */
  uint32_t control; /* How the list goes on. */
};
OW_STATIC_ASSERT(sizeof(struct ow_segment) == 16, "segment");
OW_STATIC_ASSERT(offsetof(struct ow_segment, address) == 0x00, "segment.address");
OW_STATIC_ASSERT(offsetof(struct ow_segment, length) == 0x08, "segment.length");
OW_STATIC_ASSERT(offsetof(struct ow_segment, control) == 0x0c, "segment.control");

/* Context: 128 bytes, 16-byte aligned. The key part is only read; the state part is written by SAVE_STATE and read by LOAD_STATE. With a key in a slot there is no key part: 0x20 to 0x6f are a sealed state, the nonce in place of `tweak_key0`, the tag in place of `tweak_key1`, and the state encrypted. The nonce is a count of 8 bytes, the queue's number, and 7 zeros; a message goes on in that queue. */
#define OW_CONTEXT_SIZE 128u
struct ow_context {
  uint8_t key0[16]; /* Key, first 16 bytes. */
  uint8_t key1[16]; /* Key, the rest (192 and 256 bits). */
  uint8_t tweak_key0[16]; /* XTS tweak key, first 16 bytes. */
  uint8_t tweak_key1[16]; /* XTS tweak key, the rest. */
  uint8_t state0[16]; /* State: counter block, XTS tweak, or chaining value; Ascon: the first of 40 bytes of state. Opaque to software. */
  uint8_t state1[16]; /* State: GHASH accumulator or MAC chain. Opaque to software. */
  uint8_t state2[16]; /* State: bytes so far of AAD (low 64 bits) and payload (high 64 bits). */
  uint8_t spare[16]; /* Not used by the device. */
};
OW_STATIC_ASSERT(sizeof(struct ow_context) == 128, "context");
OW_STATIC_ASSERT(offsetof(struct ow_context, key0) == 0x00, "context.key0");
OW_STATIC_ASSERT(offsetof(struct ow_context, key1) == 0x10, "context.key1");
OW_STATIC_ASSERT(offsetof(struct ow_context, tweak_key0) == 0x20, "context.tweak_key0");
OW_STATIC_ASSERT(offsetof(struct ow_context, tweak_key1) == 0x30, "context.tweak_key1");
OW_STATIC_ASSERT(offsetof(struct ow_context, state0) == 0x40, "context.state0");
OW_STATIC_ASSERT(offsetof(struct ow_context, state1) == 0x50, "context.state1");
OW_STATIC_ASSERT(offsetof(struct ow_context, state2) == 0x60, "context.state2");
OW_STATIC_ASSERT(offsetof(struct ow_context, spare) == 0x70, "context.spare");

/* Context of hash functions: 16-byte aligned. The key part is only read; the state part is written by SAVE_STATE and read by LOAD_STATE, of SHA-1 to SHA-256 its first 144 bytes, of SHA-384 to SHA-512/256 its first 208, of Keccak 224. A state means the same to every unit and to software. With a key in a slot there is no key part: the state is sealed, so encrypted, its nonce in place of `key[6]`, its tag in place of `key[7]`. */
#define OW_HASH_CONTEXT_SIZE 352u
struct ow_hash_context {
  uint8_t key[128]; /* Key, zero-padded to a multiple of 16 bytes; or HMAC's inner and outer chaining values, of SHA-1 to SHA-256 in 32 bytes each, of SHA-384 to SHA-512/256 in 64, as `chain` has them. */
  uint64_t bytes; /* Bytes hashed so far, HMAC's first block counted. */
  uint64_t partial; /* Of them, those in the block that is not full. */
  uint8_t chain[64]; /* Chaining value, as the bytes of a digest: H0 first, big-endian; the rest is zero. Keccak: bytes 0 to 63 of the state in FIPS 202's order, with the bytes of the block that is not full added (exclusive-or). */
  uint8_t block[144]; /* The block that is not full, zero-padded. Keccak: bytes 64 to 199 of the state, and 8 zeros. */
};
OW_STATIC_ASSERT(sizeof(struct ow_hash_context) == 352, "hash_context");
OW_STATIC_ASSERT(offsetof(struct ow_hash_context, key) == 0x00, "hash_context.key");
OW_STATIC_ASSERT(offsetof(struct ow_hash_context, bytes) == 0x80, "hash_context.bytes");
OW_STATIC_ASSERT(offsetof(struct ow_hash_context, partial) == 0x88, "hash_context.partial");
OW_STATIC_ASSERT(offsetof(struct ow_hash_context, chain) == 0x90, "hash_context.chain");
OW_STATIC_ASSERT(offsetof(struct ow_hash_context, block) == 0xd0, "hash_context.block");

/* clang-format on */

#endif
