# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Presets: the file says what the RTL has, their boards are what the file says, and commands run on them."""

import re
from pathlib import Path

import pytest
from commands import good, outwork, sentence
from raw import Descriptor, RawQueue

from outwork import spec
from outwork.device import presets, profiles
from outwork.device.board import Board
from outwork.errors import UsageError
from outwork.paths import PROJECT
from outwork.spec import KeyLength, Opcode, Status

BOARDS = {"edge": "zc706-edge", "tls": "zedboard-tls", "micro": "microcontroller", "full": "reference"}
# The fast tests build no board of `tls`.
NAMES = [pytest.param(name, marks=pytest.mark.slow) if name == "tls" else name for name in BOARDS]
# The engines that a preset has, and packets that its self-test runs on radio or AES engine.
HAS = {
    "edge": ({"sha3-256", "aes-256-gcm", "sha-256", "x25519: good"}, 15),
    "tls": ({"aes-256-gcm", "sha-256", "x25519: good"}, 5),
    "micro": ({"aes-256-gcm", "sha-256"}, 5),
}
# Where `outwork status` shows a parameter: the engine, and the field of its capability register.
FIELDS = {
    "AesStages": ("aes", "stages"),
    "AesDecrypt": ("aes", "decrypt"),
    "Sha256Units": ("hash", "sha256"),
    "Sha512Units": ("hash", "sha512"),
    "KeccakUnits": ("hash", "keccak"),
    "RadioLanes": ("radio", "lanes"),
    "PkaRows": ("pka", "rows"),
    "AsconUnits": ("ascon", "messages"),
    "LatticeButterflies": ("lattice", "butterflies"),
}


@pytest.mark.parametrize("name", ["outwork_top.sv", "outwork_axi.v"])
def test_full_is_the_defaults_of_the_rtl(name: str) -> None:
    text = (PROJECT / "rtl" / name).read_text()
    header = re.split(r"\) \(\n|  // Attributes", text)[0]
    defaults = re.findall(r"^  parameter \w+(?: unsigned)? +(\w+) += (?:1'b)?(\d+)", header, re.MULTILINE)
    assert len(defaults) == header.count("\n  parameter ")
    assert presets.load("full").parameters == {name: int(value) for name, value in defaults}


def test_presets_set_parameters_that_there_are() -> None:
    full = presets.load("full").parameters
    for preset in presets.available().values():
        assert preset.parameters.keys() == full.keys(), preset.name


@pytest.mark.parametrize("name", NAMES)
def test_boards_are_what_the_file_says(name: str) -> None:
    wanted = presets.load(name).parameters
    text = good("status", "--board", BOARDS[name]).decode()
    assert f"{wanted['DataWidth']} bits" in text
    macros = {"OUTWORK_QUEUES": 4, "OUTWORK_STREAMS": 16} | presets.load(name).macros
    queues, streams = (macros[macro] for macro in ("OUTWORK_QUEUES", "OUTWORK_STREAMS"))
    assert re.search(rf"^queues +{queues},", text, re.MULTILINE)
    assert re.search(rf"^jobs in flight +{streams} *$", text, re.MULTILINE)
    assert f"Key slots ({wanted['KeySlots']})" in text
    for parameter, (engine, field) in FIELDS.items():
        line = next((line for line in text.splitlines() if re.match(rf"{engine} +\w.*\d", line)), "")
        found = re.search(rf"\b{field} (\d+)", line)
        is_built = parameter != "LatticeButterflies" or wanted["Lattice"]
        assert int(found[1] if found else 0) == (wanted[parameter] if is_built else 0), (parameter, line)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "full"])
def test_selftest(name: str) -> None:
    """What a build does not have is not run; what it has, all of it on the device."""
    text = good("selftest", "--board", BOARDS[name]).decode()
    has, packets_of_it = HAS[name]
    assert {what for what in HAS["edge"][0] if what in text} == has
    counted = re.search(r"The device counted (\d+) jobs", text)
    assert counted is not None and int(counted[1]) >= 70
    packets = re.search(r"The device counted (\d+) jobs for radio packets", text)
    others = 5 if "x25519: good" in has else 0
    assert packets is not None and int(packets[1]) == packets_of_it
    runs = int(counted[1]) + others + int(packets[1])
    assert f"{runs} runs passed on board {BOARDS[name]}" in text


