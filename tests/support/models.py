# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Loads the golden models, which are in the folders of the RTL."""

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


@cache
def load(name: str) -> ModuleType:
    """rtl/<name>/model.py"""
    spec = importlib.util.spec_from_file_location(f"{name}_model", ROOT / f"rtl/{name}/model.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    # dataclasses look their module up by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
