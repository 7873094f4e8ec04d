# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the shared code of the public-key engine's tests importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
