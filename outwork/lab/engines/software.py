# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lab's `software`: implementations that use no crypto instructions of the CPU. Described in docs/baselines.md."""

import platform

from outwork.lab.engines.base import Candidate
from outwork.lab.openssl_cpu import MASK, VARIABLE, is_x86, objection_masked
from outwork.lab.worker_engine import candidate
from outwork.openssl import libcrypto


def candidates() -> list[Candidate]:
    unmasked = (
        ""
        if is_x86()
        else f"OpenSSL's crypto instructions can be masked on x86 only so far, and this is {platform.machine()}; "
        "software/mbedtls and software/plain-O2 serve"
    )
    return [
        candidate(
            "software",
            "openssl",
            "openssl",
            constant_time=None,
            note=f"{VARIABLE}={MASK}: no AES-NI, PCLMULQDQ, SHA, VAES; SSSE3 to AVX-512 are used",
            library=libcrypto.file_name(),
            environment={VARIABLE: MASK},
            objection=objection_masked,
            missing=unmasked,
        ),
        candidate("software", "mbedtls", "mbedtls_soft", constant_time=False, note="AES by tables"),
        candidate(
            "software", "wolfssl", "wolfssl", constant_time=None, note="AES by tables, read ahead into the cache"
        ),
        *(
            candidate(
                "software",
                f"plain-{level}",
                f"plain_{level}",
                constant_time=False,
                note="AES by tables in plain C",
            )
            for level in ("O2", "O0")
        ),
        candidate(
            "software",
            "radio",
            "radio",
            constant_time=False,
            note="ZUC and SNOW 3G by tables in plain C",
            answers_to_family=False,  # its only algorithms
        ),
        candidate(
            "software",
            "radio-constant-time",
            "radio_constant_time",
            constant_time=True,
            note="ZUC and SNOW 3G in plain C without tables",
            answers_to_family=False,
        ),
    ]
