# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""intel-ipsec-mb as a second implementation of ZUC and SNOW 3G, if Debian's libipsec-mb-dev is installed."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from functools import cache
from pathlib import Path

SPARE = 64
SOURCE = Path(__file__).with_name("ipsec_mb.c")


@cache
def library() -> ctypes.CDLL | None:
    """None where the package is missing."""
    if not Path("/usr/include/intel-ipsec-mb.h").exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "ipsec_mb.so"
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", SOURCE, "-o", program, "-lIPSec_MB"], check=True)
        return ctypes.CDLL(str(program))


def _call(name: str, out_bytes: int, *arguments: bytes | int) -> bytes:
    loaded = library()
    assert loaded is not None
    # The bit-wise functions touch whole words behind the last bit, in both buffers.
    out = ctypes.create_string_buffer(out_bytes + SPARE)
    wide = [ctypes.c_uint64(a) if isinstance(a, int) else a + bytes(SPARE) for a in arguments]
    assert getattr(loaded, name)(out, *wide), f"{name} refused"
    return out.raw[:out_bytes]


def zuc_cipher(key: bytes, iv: bytes, data: bytes) -> bytes:
    """With a key of 16 bytes and an IV of 16, or 32 and 23."""
    return _call("reference_zuc_cipher", len(data), data, len(data), key, len(key), iv, len(iv))


def zuc_mac(key: bytes, iv: bytes, data: bytes, bits: int, tag_bytes: int = 4) -> bytes:
    return _call("reference_zuc_mac", tag_bytes, tag_bytes, data, bits, key, len(key), iv)


def snow3g_cipher(key: bytes, iv: bytes, data: bytes, bits: int) -> bytes:
    return _call("reference_snow3g_cipher", len(data), data, bits, key, iv)


def snow3g_mac(key: bytes, iv: bytes, data: bytes, bits: int) -> bytes:
    return _call("reference_snow3g_mac", 4, data, bits, key, iv)
