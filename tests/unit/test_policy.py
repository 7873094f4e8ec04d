# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The policy: made from records, read in the same way by Python and the driver, followed and explained."""

import random
from pathlib import Path
from typing import Any

import pytest
from lab_records import device, series

from outwork.algorithms import CIPHERS, find_cipher
from outwork.algorithms.base import Operation
from outwork.choice import policy
from outwork.choice.engine import EngineChoice, Shape
from outwork.choice.policy import LENGTH_MAX, Rule
from outwork.device.binding import load as load_board
from outwork.errors import OutworkError, UsageError
from outwork.lab import policy as making
from outwork.spec import Opcode

SIZES = (16, 256, 4096, 65536)
GCM = find_cipher("aes-256-gcm")


def write(folder: Path, text: str) -> Path:
    path = folder / "policy.txt"
    path.write_text(text)
    return path


def test_rules_of_records() -> None:
    """2,000 bytes with one in flight, never with sixteen; decryption always."""
    records = [
        *device(2.9995e-6, 1e-9, SIZES),
        *device(4e-6, 9e-9, SIZES, jobs=16),
        *device(1e-8, 1e-9, SIZES, operation="decrypt"),
        *device(1e-9, 1e-10, SIZES, board="other"),
        *device(1e-9, 1e-10, SIZES, keys="new-key"),
        *series(1e-6, 2e-9, SIZES),
        *series(1e-7, 2e-9, SIZES, operation="decrypt"),
        *series(1e-3, 2e-3, SIZES, engine="software"),
    ]
    found = making.rules(records, "reference", "cpu/openssl")
    assert found == [
        Rule(GCM.opcode, 32, False, 1, 2000, LENGTH_MAX),
        Rule(GCM.opcode, 32, False, 16, 1, 0),
        Rule(GCM.opcode, 32, True, 1, 0, LENGTH_MAX),
    ]
    assert any("a CPU" in line for line in making.comments(records, "reference", "cpu/openssl"))
    # One record of each is enough.
    one = [*device(1e-6, 0, (16,)), *series(1e-6, 0, (16,))]
    assert "cycles counted at 100 MHz (assumed)" in making.comments(one, "reference", "cpu/openssl")[1]
    assert making.rules(records, "reference", "software/openssl")[0].first == 0
    with pytest.raises(OutworkError, match="have other, reference and cpu/openssl, software/openssl"):
        making.rules(records, "reference", "cpu/none")


def test_records_of_other_boards() -> None:
    """After a plan with `vary` there may be none of the board as it is."""
    names = ["reference, read latency 40", "reference, read latency 80"]
    records = [*series(1e-6, 2e-9, SIZES), *(row for name in names for row in device(1e-8, 1e-9, SIZES, board=name))]
    with pytest.raises(UsageError) as failed:
        making.comments(records, "reference", "cpu/openssl")
    assert str(failed.value) == (
        "The records have no unchanged board 'reference' (they have: reference, read latency 40; reference, read latency 80). "
        "Run `outwork lab run policy`, or name a board with --board."
    )
    with pytest.raises(
        UsageError, match=r"^The records have no board 'zcu102' \(they have: reference, read latency 40; "
    ):
        making.comments(records, "zcu102", "cpu/openssl")
    with pytest.raises(UsageError, match=r"^The records have no board 'zcu102'\. Run "):
        making.comments(series(1e-6, 2e-9, SIZES), "zcu102", "cpu/openssl")
    assert making.rules(records, names[0], "cpu/openssl")


def test_a_rule_of_aes_with_hmac_has_the_length_of_the_aes_key() -> None:
    """The HMAC key is not counted: its length is the hash's."""
    name = "aes-192-ctr-hmac-sha-512"
    records = [*device(1e-8, 1e-9, SIZES, algorithm=name), *series(1e-6, 2e-9, SIZES, algorithm=name)]
    (rule,) = making.rules(records, "reference", "cpu/openssl")
    assert (rule.opcode, rule.key_bytes, rule.first) == (Opcode.AES_CTR_HMAC_SHA512, 24, 0)