def test_what_micro_leaves_out() -> None:
    """States of messages under keys in slots, with a seed too, and the cycles of steps."""
    with Board(profiles.load(BOARDS["micro"])) as board:
        platform = board.platform
        limits = platform.read32(platform.context, spec.GLOBAL_LIMITS_OFFSET)
        assert limits & spec.GLOBAL_LIMITS_NO_SEAL_MASK and limits & spec.GLOBAL_LIMITS_NO_STEP_CYCLES_MASK
        queue, memory = RawQueue(board), board.memory(4096)
        board.check(board.c.ow_device_seed(board.device))
        board.load_key(1, bytes(16))
        for inline in (0, 1):
            control = {"opcode": Opcode.AES_GMAC, "key": KeyLength.BITS_128 if inline else 1, "inline_key": inline}
            saves = control | {"save_state": 1}
            job = Descriptor(saves, source=memory.address, context=memory.address + 1024, length=512, iv=bytes(12))
            assert queue.run(job).status == (Status.OK if inline else Status.BAD_STATE)
            job = Descriptor(control | {"tag_length": 16}, source=memory.address, length=512, iv=bytes(12))
            job.context = memory.address + 1024
            assert queue.run(job).status == Status.OK
        assert queue.read(spec.QUEUE_JOBS_OFFSET) == 3 and queue.read(spec.QUEUE_BYTES_LOW_OFFSET) == 3 * 512
        for offset in (spec.QUEUE_BUSY_CYCLES_OFFSET, spec.QUEUE_DATA_CYCLES_OFFSET, spec.QUEUE_STALL_READ_OFFSET):
            assert queue.read(offset) == 0


@pytest.mark.parametrize("name", NAMES)
def test_statistics_say_which_cycles_are_not_counted(name: str, tmp_path: Path) -> None:
    plain, key, sealed = (tmp_path / name for name in ("plain", "key", "sealed"))
    plain.write_bytes(bytes(1000))
    key.write_text("00" * 32)
    done = outwork("encrypt", "--stats", "--board", BOARDS[name], "--key-file", key, plain, sealed)
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stderr.decode().splitlines() if "cycles with a job in flight" in line)
    assert ("not counted by this build" in line) == (name in ("tls", "micro")), line


def test_a_bench_on_two_presets() -> None:
    text = good("bench", "--preset", "micro", "--preset", "edge", "--size", "1024", "--rounds", "1").decode()
    rates = {
        name: float(re.search(rf"preset {name}\) .* encrypt +1024 +16 +16 +[\d.]+ +([\d.]+)", text)[1])  # type: ignore[index]
        for name in ("micro", "edge")
    }
    # The limits of their AES stages: 1.14 and 8 bytes a cycle.
    assert 1.0 < rates["micro"] < 1.15 < 5 < rates["edge"] < 8


def test_errors(tmp_path: Path) -> None:
    assert "There is no preset 'mikro'. Did you mean 'micro'?" in sentence("bench", "--preset", "mikro", status=2)
    assert "cannot digest with sha-512" in sentence("bench", "--preset", "micro", "--algorithm", "sha-512", status=2)
    edge = (PROJECT / "platform/sim/boards/zc706-edge.toml").read_text()
    path = tmp_path / "mine.toml"
    path.write_text(edge.replace("data_width = 64", "data_width = 32"))
    with pytest.raises(UsageError, match="data_width = 32, but the preset 'edge' has 64 bits"):
        profiles.load(str(path))
    path.write_text(edge.replace('preset = "edge"', 'preset = "edgy"'))
    with pytest.raises(UsageError, match="There is no preset 'edgy'"):
        profiles.load(str(path))
    with pytest.raises(UsageError, match="'vary' has data_width = 128, but the preset 'edge' has 64 bits"):
        profiles.varied(profiles.load("zc706-edge"), {"data_width": 128})
