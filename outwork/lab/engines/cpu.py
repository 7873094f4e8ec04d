# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lab's `cpu`: implementations that use the CPU's crypto instructions. Described in docs/baselines.md."""

from outwork.lab.engines.base import Candidate
from outwork.lab.openssl_cpu import cpu_flags, is_x86, objection_unmasked
from outwork.lab.worker_engine import candidate
from outwork.openssl import libcrypto


def candidates() -> list[Candidate]:
    lacking = "" if "aes" in cpu_flags() else "this CPU has no AES instructions, or its kernel does not report them"
    not_x86 = lacking or ("" if is_x86() else "it is measured on x86 only")
    return [
        candidate(
            "cpu",
            "openssl",
            "openssl",
            constant_time=True,
            note="with all instructions that it finds",
            library=libcrypto.file_name(),
            objection=objection_unmasked,
            missing=lacking,
        ),
        candidate("cpu", "mbedtls", "mbedtls", constant_time=True, note="AES-NI, one block at a time", missing=not_x86),
        candidate(
            "cpu", "ipsec-mb", "ipsec_mb", constant_time=True, note="many messages side by side", missing=not_x86
        ),
        candidate("cpu", "wolfssl", "wolfssl", constant_time=True, note="AES instructions", missing=lacking),
    ]
