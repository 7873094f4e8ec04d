# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Wycheproof's HMAC and KMAC vectors: the device compares every MAC, right or wrong, and makes the right ones."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hashing import KEY_BYTES_MAX, HashCase, HashRunner
from wycheproof import FOLDER

from outwork.algorithms import MACS
from outwork.algorithms.digest import Mac
from outwork.device.board import Board
from outwork.engines.accelerator import AcceleratorEngine
from outwork.engines.hashing import HashTask

FILES = {
    mac.name: f"{mac.name}_no_customization_test.json"
    if mac.is_kmac
    else f"{mac.name.replace('sha-', 'sha').replace('-', '_')}_test.json"
    for mac in MACS.values()
}


def _tests(mac: Mac) -> Iterator[dict[str, Any]]:
    document = json.loads((FOLDER / FILES[mac.name]).read_text(encoding="utf-8"))
    assert document["numberOfTests"] > 100
    for group in document["testGroups"]:
        yield from group["tests"]


def _cases(mac: Mac) -> Iterator[HashCase]:
    for test in _tests(mac):
        key, message, tag = (bytes.fromhex(test[name]) for name in ("key", "msg", "tag"))
        if len(key) <= KEY_BYTES_MAX:
            is_valid, origin = test["result"] == "valid", f"{FILES[mac.name]} {test['tcId']}"
            yield HashCase(mac.opcode, message, tag, key, is_valid, True, origin)
            yield HashCase(mac.opcode, message, tag, key, is_valid, False, origin)


@pytest.mark.parametrize("name", MACS)
def test_all(board: Board, name: str) -> None:
    cases = list(_cases(MACS[name]))
    assert HashRunner(board).run(cases) == len(cases) > 100


class _Bytes:
    def __init__(self, data: bytes) -> None:
        self._data = data

    def read_into(self, view: memoryview) -> int:
        part, self._data = self._data[: len(view)], self._data[len(view) :]
        view[: len(part)] = part
        return len(part)

    def hashed(self, count_bytes: int) -> None:
        return


@pytest.mark.parametrize("name", [name for name, mac in MACS.items() if not mac.is_kmac])
def test_long_keys(name: str) -> None:
    """FIPS 198-1 step by step on the device."""
    mac = MACS[name]
    chosen = [test for test in _tests(mac) if len(test["key"]) > 2 * KEY_BYTES_MAX and test["result"] == "valid"][:12]
    with AcceleratorEngine("reference") as engine:
        for test in chosen:
            task = HashTask(mac, bytes.fromhex(test["key"]), len(test["tag"]) // 2)
            assert list(engine.hash_streams(task, [_Bytes(bytes.fromhex(test["msg"]))])) == [bytes.fromhex(test["tag"])]
        assert engine.queue.counters()["jobs"] >= 2 * len(chosen)
    assert chosen
