# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the tests of the public-key engine import what they share."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
