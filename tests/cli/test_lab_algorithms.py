# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork lab algorithms`: what it lists is what bench accepts, with the engines that are here, and what would add others."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import ENVIRONMENT, good, outwork, sentence
from terminal import at_terminal

from outwork.algorithms import ALGORITHMS
from outwork.soc import firmware


def listed(*words: str, environment: dict[str, str] | None = None) -> dict[str, dict[str, Any]]:
    """Returns the JSON objects by algorithm, each with its engines by name."""
    text = good("lab", "algorithms", *words, "--json", "-", environment=environment).decode()
    rows = [json.loads(line) for line in text.splitlines()]
    for row in rows:
        row["engines"] = {f"{entry['engine']}/{entry['implementation']}": entry for entry in row["engines"]}
    return {row["algorithm"]: row for row in rows}


def test_all_algorithms_with_their_operations_and_sizes() -> None:
    rows = listed()
    assert list(rows) == list(ALGORITHMS)
    for name, row in rows.items():
        assert row["operations"] == list(ALGORITHMS[name].operations)
        device, software = row["engines"]["accelerator/outwork"], row["engines"]["software/openssl"]
        assert not device["missing"] and device["operations"] == row["operations"], name
        assert ALGORITHMS[name].has_software or software["operations"] in ([], None), name
    assert rows["aes-128-cbc"]["size_bytes"] == {"min": 16, "max": 1 << 26, "step": 16}
    assert rows["rsa-2048"]["size_bytes"] == {"min": 256, "max": 256, "step": 1}
    assert rows["aes-256-gmac"]["kind"] == "MAC" and rows["sha3-512"]["kind"] == "hash"
    assert rows["ed25519"]["unit"] == "operations a second" and rows["sha-1"]["unit"] == "bytes a second"


@pytest.mark.parametrize(
    ("name", "engine"),
    [("ml-kem-512", "cpu/openssl"), ("128-eia2", "software/radio"), ("aes-128-gcm", "accelerator/registers")],
)
def test_what_is_not_listed_cannot_be_measured(name: str, engine: str) -> None:
    assert listed(name)[name]["engines"][engine]["operations"] == []
    assert "cannot be measured with these options" in sentence(
        "bench", "--algorithm", name, "--engine", engine, status=2
    )


@pytest.mark.parametrize(("name", "engine"), [("128-eea3", "software/radio"), ("aes-128-cbc", "accelerator/registers")])
def test_what_is_listed_can_be_measured(name: str, engine: str) -> None:
    assert listed(name)[name]["engines"][engine]["operations"] == ["encrypt", "decrypt"]
    words = ("--size", "64", "--jobs", "1", "--rounds", "1", "--json", "-")
    measured = good("bench", "--algorithm", name, "--engine", engine, *words).decode()
    assert [json.loads(line)["operation"] for line in measured.splitlines()] == ["encrypt", "decrypt"]


def test_table() -> None:
    text = good("lab", "algorithms", "sha3-2", "aes-256-ecb").decode()
    lines = {line.split()[0]: line.split() for line in text.splitlines() if line}
    assert {"sha3-224", "sha3-256", "hmac-sha3-224", "hmac-sha3-256", "aes-256-ecb"} == set(lines) & set(ALGORITHMS)
    assert lines["aes-256-ecb"][1:8] == ["cipher", "encrypt,", "decrypt", "16", "or", "more,", "by"]
    assert "registers" in lines["aes-256-ecb"] and "registers" not in lines["sha3-256"]
    assert "5 algorithms; engines of this machine, the accelerator on the board reference." in text
    assert "--environment bare-metal" in text and "--environment linux-kernel" in text


@pytest.mark.parametrize("columns", [60, 100])
def test_no_name_is_cut_on_a_terminal(desk: Any, columns: int) -> None:
    words = ("lab", "algorithms", "aes-256-cbc-hmac-sha-512", "aes-256-cbc")
    status, text = at_terminal(*words, errors=desk.path("bar"), columns=columns)
    assert status == 0 and "encrypt" in text and "…" not in text


def test_a_smaller_build_has_fewer() -> None:
    assert (
        listed("sha-512", "--board", "microcontroller")["sha-512"]["engines"]["accelerator/outwork"]["operations"] == []
    )


def test_what_is_missing_is_named_with_its_remedy() -> None:
    nothing = ENVIRONMENT | {"OUTWORK_LIBRARY_PATH": os.devnull}
    device = listed("sha-256", environment=nothing)["sha-256"]["engines"]["accelerator/outwork"]
    assert device["operations"] is None and "run `make build` in the project" in device["missing"]
    text = good("lab", "algorithms", "sha-256", environment=nothing).decode()
    assert "missing: accelerator/outwork" in text and "`make build`" in text


def test_unknown_names() -> None:
    assert "Did you mean 'aes-256-gcm'?" in sentence("lab", "algorithms", "aes-265-gcm", status=2)
    assert "Did you mean 'reference'?" in sentence("lab", "algorithms", "--board", "referense", status=2)
    done = outwork("lab", "algoritms")
    assert done.returncode == 2 and "algorithms" in done.stderr.decode()


def test_json_to_a_file(desk: Any) -> None:
    path: Path = desk.path("list.jsonl")
    assert b"sha-256" in good("lab", "algorithms", "sha-256", "--json", path)
    names = [json.loads(line)["algorithm"] for line in path.read_text().splitlines()]
    assert names == ["sha-256"]
    assert "--force" in sentence("lab", "algorithms", "sha-256", "--json", path, status=1)


@pytest.mark.slow
def test_engines_on_the_system_on_chip() -> None:
    """The CPU's instructions have no decryption of CBC there; the program says so itself."""
    if shutil.which(firmware.COMPILER) is None:
        pytest.skip(f"{firmware.COMPILER} is not installed")
    engines = listed("aes-128-cbc", "--board", "soc")["aes-128-cbc"]["engines"]
    assert engines["cpu/zkn"]["operations"] == ["encrypt"]
    assert engines["accelerator/outwork"]["operations"] == ["encrypt", "decrypt"]
    assert engines["software/radio"]["operations"] == []
    text = good("lab", "algorithms", "aes-128-cbc", "--board", "soc").decode()
    assert "zkn (encrypt)" in text and "engines of bare-metal" in text
