# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Every algorithm by name: every module of this folder that defines `FAMILY` adds some."""

import importlib
import pkgutil
from collections.abc import Iterable
from typing import Final, TypeVar

from outwork.algorithms.base import Algorithm
from outwork.algorithms.cipher import Cipher
from outwork.algorithms.digest import Hash, Mac
from outwork.algorithms.family import Family, KnownAnswer
from outwork.errors import UsageError, unknown_name, unlisted_name

Named = TypeVar("Named", bound=Algorithm)


def _families() -> tuple[Family, ...]:
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return tuple(module.FAMILY for module in modules if hasattr(module, "FAMILY"))


def _by_name(algorithms: Iterable[Named]) -> dict[str, Named]:
    return {algorithm.name: algorithm for algorithm in algorithms}


FAMILIES: Final = _families()
CIPHERS: Final[dict[str, Cipher]] = _by_name(entry for family in FAMILIES for entry in family.ciphers)
HASHES: Final[dict[str, Hash]] = _by_name(entry for family in FAMILIES for entry in family.hashes)
MACS: Final[dict[str, Mac]] = _by_name(entry for family in FAMILIES for entry in family.macs)
OTHERS: Final[dict[str, Algorithm]] = _by_name(entry for family in FAMILIES for entry in family.others)
ALGORITHMS: Final[dict[str, Algorithm]] = {**CIPHERS, **HASHES, **MACS, **OTHERS}
KNOWN_ANSWERS: Final[tuple[KnownAnswer, ...]] = tuple(entry for family in FAMILIES for entry in family.known_answers)
FILE_CIPHERS: Final = tuple(name for name, cipher in CIPHERS.items() if not cipher.is_mac)
DEFAULT_FILE_CIPHER: Final = "aes-256-gcm"


def find(name: str) -> Algorithm:
    """Returns the algorithm with this name. Raises UsageError if there is none."""
    algorithm = ALGORITHMS.get(name.lower())
    if algorithm is None:
        raise unknown_algorithm(name)
    return algorithm


def unknown_algorithm(name: str) -> UsageError:
    return unlisted_name("algorithm", name, ALGORITHMS, f"`outwork lab algorithms` lists all {len(ALGORITHMS)}")


def find_cipher(name: str, among: Iterable[str] = CIPHERS) -> Cipher:
    """Returns the cipher with this name. Raises UsageError, with the names in `among`, if there is none."""
    cipher = CIPHERS.get(name.lower())
    if cipher is None:
        raise unknown_name("cipher", name, among)
    return cipher


def find_file_cipher(name: str, among: Iterable[str] = FILE_CIPHERS) -> Cipher:
    cipher = find_cipher(name, among)
    if cipher.is_mac:
        raise UsageError(
            f"{cipher.name} makes a tag and no ciphertext, so it does not encrypt files. "
            f"Those that do: {', '.join(among)}."
        )
    return cipher


def find_hash(name: str) -> Hash:
    return _find_plain(name, HASHES, "hash")


def find_mac(name: str) -> Mac:
    return _find_plain(name, MACS, "MAC")


def _find_plain(name: str, among: dict[str, Named], what: str) -> Named:
    """Finds an algorithm by name without punctuation: sha256, SHA-256, SHA512/256."""
    for entry in among.values():
        if _plain(entry.name) == _plain(name):
            return entry
    raise unknown_name(what, name, among)


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())
