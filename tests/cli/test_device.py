# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The commands on the simulated device: files of every mode across engines, figures, self-test, status."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from commands import good, outwork

from outwork.algorithms import find_cipher

SOFTWARE = ("--engine", "software")


@pytest.mark.parametrize(
    "name", ["aes-256-gcm", "aes-128-ccm", "aes-192-ctr", "aes-256-cbc", "aes-128-ecb", "aes-256-xts"]
)
def test_either_engine_opens_the_other_ones_files(desk: Any, name: str) -> None:
    key = desk.file("k", bytes(range(find_cipher(name).key_bytes)))
    done = outwork("encrypt", "--stats", "--cipher", name, "--key-file", key, desk.plain, desk.path("sealed"))
    assert done.returncode == 0, done.stderr
    # The work was done by the device, and by nothing else.
    assert b"jobs on the device: 3, and 0 that failed" in done.stderr
    assert b"kept from the device: nothing" in done.stderr
    good("decrypt", *SOFTWARE, "--key-file", key, desk.path("sealed"), desk.path("back"))
    assert desk.path("back").read_bytes() == desk.plain.read_bytes()
    good("encrypt", *SOFTWARE, "--force", "--cipher", name, "--key-file", key, desk.plain, desk.path("sealed"))
    good("decrypt", "--force", "--key-file", key, desk.path("sealed"), desk.path("back"))
    assert desk.path("back").read_bytes() == desk.plain.read_bytes()


@pytest.mark.parametrize("name", ["aes-256-cbc", "aes-128-ctr", "aes-192-ecb"])
def test_openssl_and_the_device(desk: Any, name: str) -> None:
    arguments = ("--format", "openssl", "--cipher", name, "--password-file", desk.password)
    openssl = ("openssl", "enc", f"-{name}", "-pbkdf2", "-pass", f"file:{desk.password}")
    good("encrypt", *arguments, desk.plain, desk.path("ours"))
    subprocess.run([*openssl, "-d", "-in", desk.path("ours"), "-out", desk.path("back")], check=True)
    assert desk.path("back").read_bytes() == desk.plain.read_bytes()
    subprocess.run([*openssl, "-in", desk.plain, "-out", desk.path("theirs")], check=True)
    good("decrypt", *arguments, desk.path("theirs"), desk.path("again"))
    assert desk.path("again").read_bytes() == desk.plain.read_bytes()


def test_damage_is_found_by_the_device(desk: Any) -> None:
    good("encrypt", "--key-file", desk.key, desk.plain, desk.path("sealed"))
    data = bytearray(desk.path("sealed").read_bytes())
    data[300_000] ^= 0x80
    done = outwork("decrypt", "--key-file", desk.key, desk.file("bad", bytes(data)), desk.path("back"))
    assert (done.returncode, desk.path("back").exists()) == (3, False)
    assert done.stderr.startswith(b"outwork: The file is damaged in chunk 1 ")


def test_crypt_on_both_engines() -> None:
    arguments = (
        "crypt",
        "--cipher",
        "aes-256-gcm",
        "--key",
        "ab" * 32,
        "--iv",
        "cd" * 70,
        "--aad",
        "ef" * 100,
    )
    message = bytes(range(256)) * 3 + b"tail"
    assert good(*arguments, stdin=message) == good(*arguments, *SOFTWARE, stdin=message)


