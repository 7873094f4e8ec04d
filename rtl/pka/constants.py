# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Names that every program knows: statuses, sizes, constants and parameters of curves."""

from __future__ import annotations

from pka import curve25519, curves, isa

# status_e of spec/outwork.rdl
STATUSES = {"AUTH_FAILED": 0x01, "BAD_OPERAND": 0x0F, "FAULT": 0x10}

NAMES: dict[str, int] = {
    **STATUSES,
    "SLACK": isa.SLACK,
    "BLIND_BITS": isa.BLIND_BITS,
    "BLIND_BYTES": 7,
    **{f"CURVE_{name}": 8 + i for i, name in enumerate(curves.PARAMETERS)},
    **{f"AT_{name}": curves.FIRST_OF_TABLE.get(name, i) for i, name in enumerate(curves.ITEMS)},
    **{f"AT_{name}": at for name, at in curve25519.PLACES.items()},
}
