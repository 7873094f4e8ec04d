# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The hash functions' golden model, under a name that no other engine's model has."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[3]


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hash_model", ROOT / "rtl/hash/model.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["hash_model"] = module
    spec.loader.exec_module(module)
    return module


model = _load()
