# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Loads the golden models, which are in the folders of the RTL."""

import importlib
from types import ModuleType


def load(name: str) -> ModuleType:
    """rtl/<name>/model.py"""
    return importlib.import_module(f"{name}.model")
