# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The classes of hash functions and of MACs based on them, and the checks of their parameters."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from outwork.algorithms.base import Operation
from outwork.errors import UsageError
from outwork.spec import Opcode

OUTPUT_BYTES_MAX: Final = 1 << 20  # limit for outputs of any length
KEYED: Final = Opcode.HMAC_SHA1 - Opcode.SHA1


@dataclass(frozen=True)
class Function:
    """A hash function. Lengths are in bytes."""

    name: str
    opcode: Opcode
    digest_bytes: int  # of an extendable output: the usual length
    block_bytes: int  # FIPS 180-4's block, a sponge's rate
    library_name: str | None = None  # the name in Python's hashlib; None: it is missing there
    is_extendable: bool = False
    customization_bytes_max: int = 0  # of the string that makes functions of one kind differ; 0: there is none
    #: A second implementation, which results of the usual length are compared with before they are measured; None: the
    #: package `cryptography` has one.
    reference: Callable[[bytes], bytes] | None = None


class _Fixed:
    """The properties that all digests and MACs share (outwork.algorithms.base.Algorithm)."""

    name: str
    function: Function
    iv_bytes: Final = 0
    message_bytes: Final = 0
    is_mac: Final = True
    is_aead: Final = False

    @property
    def has_software(self) -> bool:
        return self.function.library_name is not None

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
    key_kind: int = 0

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
    def key_kind(self) -> int:
        return self.opcode

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


def check_customization(algorithm: Hash, customization: bytes) -> None:
    most = algorithm.function.customization_bytes_max
    if customization and not most:
        raise UsageError(f"{algorithm} takes no --customization.")
    if len(customization) > most:
        raise UsageError(
            f"{algorithm} takes a --customization of at most {most} bytes; this one has {len(customization)}."
        )


def check_output(algorithm: Hash | Mac, output_bytes: int) -> None:
    """Checks the output length: fixed for a hash, any for extendable outputs and KMAC, at most the digest's for an
    HMAC."""
    function = algorithm.function
    if function.is_extendable:
        if not 1 <= output_bytes <= OUTPUT_BYTES_MAX:
            raise UsageError(f"{algorithm} gives 1 to {OUTPUT_BYTES_MAX} bytes, not {output_bytes}.")
    elif isinstance(algorithm, Hash):
        if output_bytes != function.digest_bytes:
            raise UsageError(f"{algorithm} gives {function.digest_bytes} bytes, not {output_bytes}.")
    elif not 1 <= output_bytes <= function.digest_bytes:
        raise UsageError(f"{algorithm} gives 1 to {function.digest_bytes} bytes, not {output_bytes}.")
