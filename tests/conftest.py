# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Lets tests import what they share (tests/support)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
