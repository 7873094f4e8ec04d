# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Outwork as a LiteX core. Needs LiteX (`pip install outwork[litex]`); nothing else of the package imports this."""

from outwork.litex.core import Outwork, add_outwork

__all__ = ["Outwork", "add_outwork"]
