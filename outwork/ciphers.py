# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The ciphers by name: their key, IV and tag lengths, and their operations."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from outwork.errors import UsageError, unknown_name
from outwork.spec import Opcode

BLOCK_BYTES: Final = 16
TAG_BYTES_MAX: Final = 16


class Operation(StrEnum):
    """What an engine does with a message."""

    ENCRYPT = "encrypt"
    DECRYPT = "decrypt"
    MAC = "mac"
    VERIFY = "verify"
    DIGEST = "digest"
    PUBLIC = "public"
    PRIVATE = "private"
    SIGN = "sign"
    DERIVE = "derive"

    @property
    def is_inverse(self) -> bool:
        """Whether the input is encrypted or authenticated already (the device's DECRYPT flag)."""
        return self in (Operation.DECRYPT, Operation.VERIFY)


@dataclass(frozen=True)
class Mode:
    """A mode of operation. Lengths are in bytes."""

    name: str
    opcode: Opcode
    iv_bytes: tuple[int, ...] | None  # allowed lengths; None: any but zero
    iv_bytes_usual: int
    tag_bytes: tuple[int, ...] = ()  # allowed lengths; the last is the default
    is_mac: bool = False  # the only output is a tag
    whole_blocks: bool = False  # the message must be a multiple of 16 bytes
    message_bytes_min: int = 0
    key_count: int = 1

    @property
    def is_aead(self) -> bool:
        return bool(self.tag_bytes) and not self.is_mac


MODES: Final = (
    Mode("ecb", Opcode.AES_ECB, (0,), 0, whole_blocks=True),
    Mode("cbc", Opcode.AES_CBC, (16,), 16, whole_blocks=True),
    Mode("ctr", Opcode.AES_CTR, (16,), 16),
    Mode("gcm", Opcode.AES_GCM, None, 12, tag_bytes=(4, 8, 12, 13, 14, 15, 16)),
    Mode("ccm", Opcode.AES_CCM, tuple(range(7, 14)), 12, tag_bytes=(4, 6, 8, 10, 12, 14, 16)),
    Mode("xts", Opcode.AES_XTS, (16,), 16, message_bytes_min=16, key_count=2),
    Mode("cmac", Opcode.AES_CMAC, (0,), 0, tag_bytes=tuple(range(4, 17)), is_mac=True),
    Mode("gmac", Opcode.AES_GMAC, None, 12, tag_bytes=(4, 8, 12, 13, 14, 15, 16), is_mac=True),
)


@dataclass(frozen=True)
class Cipher:
    """A mode with a key length: `aes-256-gcm`."""

    mode: Mode
    key_bits: int

    @property
    def name(self) -> str:
        return f"aes-{self.key_bits}-{self.mode.name}"

    @property
    def message_bytes(self) -> int:
        return 0

    @property
    def single_key_bytes(self) -> int:
        return self.key_bits // 8

    @property
    def key_bytes(self) -> int:
        """All key material: XTS has two keys, the second for the tweak."""
        return self.single_key_bytes * self.mode.key_count

    @property
    def opcode(self) -> Opcode:
        return self.mode.opcode

    @property
    def iv_bytes(self) -> int:
        """The usual length."""
        return self.mode.iv_bytes_usual

    @property
    def is_mac(self) -> bool:
        return self.mode.is_mac

    @property
    def is_aead(self) -> bool:
        return self.mode.is_aead

    @property
    def operations(self) -> tuple[Operation, Operation]:
        return (Operation.MAC, Operation.VERIFY) if self.mode.is_mac else (Operation.ENCRYPT, Operation.DECRYPT)

    @property
    def tag_bytes_default(self) -> int:
        return self.mode.tag_bytes[-1] if self.mode.tag_bytes else 0

    def check_length(self, length_bytes: int) -> None:
        if self.mode.whole_blocks and length_bytes % BLOCK_BYTES:
            raise UsageError(
                f"{self.name} takes whole blocks of 16 bytes; "
                f"{length_bytes} bytes are {length_bytes % BLOCK_BYTES} too many."
            )
        if length_bytes < self.mode.message_bytes_min:
            raise UsageError(f"{self.name} takes at least {self.mode.message_bytes_min} bytes.")

    def __str__(self) -> str:
        return self.name


def _all() -> dict[str, Cipher]:
    ciphers = [Cipher(mode, bits) for mode in MODES for bits in (128, 192, 256)]
    # IEEE 1619 and OpenSSL do not define XTS with 192 bits.
    kept = [cipher for cipher in ciphers if (cipher.mode.name, cipher.key_bits) != ("xts", 192)]
    return {cipher.name: cipher for cipher in kept}


CIPHERS: Final = _all()
FILE_CIPHERS: Final = tuple(name for name, cipher in CIPHERS.items() if not cipher.mode.is_mac)
DEFAULT_FILE_CIPHER: Final = "aes-256-gcm"


def find(name: str, among: Iterable[str] = CIPHERS) -> Cipher:
    """Returns the cipher with this name. Raises UsageError, with the names in `among`, if there is none."""
    cipher = CIPHERS.get(name.lower())
    if cipher is None:
        raise unknown_name("cipher", name, among)
    return cipher


def find_for_files(name: str, among: Iterable[str] = FILE_CIPHERS) -> Cipher:
    cipher = find(name, among)
    if cipher.mode.is_mac:
        raise UsageError(
            f"{cipher.name} makes a tag and no ciphertext, so it does not encrypt files. "
            f"Those that do: {', '.join(among)}."
        )
    return cipher


def check_key(cipher: Cipher, key: bytes) -> None:
    """Checks the length of a key. XTS keys must differ (IEEE 1619, FIPS 140)."""
    if len(key) != cipher.key_bytes:
        two = " (two keys, one after the other)" if cipher.mode.key_count == 2 else ""
        raise UsageError(f"{cipher.name} takes a key of {cipher.key_bytes} bytes{two}; this one has {len(key)}.")
    half = cipher.single_key_bytes
    if cipher.mode.key_count == 2 and key[:half] == key[half:]:
        raise UsageError(f"The two halves of a key for {cipher.name} must differ.")


def check_iv(cipher: Cipher, iv: bytes) -> None:
    allowed = cipher.mode.iv_bytes
    if allowed is None:
        if not iv:
            raise UsageError(f"{cipher.name} needs an IV (usually 12 bytes).")
    elif len(iv) not in allowed:
        if allowed == (0,):
            raise UsageError(f"{cipher.name} takes no IV.")
        lengths = str(allowed[0]) if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
        raise UsageError(f"{cipher.name} takes an IV of {lengths} bytes; this one has {len(iv)}.")


def check_tag_bytes(cipher: Cipher, tag_bytes: int) -> None:
    if not cipher.mode.tag_bytes:
        raise UsageError(f"{cipher.name} has no tag.")
    if tag_bytes not in cipher.mode.tag_bytes:
        lengths = ", ".join(map(str, cipher.mode.tag_bytes))
        raise UsageError(f"{cipher.name} has tags of {lengths} bytes, not {tag_bytes}.")