def test_written_and_read(tmp_path: Path) -> None:
    rules = [Rule(0x13, 32, False, 16, 2048, LENGTH_MAX), Rule(0x12, 16, True, 1, 0, 99), Rule(0x11, 24, True, 1, 1, 0)]
    path = write(tmp_path, policy.text_of(rules, ["a comment"]))
    assert policy.read(path).rules == tuple(rules)
    assert "# aes-256-gcm" in path.read_text()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("0x13 32 encrypt 1 4096", "it has 5 words"),
        ("0x13 32 sideways 1 4096 -", "neither"),
        ("0x1ff 32 encrypt 1 4096 -", "not from 0 to 255"),
        ("0x13 32 encrypt 0 4096 -", "not from 1"),
        ("0x13 32 encrypt 1 4096 10", "not from 4096"),
        ("0x13 32 encrypt 1 -1 -", "'-1' is not a number"),
        ("0x13 32 encrypt 1_0 1 -", "not a number"),
        ("0x 32 encrypt 1 1 -", "line 2"),
    ],
)
def test_bad_lines(tmp_path: Path, line: str, words: str) -> None:
    with pytest.raises(OutworkError, match=words):
        policy.read(write(tmp_path, f"outwork-policy 1\n{line}\n"))


def test_bad_files(tmp_path: Path) -> None:
    with pytest.raises(OutworkError, match="first line"):
        policy.read(write(tmp_path, "outwork-policy 2\n"))
    with pytest.raises(OutworkError, match="first line"):
        policy.read(write(tmp_path, ""))
    with pytest.raises(UsageError, match="There is no policy"):
        policy.find(tmp_path / "none")


class InC:
    """The driver's reader."""

    def __init__(self) -> None:
        board = load_board("ow_board_128")
        self.ffi, self.c = board.ffi, board.c
        self.rules = self.ffi.new("struct ow_policy_rule[]", 64)
        self.policy = self.ffi.new("struct ow_policy *")
        self.line = self.ffi.new("unsigned *")

    def read(self, text: str) -> Any:
        data = text.encode()
        return self.c.ow_policy_read(self.policy, self.rules, 64, data, len(data), self.line)

    def wants(self, opcode: int, key_bytes: int, is_decrypt: bool, size: int, depth: int) -> bool:
        return bool(self.c.ow_policy_wants(self.policy, opcode, key_bytes, is_decrypt, size, depth))


def test_driver_and_python_agree(tmp_path: Path) -> None:
    seed = 71
    source, driver = random.Random(seed), InC()
    ciphers = [CIPHERS[name] for name in ("aes-256-gcm", "aes-128-gcm", "aes-256-ctr")]
    sizes = (0, 1, 100, 101, 5000, LENGTH_MAX)
    for _ in range(60):
        rules = []
        for _ in range(source.randrange(12)):
            cipher, first = source.choice(ciphers), source.choice(sizes)
            last = source.choice([size for size in sizes if size >= first])
            span = (1, 0) if source.random() < 0.2 else (first, last)
            depth = source.choice((1, 2, 16))
            key_bytes = 0 if source.random() < 0.2 else cipher.single_key_bytes  # 0: of any length
            rules.append(Rule(cipher.opcode, key_bytes, source.random() < 0.5, depth, *span))
        text = policy.text_of(rules, ["random"])
        found = policy.read(write(tmp_path, text))
        assert driver.read(text) == driver.c.OW_OK
        for cipher in ciphers:
            for operation in cipher.operations:
                for size in sizes:
                    for depth in (1, 3, 16, 40):
                        expected = found.decide(cipher, operation, size, depth).on_device
                        got = driver.wants(cipher.opcode, cipher.single_key_bytes, operation.is_inverse, size, depth)
                        assert got == expected, (seed, text, cipher, operation, size, depth)


def test_auto_obeys_and_explains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, "outwork-policy 1\n0x13 32 encrypt 4 4096 -\n0x13 32 decrypt 1 never\n")
    choice = EngineChoice("auto", "reference", policy_file=path, explains=True)

    def chosen(operation: Operation, size: int, depth: int) -> str:
        with choice.open(GCM, operation, Shape(size, depth)) as engine:
            return engine.name

    assert chosen(Operation.ENCRYPT, 4096, 4) == "accelerator"
    assert "gives the device 4,096 bytes to any length with 4 or more in flight" in capsys.readouterr().err
    assert chosen(Operation.ENCRYPT, 4095, 4) == "software"
    assert chosen(Operation.ENCRYPT, 1 << 20, 3) == "software"
    assert "has no rule" in capsys.readouterr().err
    assert chosen(Operation.DECRYPT, 1 << 20, 16) == "software"
    assert "never pays" in capsys.readouterr().err


def test_shapes_of_files() -> None:
    assert Shape.of_file(None, 1000, is_serial=False) == Shape(1000, 16)
    assert Shape.of_file(0, 1000, is_serial=False) == Shape(0, 1)
    assert Shape.of_file(999, 1000, is_serial=False) == Shape(999, 1)
    assert Shape.of_file(4500, 1000, is_serial=False) == Shape(1000, 5)
    assert Shape.of_file(1 << 30, 1000, is_serial=True) == Shape(1000, 1)
