# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the shared code of the tests of sealed states importable."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
