# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lab's `software`: implementations that use no crypto instructions of the CPU."""

import platform

from outwork import libcrypto
from outwork.lab.engines.base import Candidate
from outwork.lab.openssl_cpu import MASK, VARIABLE, is_x86, objection_masked
from outwork.lab.worker_engine import candidate

BASELINES = "it with `scripts/setup.sh baselines`"


def candidates() -> list[Candidate]:
    elsewhere = ""
    if not is_x86():
        elsewhere = (
            f"OpenSSL's crypto instructions are masked on x86 only, and this is {platform.machine()}; "
            "software/mbedtls and software/plain-O2 serve here"
        )
    found = [
        candidate(
            "software",
            "openssl",
            "openssl",
            None,
            f"{VARIABLE}={MASK}: no AES-NI, PCLMULQDQ, SHA, VAES; SSSE3 to AVX-512 are used",
            "OpenSSL 3 (Debian: libssl3)",
            library=libcrypto.load().name,
            environment={VARIABLE: MASK},
            objection=objection_masked,
            missing=elsewhere,
        ),
        candidate(
            "software", "mbedtls", "mbedtls_soft", False, "AES by tables", f"{BASELINES} (Debian: libmbedtls-dev)"
        ),
    ]
    wolfssl = candidate(
        "software",
        "wolfssl",
        "wolfssl",
        None,
        "AES by tables, read ahead into the cache",
        f"{BASELINES} (Debian: libwolfssl-dev)",
    )
    found.append(wolfssl)
    for level in ("O2", "O0"):
        found.append(
            candidate(
                "software", f"plain-{level}", f"plain_{level}", False, "AES by tables, in plain C", f"{BASELINES}"
            )
        )
    return found
