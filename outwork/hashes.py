# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The hash functions and the MACs based on them, by name: FIPS 180-4, FIPS 202, FIPS 198-1, SP 800-185."""

from dataclasses import dataclass
from typing import Final

from outwork.ciphers import Operation
from outwork.errors import UsageError, unknown_name
from outwork.spec import Opcode

MAC_TAG_BYTES_MAX: Final = 64
OUTPUT_BYTES_MAX: Final = 1 << 20  # limit for outputs of any length
KEYED: Final = Opcode.HMAC_SHA1 - Opcode.SHA1


@dataclass(frozen=True)
class Function:
    """A hash function. Lengths are in bytes."""

    name: str
    opcode: Opcode
    digest_bytes: int  # of an extendable output: the usual length
    block_bytes: int  # FIPS 180-4's block, FIPS 202's rate
    library_name: str  # OpenSSL's
    is_extendable: bool = False


FUNCTIONS: Final = (
    Function("sha-1", Opcode.SHA1, 20, 64, "SHA1"),
    Function("sha-224", Opcode.SHA224, 28, 64, "SHA2-224"),
    Function("sha-256", Opcode.SHA256, 32, 64, "SHA2-256"),
    Function("sha-384", Opcode.SHA384, 48, 128, "SHA2-384"),
    Function("sha-512", Opcode.SHA512, 64, 128, "SHA2-512"),
    Function("sha-512-224", Opcode.SHA512_224, 28, 128, "SHA2-512/224"),
    Function("sha-512-256", Opcode.SHA512_256, 32, 128, "SHA2-512/256"),
    Function("sha3-224", Opcode.SHA3_224, 28, 144, "SHA3-224"),
    Function("sha3-256", Opcode.SHA3_256, 32, 136, "SHA3-256"),
    Function("sha3-384", Opcode.SHA3_384, 48, 104, "SHA3-384"),
    Function("sha3-512", Opcode.SHA3_512, 64, 72, "SHA3-512"),
    Function("shake128", Opcode.SHAKE128, 32, 168, "SHAKE-128", is_extendable=True),
    Function("shake256", Opcode.SHAKE256, 64, 136, "SHAKE-256", is_extendable=True),
)


class _Fixed:
    """The properties that all digests and MACs share (outwork.algorithms.Algorithm)."""

    name: str
    iv_bytes: Final = 0
    message_bytes: Final = 0
    is_mac: Final = True
    is_aead: Final = False

    def check_length(self, length_bytes: int) -> None:
        """Accepts every length."""

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Hash(_Fixed):
    """A digest: a MAC without a key."""

    function: Function
    key_bits: int = 0
    key_bytes: int = 0
    single_key_bytes: int = 0

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.function.name

    @property
    def opcode(self) -> Opcode:
        return self.function.opcode

    @property
    def tag_bytes_default(self) -> int:
        return self.function.digest_bytes

    @property
    def operations(self) -> tuple[Operation, ...]:
        return (Operation.DIGEST,)


@dataclass(frozen=True)
class Mac(_Fixed):
    """HMAC with a hash function, or KMAC. Keys have any length; usually that of the digest."""

    function: Function
    single_key_bytes: int = 0  # for the policy: of any length

    @property
    def is_kmac(self) -> bool:
        return self.function.is_extendable

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.function.name.replace("shake", "kmac") if self.is_kmac else f"hmac-{self.function.name}"

    @property
    def opcode(self) -> Opcode:
        return Opcode(self.function.opcode + KEYED)

    @property
    def key_bytes(self) -> int:
        return self.function.digest_bytes

    @property
    def key_bits(self) -> int:
        return 8 * self.key_bytes

    @property
    def tag_bytes_default(self) -> int:
        return self.function.digest_bytes

    @property
    def operations(self) -> tuple[Operation, ...]:
        return (Operation.MAC, Operation.VERIFY)


HASHES: Final = {entry.name: Hash(entry) for entry in FUNCTIONS}
MACS: Final = {entry.name: entry for entry in map(Mac, FUNCTIONS)}


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def _find(name: str, among: dict[str, Hash] | dict[str, Mac], what: str) -> Hash | Mac:
    """Finds a function by name without punctuation: sha256, SHA-256, SHA512/256."""
    for entry in among.values():
        if _plain(entry.name) == _plain(name):
            return entry
    raise unknown_name(what, name, among)


def find_hash(name: str) -> Hash:
    found = _find(name, HASHES, "hash")
    assert isinstance(found, Hash)
    return found


def find_mac(name: str) -> Mac:
    found = _find(name, MACS, "MAC")
    assert isinstance(found, Mac)
    return found


def check_output(algorithm: Hash | Mac, output_bytes: int) -> None:
    """Checks the output length: fixed for a hash, any for SHAKE and KMAC, at most the digest's for an HMAC."""
    function = algorithm.function
    if function.is_extendable:
        if not 1 <= output_bytes <= OUTPUT_BYTES_MAX:
            raise UsageError(f"{algorithm} gives 1 to {OUTPUT_BYTES_MAX} bytes, not {output_bytes}.")
    elif isinstance(algorithm, Hash):
        if output_bytes != function.digest_bytes:
            raise UsageError(f"{algorithm} gives {function.digest_bytes} bytes, not {output_bytes}.")
    elif not 1 <= output_bytes <= function.digest_bytes:
        raise UsageError(f"{algorithm} gives 1 to {function.digest_bytes} bytes, not {output_bytes}.")
