# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the tests of the AES engine import what they share, and the model's primitives."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "engine"), str(HERE.parents[2] / "rtl/aes")]
