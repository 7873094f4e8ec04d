# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Engines by name: every module of this folder that defines `ENGINE` is one."""

import importlib
import pkgutil
from functools import cache

from outwork.engines.base import Engine, EngineInfo
from outwork.errors import unknown_name


@cache
def available() -> dict[str, EngineInfo]:
    found: dict[str, EngineInfo] = {}
    for module in pkgutil.iter_modules(__path__):
        info = getattr(importlib.import_module(f"{__name__}.{module.name}"), "ENGINE", None)
        if isinstance(info, EngineInfo):
            found[info.name] = info
    return found


def open_engine(name: str, board: str, boards: int = 1) -> Engine:
    info = available().get(name)
    if info is None:
        raise unknown_name("engine", name, available())
    return info.open(board, boards)