@pytest.mark.parametrize(
    "board", ["reference", *(pytest.param(name, marks=pytest.mark.slow) for name in ("zedboard", "zc706-edge"))]
)
def test_selftest(board: str) -> None:
    text = good("selftest", "--board", board).decode()
    counted = re.search(r"The device counted (\d+) jobs \(\d+ with a wrong tag, as intended\)\.", text)
    assert counted is not None and int(counted[1]) >= 167
    assert len(re.findall(r"^(?:hmac-\S+|kmac\d+) +1  good *$", text, re.MULTILINE)) == 13
    assert re.findall(r"^(128-e[ei]a\d): good$", text, re.MULTILINE) == [
        f"128-{a}{n}" for a in ("eea", "eia") for n in (1, 2, 3)
    ]
    assert "\nThe device counted 15 jobs for radio packets.\n" in text
    combined = re.findall(r"^aes-\d+-c\w\w-hmac-sha-\d+ +3  good *$", text, re.MULTILINE)
    assert len(combined) == 24, "three key lengths of AES, two modes, four hashes: both directions and a wrong tag"
    public = re.search(r"The device counted (\d+) jobs for public keys\.", text)
    # Boards of 64 bits have no lattices.
    answers, lattices = (13, 16) if board == "reference" else (5, 0)
    assert public is not None and int(public[1]) >= 5 + lattices and "\nx25519: good\ned25519: good\n" in text
    for name in ("ml-kem-512", "ml-kem-768", "ml-kem-1024", "ml-dsa-44", "ml-dsa-65", "ml-dsa-87"):
        assert (f"\n{name}: good\n" in text) == (lattices != 0)
    assert f"{int(counted[1]) + 15 + answers} runs passed on board {board}" in text


def test_status() -> None:
    text = good("status").decode()
    for words in (
        "Board reference",
        "Key slots (32)",
        "256 bits; encrypt, decrypt, mac",
        "error auth",
        "any reason: 0",
    ):
        assert words in text


def test_a_folder_without_counters_is_said_to_be_empty(tmp_path: Path) -> None:
    done = outwork("status", "--counters", tmp_path)
    assert done.returncode == 0 and f"no program has left counters in {tmp_path}".encode() in done.stderr


def test_bench_records(desk: Any) -> None:
    records = desk.path("records.json")
    text = good(
        "bench", "--algorithm", "aes-256-gcm", "--algorithm", "aes-128-cmac", "--size", "1024", "--jobs", "8",
        "--batch", "4", "--engine", "accelerator", "--engine", "cpu", "--json", records,
    ).decode()  # fmt: skip
    assert "device cycles, counted" in text and "CPU time on this machine" in text and "WP512" in text
    rows = [json.loads(line) for line in records.read_text().splitlines()]
    assert [(row["engine"], row["algorithm"], row["operation"]) for row in rows] == [
        (engine, algorithm, operation)
        for engine in ("accelerator", "cpu")
        for algorithm, operations in (
            ("aes-256-gcm", ("encrypt", "decrypt")),
            ("aes-128-cmac", ("mac", "verify")),
        )
        for operation in operations
    ]
    device, cpu = rows[0], rows[4]
    assert (device["kind"], device["board"], device["jobs"], device["batch"]) == (
        "counted",
        "reference",
        8,
        4,
    )
    assert device["unit"] == "cycles" and device["messages"] == 128
    assert device["megabytes_per_second"] == pytest.approx(1024 / device["cost"]["p50"] * 100)
    assert 0 < device["latency"]["p50"] < 1000
    # One message a call: a library is not asked for eight at once.
    assert (cpu["kind"], cpu["board"], cpu["unit"], cpu["jobs"]) == ("measured", None, "seconds", 1)
    assert 0 <= cpu["overhead_seconds"] < cpu["latency"]["p50"]


def test_json_to_standard_output_is_nothing_but_records() -> None:
    text = good("bench", "--size", "64", "--jobs", "1", "--operation", "encrypt", "--json", "-").decode()
    assert [json.loads(line)["size_bytes"] for line in text.splitlines()] == [64]


@pytest.mark.parametrize("keys", ["new-iv", "rotate", "new-key"])
def test_bench_checks_every_key_use(keys: str) -> None:
    """The results of each round are compared with OpenSSL's before a figure is given."""
    for name in ("aes-256-gcm", "aes-128-xts", "aes-192-cbc"):
        good("bench", "--algorithm", name, "--size", "64", "--jobs", "40", "--keys", keys, "--rounds", "1")
