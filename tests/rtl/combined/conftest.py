# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the code that these tests share with those of the hash engine importable."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / name) for name in ("hash", "engine")), str(HERE.parents[2] / "rtl/aes")]
