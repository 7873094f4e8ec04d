# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the shared code of the AES engine's tests, and the model's primitives, importable."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "engine"), str(HERE.parents[2] / "rtl/aes")]
