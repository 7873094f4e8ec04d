# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""One file through the path of `outwork encrypt`, timed. Runs in a process of its own, whose CPU time is then the file's.

Standard input: a JSON object with the fields of `Pass`. Standard output: one with the fields of `Taken`.
"""

import json
import sys
import time
from dataclasses import asdict, dataclass
from typing import Final

from outwork import algorithms, engines
from outwork.algorithms.base import Operation
from outwork.engines.accelerator import AcceleratorEngine
from outwork.engines.base import Engine
from outwork.errors import OutworkError
from outwork.files.formats import openssl
from outwork.files.formats.base import Codec
from outwork.files.pipeline import Pipeline
from outwork.files.streams import open_sink, open_source
from outwork.openssl import libcrypto

PASSWORD: Final = b"a password for measuring"
ITERATIONS: Final = 1  # The key derivation is not measured.


@dataclass(frozen=True)
class Pass:
    engine: str  # of outwork.engines
    board: str
    cipher: str
    operation: str
    source: str
    target: str


@dataclass(frozen=True)
class Taken:
    """`cycles`: of the device, from the start of the file to the last completion record; None without a device.

    `cpu_settings`: which instructions OpenSSL used, in its own words.
    """

    cpu_seconds: float
    cycles: int | None
    jobs: int | None
    cpu_settings: str


def run(wanted: Pass) -> Taken:
    cipher = algorithms.find_cipher(wanted.cipher)
    with (
        engines.open_engine(wanted.engine, wanted.board) as engine,
        open_source(wanted.source) as source,
        open_sink(wanted.target, force=True) as sink,
    ):
        codec: Codec
        if wanted.operation == Operation.ENCRYPT:
            codec = openssl.OpensslEncoder(engine, cipher, PASSWORD, ITERATIONS)
        else:
            head = source.read(openssl.HEAD_BYTES)
            codec = openssl.OpensslDecoder(engine, cipher, PASSWORD, head, ITERATIONS)
        begin_cycle = _cycle(engine)
        begin = time.process_time()
        Pipeline(engine, codec, source, sink).run()
        seconds = time.process_time() - begin
        said = libcrypto.load().cpu_settings()
        if not isinstance(engine, AcceleratorEngine):
            return Taken(seconds, None, None, said)
        return Taken(seconds, engine.queue.times()[1] - begin_cycle, engine.queue.counters()["jobs"], said)


def _cycle(engine: Engine) -> int:
    return engine.board.cycles if isinstance(engine, AcceleratorEngine) else 0


def main() -> int:
    try:
        taken = run(Pass(**json.load(sys.stdin)))
    except OutworkError as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(asdict(taken)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
