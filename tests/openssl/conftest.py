# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Fixture: a folder in which programs use the provider."""

from pathlib import Path

import pytest
from openssl_host import MODULE, Host


@pytest.fixture
def host(tmp_path: Path) -> Host:
    assert MODULE.is_file(), "the provider is not built: libssl-dev is missing"
    return Host(tmp_path)
