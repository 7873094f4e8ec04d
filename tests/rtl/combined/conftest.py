# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the tests of AES with HMAC import what they share with those of the hash engine."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / name) for name in ("hash", "engine")), str(HERE.parents[2] / "rtl/aes")]
