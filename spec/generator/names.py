# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""How a name in the RDL is written in each language."""

SPDX = ("SPDX-FileCopyrightText: The Outwork authors", "SPDX-License-Identifier: Apache-2.0")


def notice(map_name: str) -> str:
    return f"generated from spec/{map_name}.rdl by spec/generate.py; do not edit"


def camel(*names: str) -> str:
    """`key_slot`, `OFFSET` -> `KeySlotOffset`."""
    return "".join(part.capitalize() for name in names for part in name.split("_"))


def upper(*names: str) -> str:
    """`global`, `key_slot` -> `GLOBAL_KEY_SLOT`."""
    return "_".join(names).upper()
