# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Functions that the tests of the lab's CPU engines share."""

import pytest

from outwork.algorithms import find
from outwork.algorithms.base import Operation
from outwork.lab import adapters
from outwork.lab.records import KeyUse, Point
from outwork.openssl import libcrypto

NAMES = (
    "software/openssl",
    "software/mbedtls",
    "software/wolfssl",
    "software/plain-O2",
    "software/plain-O0",
    "cpu/openssl",
    "cpu/mbedtls",
    "cpu/ipsec-mb",
)


def adapter_of(name: str) -> adapters.Adapter:
    try:
        return adapters.load(name, libcrypto.file_name() if name == "openssl" else "")
    except adapters.NotThereError as error:
        pytest.skip(str(error))


def point(name: str, operation: str, size: int = 64, jobs: int = 1, keys: str = "new-iv", **more: int) -> Point:
    return Point(find(name), Operation(operation), size, jobs, more.pop("batch", jobs), KeyUse(keys), **more)
