# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lab's `cpu`: implementations that use the CPU's crypto instructions."""

from outwork import libcrypto
from outwork.lab.engines.base import Candidate
from outwork.lab.openssl_cpu import cpu_flags, is_x86, objection_unmasked
from outwork.lab.worker_engine import candidate

BASELINES = "it with `scripts/setup.sh baselines`"


def candidates() -> list[Candidate]:
    none = "" if "aes" in cpu_flags() else "this CPU has no AES instructions, or does not say so"
    x86_only = none or ("" if is_x86() else "its adapter knows x86 only")
    return [
        candidate(
            "cpu",
            "openssl",
            "openssl",
            True,
            "with all instructions that it finds",
            "OpenSSL 3 (Debian: libssl3)",
            library=libcrypto.load().name,
            objection=objection_unmasked,
            missing=none,
        ),
        candidate(
            "cpu",
            "mbedtls",
            "mbedtls",
            True,
            "AES-NI, one block at a time",
            f"{BASELINES} (Debian: libmbedtls-dev)",
            missing=x86_only,
        ),
        candidate(
            "cpu",
            "ipsec-mb",
            "ipsec_mb",
            True,
            "many messages side by side",
            f"{BASELINES} (Debian: libipsec-mb-dev)",
            missing=x86_only,
        ),
    ]
