# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts for the bench of the whole public-key engine (engine.cpp): keys, jobs with and without all of their input,
results."""

from __future__ import annotations

import struct
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import engine_bench
from pka_jobs import curves, model

MODEXP, RSA_PUBLIC, RSA_PRIVATE, RSA_LOAD = 0x60, 0x61, 0x62, 0x63
EC_MULTIPLY, EC_PUBLIC, EC_SIGN = 0x64, 0x65, 0x67
X25519, ED25519_PUBLIC, ED25519_SIGN, ED25519_VERIFY = 0x69, 0x6A, 0x6B, 0x6C
NONCE_KEY = bytes(range(0x40, 0x50))


@dataclass(frozen=True)
class Ended:
    status: int
    command: int  # cycles: of the command, of the first word that was taken (0: none), of the result
    start: int
    done: int
    output: bytes


def _words(data: bytes) -> list[str]:
    return [data[at : at + 16].ljust(16, b"\0").hex() for at in range(0, len(data), 16)]


def on(curve: curves.Curve) -> tuple[int, ...]:
    return (0, curve.code)


@dataclass
class Script:
    seeded: bool = True
    nonce_key: bytes = NONCE_KEY
    lines: list[str] = field(default_factory=list)
    jobs: int = 0
    slots: dict[int, tuple[int, int]] = field(default_factory=dict)  # kind and curve

    def __post_init__(self) -> None:
        if self.seeded:
            self.lines.append(f"S {self.nonce_key.hex()}")

    def forget_seed(self) -> None:
        self.lines.append("U")

    def load(self, slot: int, kind: int, curve: int, key: bytes) -> None:
        self.lines.append(f"K {slot} {kind} {curve} {key.hex() or '-'}")
        self.slots[slot] = (kind, curve)

    def job(
        self,
        opcode: int,
        parameters: tuple[int, ...],
        payload: bytes,
        key: bytes | int,
        queue: int = 0,
        given: int | None = None,
    ) -> int:
        """A job whose key is in the AAD, or in a slot; of its words only the first `given` come. Returns its number."""
        inline = isinstance(key, bytes)
        slot = 0 if inline else key
        kind, curve = (0, 0) if inline else self.slots[slot]
        aad = key if isinstance(key, bytes) else b""
        words = _words(aad) + _words(payload)
        given = len(words) if given is None else given
        iv = struct.pack("<4H", *parameters, *[0] * (4 - len(parameters))).ljust(16, b"\0").hex()
        fields = [self.jobs, queue, opcode, slot, int(inline), int(not inline), kind, curve, iv, len(payload), len(aad)]
        self.lines.append(" ".join(str(f) for f in ("J", *fields, given, *words)))
        self.jobs += 1
        return self.jobs - 1

    def wait(self) -> None:
        self.lines.append("W")

    def pass_time(self, cycles: int) -> None:
        self.lines.append(f"T {cycles}")

    def give(self, job: int, words: int) -> None:
        self.lines.append(f"G {job} {words}")

    def abort(self, *jobs: int) -> None:
        self.lines += [f"A {job}" for job in jobs]

    def force_ones(self, count: int) -> None:
        self.lines.append(f"X {count}")

    def run(self, where: Path, *options: str) -> dict[int, Ended]:
        program = engine_bench.build("pka_engine")
        path = where / "script.txt"
        path.write_text("\n".join(self.lines) + "\n")
        done = subprocess.run([program, path, *options], capture_output=True, text=True, timeout=1200)
        why = [text for text in done.stdout.splitlines() if text.startswith("FAIL")]
        assert done.returncode == 0, f"{why}{done.stderr[-500:]}\nagain: {program} {path} {' '.join(options)}"
        ended = {}
        for text in done.stdout.splitlines():
            if text.startswith("job "):
                number, status, *cycles, output = text.split()[1:]
                data = b"" if output == "-" else bytes.fromhex(output)
                ended[int(number)] = Ended(int(status), *(int(c) for c in cycles), data)
        return ended


def number(curve: curves.Curve, x: int) -> bytes:
    return model.i2osp(x, curve.bytes)


def rsa_lengths(key: model.RsaKey) -> tuple[int, ...]:
    return tuple(key.parameters)
