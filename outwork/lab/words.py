# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Lists in words, for the command line and the report."""

from collections.abc import Iterable


def join(words: Iterable[str]) -> str:
    """`a, b and c`, each word once."""
    found = list(dict.fromkeys(words))
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)


def by_reason(missing: Iterable[str]) -> list[str]:
    """Groups lines `name: reason`: returns one line per reason with all its names."""
    reasons: dict[str, list[str]] = {}
    for text in missing:
        name, _, why = text.partition(": ")
        reasons.setdefault(why, []).append(name)
    return [f"{join(names)}: {why}" for why, names in reasons.items()]
