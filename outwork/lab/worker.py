# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The process in which a library of this CPU is measured: `python -m outwork.lab.worker ADAPTER [LIBRARY]`.

It is a process of its own because OpenSSL reads the instructions that it may use from the environment once, when it is
loaded. Each request and each answer is a line of JSON; the process ends at the end of its input.
"""

import json
import os
import signal
import sys
from typing import Any

from outwork import algorithms
from outwork.algorithms.base import Operation
from outwork.algorithms.pka import PublicKey
from outwork.errors import OutworkError
from outwork.lab import adapters, cpu_pka
from outwork.lab.adapters import Adapter
from outwork.lab.cpu_pka import CpuPkaWork
from outwork.lab.cpu_work import CpuWork, refuses
from outwork.lab.records import KeyUse, Point


def point_from(key: dict[str, Any]) -> Point:
    """The inverse of `Point.key`."""
    return Point(
        algorithms.find(key["algorithm"]),
        Operation(key["operation"]),
        key["size_bytes"],
        key["jobs"],
        key["batch"],
        KeyUse(key["keys"]),
        key["alignment_bytes"],
    )


class Worker:
    def __init__(self, adapter: Adapter, library: str = "") -> None:
        self._adapter = adapter
        self._library = library
        self._works: dict[int, CpuWork | CpuPkaWork] = {}
        self._next = 0

    def _refuses(self, point: Point) -> str:
        if isinstance(point.algorithm, PublicKey):
            return cpu_pka.refuses(self._adapter, self._library, point)
        return refuses(self._adapter, point)

    def _work_on(self, point: Point) -> CpuWork | CpuPkaWork:
        if isinstance(point.algorithm, PublicKey):
            return CpuPkaWork(self._adapter, self._library, point)
        return CpuWork(self._adapter, point)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        match request["do"]:
            case "refuses":
                return {"why": self._refuses(point_from(request["point"]))}
            case "prepare":
                work = self._work_on(point_from(request["point"]))
                self._next += 1
                self._works[self._next] = work
                return {"work": self._next, "messages": work.messages, "overhead_seconds": work.overhead_seconds}
            case "sample":
                sample = self._works[request["work"]].sample()
                return {**sample._asdict(), "clock_hz": adapters.loop().clock_hz()}
            case "close":
                self._works.pop(request["work"]).close()
                return {}
            case other:
                raise OutworkError(f"Unknown request to a worker: '{other}'.")


def main() -> None:
    # Only the parent handles an interrupt, and closes this process's input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Answers have a descriptor of their own: output of a library must not mix with them.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    try:
        adapter = adapters.load(*sys.argv[1:])
    except OutworkError as error:
        say({"error": str(error)})
        return
    say({"version": adapter.version, "instructions": adapter.instructions})
    worker = Worker(adapter, *sys.argv[2:])
    for line in sys.stdin:
        try:
            say(worker.answer(json.loads(line)))
        except OutworkError as error:
            say({"error": str(error)})


if __name__ == "__main__":
    main()
