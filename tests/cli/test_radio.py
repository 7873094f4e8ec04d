# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork radio`: packets from the command line, the batches of WP437, and error texts."""

import struct
from pathlib import Path

import pytest
import threegpp
from commands import good, sentence

SOFTWARE = ("--engine", "software")
KEY = "173d14ba5003731d7a60049470f00a29"
PACKET = ("--key", KEY, "--count", "0x66035492", "--bearer", "15", "--direction", "0")


def arguments(one: threegpp.Set) -> list[str]:
    return [
        *("--algorithm", one.algorithm, "--key", one.key.hex(), "--count", hex(one.count)),
        *("--bearer", str(one.bearer), "--direction", str(one.direction), "--bits", str(one.bits)),
    ]


def test_a_packet() -> None:
    """Sets with lengths that are no whole number of bytes; all sets on all engines: tests/e2e/test_radio.py."""
    one = next(one for one in threegpp.sets("128-EEA3") if one.bits % 8)
    assert good("radio", "encrypt", *arguments(one), stdin=one.input) == one.output
    assert good("radio", "encrypt", *arguments(one), *SOFTWARE, stdin=one.output) == one.input
    one = next(one for one in threegpp.sets("128-EIA2") if one.bits % 8)
    assert good("radio", "mac", *arguments(one), stdin=one.input).decode() == one.output.hex() + "\n"
    wrong = bytes([one.output[0] ^ 1]) + one.output[1:]
    for engine in ("accelerator", "software"):
        verify = ("radio", "verify", *arguments(one), "--engine", engine, "--mac")
        assert good(*verify, one.output.hex(), stdin=one.input) == b""
        assert sentence(*verify, wrong.hex(), stdin=one.input, status=3).startswith("The MAC does not match")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("encrypt", "--algorithm", "eea4", *PACKET), "There is no radio algorithm 'eea4'. There are: 128-eea1, "),
        (("encrypt", "--algorithm", "nia3", *PACKET), "makes a MAC: use `radio mac`, or an algorithm such as nia3"),
        (("mac", "--algorithm", "nea3", *PACKET), "is a cipher: use `radio encrypt`"),
        (("mac", "--algorithm", "nia3", *PACKET, "--bits", "65"), "65 bits are 9 bytes, but the message has 8."),
        (("mac", "--algorithm", "nia3", *PACKET, "--count", "2x"), "--count takes a number such as 7 or 0x398a59b4"),
        (("mac", "--algorithm", "nia3", *PACKET, "--count", "0x100000000"), "COUNT is from 0 to 4294967295"),
        (("mac", "--algorithm", "nia3", *PACKET, "--bearer", "32"), "BEARER is from 0 to 31, not 32."),
        (("mac", "--algorithm", "nia3", *PACKET, "--direction", "2"), "DIRECTION is from 0 to 1, not 2."),
        (("mac", "--algorithm", "nia3", *PACKET, "--key", "00"), "a key of 16 bytes; this one has 1."),
        (("mac", "--algorithm", "nia3", *PACKET, "--engine", "magic"), "There is no radio engine 'magic'. There are: "),
        (("verify", "--algorithm", "nia3", *PACKET, "--mac", "00"), "--mac takes 4 bytes, not 1."),
    ],
)
def test_clear_errors(options: tuple[str, ...], says: str) -> None:
    engine = () if "--engine" in options else SOFTWARE
    assert says in sentence("radio", *options, *engine, stdin=bytes(8), status=2)


def words(*values: int, order: str = "<") -> bytes:
    return struct.pack(f"{order}{len(values)}I", *values)


def table_1(order: str = "<") -> bytes:
    """128-EEA3's first published set (193 bits) as WP437 stores it: the first bit is the highest of its word."""
    one = threegpp.sets("128-EEA3")[0]
    data = one.input + bytes(-len(one.input) % 4)
    return words(
        *struct.unpack(">4I", one.key),
        *(one.count, one.bearer << 1 | one.direction, one.bits),
        *struct.unpack(f">{len(data) // 4}I", data),
        order=order,
    )


@pytest.mark.parametrize(("order", "letter"), [("little", "<"), ("big", ">")])
def test_batch_is_the_memory_of_wp437(tmp_path: Path, order: str, letter: str) -> None:
    source, done, macs = tmp_path / "packets", tmp_path / "done", tmp_path / "macs"
    source.write_bytes(2 * table_1(letter))
    said = good(
        *("radio", "batch", str(source), *SOFTWARE, "--byte-order", order, "--algorithm", "nea3", "--output", str(done))
    ).decode()
    assert "128-eea3" in said and " 193 " in said
    one = threegpp.sets("128-EEA3")[0]
    packet = done.read_bytes()[: len(table_1())]
    assert packet[:28] == table_1(letter)[:28] and done.read_bytes() == 2 * packet
    text = struct.unpack(f"{letter}{len(packet) // 4 - 7}I", packet[28:])
    assert struct.pack(f">{len(text)}I", *text)[: len(one.output)] == one.output
    # Deciphering gives the file back.
    good(
        "radio",
        "batch",
        str(done),
        *SOFTWARE,
        "--byte-order",
        order,
        "--algorithm",
        "eea3",
        "--output",
        str(done),
        "--force",
    )
    assert done.read_bytes() == source.read_bytes()
    good("radio", "batch", str(source), *SOFTWARE, "--byte-order", order, "--algorithm", "nia3", "--output", str(macs))
    made = good("radio", "mac", *arguments(one)[:1], "nia3", *arguments(one)[2:], *SOFTWARE, stdin=one.input)
    assert macs.read_bytes() == 2 * words(int(made, 16), order=letter)


def test_throughput_is_bits_over_device_time(tmp_path: Path) -> None:
    """200 packets of 256 bits with a key each: far above WP437's 27 Mb/s, below what four lanes can."""
    said = good("radio", "batch", str(tmp_path / "packets"), "--generate", "200").decode().splitlines()
    for line, name in zip(said[1:3], ("128-eea3", "128-eia3"), strict=True):
        columns = line.split()
        assert columns[0] == name and float(columns[-3]) == pytest.approx(0.0512, abs=1e-3)
        assert 1000 < float(columns[-1].replace(",", "")) < 2300
    assert "first doorbell to last completion, at 100 MHz (assumed)" in said[3]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "contains no packets"),
        (bytes(30), "which is not a multiple of 4"),
        (table_1()[:20], "Packet 0 is truncated in its first seven words."),
        (table_1()[:-4], "Packet 0 says that it has 193 bits, but 24 bytes are left"),
        (table_1() + table_1(">"), "Packet 1: BEARER and DIRECTION have six bits"),
        (table_1()[:-4] + words(1), "Packet 0: the bits after its last one are not zero."),
    ],
    ids=["empty", "bytes", "header", "data", "order", "padding"],
)
def test_bad_batches(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "packets"
    path.write_bytes(data)
    assert says in sentence("radio", "batch", str(path), *SOFTWARE, status=1)


def test_bad_requests_about_batches(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    assert "--generate 1000` makes one" in sentence("radio", "batch", str(missing), *SOFTWARE, status=1)
    two = ("--algorithm", "nea3", "--algorithm", "nia3", "-o", str(tmp_path / "out"))
    assert "give --algorithm once" in sentence("radio", "batch", str(missing), *SOFTWARE, *two, status=2)
    assert "one packet or more" in sentence("radio", "batch", str(missing), "--generate", "0", *SOFTWARE, status=2)
    assert "one of: little, big" in sentence("radio", "batch", str(missing), "--byte-order", "middle", status=2)
