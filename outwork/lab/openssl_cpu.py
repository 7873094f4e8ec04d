# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""OpenSSL with and without the CPU's crypto instructions: the mask for its environment, and a check that the mask
works.

OpenSSL reads OPENSSL_ia32cap when it is loaded. Both words must be written with `~`: without a second word OpenSSL 3.0
disables AVX2, BMI2 and ADX too, and RSA has less than half its speed.
"""

import platform
import re
from functools import cache
from pathlib import Path
from typing import Final

VARIABLE: Final = "OPENSSL_ia32cap"
# OPENSSL_ia32cap(3): word 1 is CPUID leaf 1 (EDX, then ECX from bit 32), word 2 is leaf 7 (EBX, then ECX from bit 32).
CRYPTO: Final = (
    {"PCLMULQDQ": 33, "AES-NI": 57},
    {"SHA": 29, "VAES": 41, "VPCLMULQDQ": 42},
)
AVX2: Final = 5
MASK: Final = ":".join(f"~{sum(1 << bit for bit in word.values()):#018x}" for word in CRYPTO)


def is_x86() -> bool:
    return platform.machine().lower() in ("x86_64", "amd64", "i386", "i686")


@cache
def cpu_flags() -> frozenset[str]:
    """Returns the kernel's names of CPU features: `flags` on x86, `Features` on ARM."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith(("flags", "Features")):
                return frozenset(line.split(":", 1)[1].split())
    except OSError:
        pass
    return frozenset()


def _words(said: str) -> tuple[int, int] | None:
    found = re.match(rf"{VARIABLE}=0x([0-9a-f]+):0x([0-9a-f]+)", said)
    return (int(found[1], 16), int(found[2], 16)) if found else None


def in_use(said: str) -> list[str] | None:
    """Returns the crypto instructions that OpenSSL would use, from `openssl info -cpusettings`; None: not reported."""
    words = _words(said)
    if words is None:
        return None
    return [name for word, bits in zip(words, CRYPTO, strict=True) for name, bit in bits.items() if word >> bit & 1]


def objection_masked(said: str) -> str:
    """Returns why this OpenSSL is not one without crypto instructions but with all others; empty if it is."""
    words, used = _words(said), in_use(said)
    if words is None or used is None:
        return f"OpenSSL does not report which instructions it uses ({said or 'nothing'})"
    if used:
        return f"the mask {VARIABLE}={MASK} has no effect: OpenSSL still uses {', '.join(used)}"
    if "avx2" in cpu_flags() and not words[1] >> AVX2 & 1:
        return f"the mask {VARIABLE}={MASK} is too wide: OpenSSL does not use AVX2 either"
    return ""


def objection_unmasked(said: str) -> str:
    """Returns why this OpenSSL does not use AES instructions; empty if it does. On other CPUs than x86, uses the CPU's
    flags."""
    used = in_use(said)
    return "" if used is None or "AES-NI" in used else "OpenSSL does not use this CPU's AES instructions"
