# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Outwork: open crypto offload; the command line and the library under it."""

from typing import Final

__version__: Final = "0.2.0"
