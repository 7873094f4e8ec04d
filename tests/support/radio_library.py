# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles the plain C radio algorithms (software/radio) with all warnings, and wraps them in Python functions."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "software/radio"
FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wpedantic", "-Werror", "-shared", "-fPIC"]


@cache
def library(*more: str) -> ctypes.CDLL:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "radio.so"
        sources = sorted((ROOT / "src").glob("*.c"))
        subprocess.run(["cc", *FLAGS, *more, f"-I{ROOT / 'include'}", *sources, "-o", path], check=True)
        return ctypes.CDLL(str(path))


class Radio:
    """`suffix` chooses the variant: "" or "_constant_time"."""

    def __init__(self, suffix: str = "") -> None:
        self.suffix = suffix

    def _call(self, name: str, out_bytes: int, *arguments: bytes | int, bits: int) -> bytes:
        # Bytes behind the result show whether it was overrun.
        out = ctypes.create_string_buffer(b"\xee" * (out_bytes + 8), out_bytes + 8)
        narrow = [ctypes.c_uint32(a) if isinstance(a, int) else a for a in arguments]
        getattr(library(), f"ow_{name}{self.suffix}")(out, *narrow, ctypes.c_uint64(bits))
        assert out.raw[out_bytes:] == b"\xee" * 8, f"{name} writes behind its result"
        return out.raw[:out_bytes]

    def eea3(self, key: bytes, count: int, bearer: int, direction: int, data: bytes, bits: int) -> bytes:
        return self._call("eea3", -(-bits // 8), key, count, bearer, direction, data, bits=bits)

    def eia3(self, key: bytes, count: int, bearer: int, direction: int, data: bytes, bits: int) -> bytes:
        return self._call("eia3", 4, key, count, bearer, direction, data, bits=bits)

    def uea2(self, key: bytes, count: int, bearer: int, direction: int, data: bytes, bits: int) -> bytes:
        return self._call("uea2", -(-bits // 8), key, count, bearer, direction, data, bits=bits)

    def uia2(self, key: bytes, count: int, fresh: int, direction: int, data: bytes, bits: int) -> bytes:
        return self._call("uia2", 4, key, count, fresh, direction, data, bits=bits)

    def zuc256(self, key: bytes, iv: bytes, data: bytes, bits: int) -> bytes:
        return self._call("zuc256", -(-bits // 8), key, iv, data, bits=bits)

    def zuc256_mac(self, key: bytes, iv: bytes, data: bytes, bits: int, tag_bytes: int) -> bytes:
        return self._call("zuc256_mac", tag_bytes, tag_bytes, key, iv, data, bits=bits)
