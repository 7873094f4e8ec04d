# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lab's engines: every module of this folder that defines `candidates` adds some."""

import importlib
import pkgutil
from functools import cache

from outwork.device.profiles import Environment
from outwork.errors import unknown_name
from outwork.lab.engines.base import Candidate


@cache
def discover() -> tuple[Candidate, ...]:
    """Returns all candidates in a fixed order, including missing ones, which are reported."""
    found: list[Candidate] = []
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda entry: entry.name):
        make = getattr(importlib.import_module(f"{__name__}.{module.name}"), "candidates", None)
        if make is not None:
            found.extend(make())
    order, environments = ("software", "cpu", "accelerator"), list(Environment)
    return tuple(sorted(found, key=lambda entry: (environments.index(entry.environment), order.index(entry.engine))))


def choose(name: str, environment: Environment = Environment.HOST) -> list[Candidate]:
    """Selects candidates by engine (`cpu`: all its implementations with `answers_to_family`) or by both names
    (`cpu/openssl`), among those of an environment."""
    here = [entry for entry in discover() if entry.environment is environment]
    chosen = [entry for entry in here if name == entry.name or (entry.answers_to_family and name == entry.engine)]
    if not chosen:
        raise unknown_name("engine", name, sorted({word for entry in here for word in (entry.name, entry.engine)}))
    return chosen
