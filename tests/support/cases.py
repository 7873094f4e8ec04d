# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A job for the device and its expected result."""

from dataclasses import dataclass
from typing import Any

from outwork.spec import Opcode

MACS = (Opcode.AES_CMAC, Opcode.AES_GMAC)
AEADS = (Opcode.AES_GCM, Opcode.AES_CCM)


@dataclass(slots=True)
class Case:
    """`expected` is the payload that comes out; None: the tag is wrong, and zeros must."""

    opcode: Opcode
    key: bytes
    data: bytes
    expected: bytes | None
    decrypt: bool = False
    iv: bytes = b""
    aad: bytes = b""
    tag: bytes = b""  # of an AEAD or MAC: expected, or to be verified
    tweak_key: bytes | None = None
    source_offset: int = 0  # from a 64-byte line
    destination_offset: int = 0
    in_place: bool = False
    tag_in_memory: bool = False  # AEAD: the tag behind the payload, and not in the job
    inline_key: bool = False
    queue: int = 0
    name: str = ""
    status: str = ""  # OW_..., when neither OW_OK nor, for None as `expected`, OW_AUTH_FAILED
    job: Any = None  # struct ow_job *

    @property
    def has_output(self) -> bool:
        return self.opcode not in MACS

    @property
    def is_authentic(self) -> bool:
        return self.expected is not None

    @property
    def status_wanted(self) -> str:
        return self.status or ("OW_OK" if self.is_authentic else "OW_AUTH_FAILED")

    @property
    def source_bytes(self) -> bytes:
        """Payload, and a tag to verify when it is to lie in memory."""
        return self.data + (self.tag if self.decrypt and self.tag_in_memory else b"")

    @property
    def output(self) -> bytes:
        """All that the device may write."""
        if not self.has_output:
            return b""
        if self.expected is None:
            return bytes(len(self.data))
        return self.expected + (self.tag if self.tag_in_memory and not self.decrypt else b"")
