# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork selftest`: checks known answers of every cipher, hash, MAC, radio and public-key algorithm on the device."""

from contextlib import closing

from outwork import engines, messages
from outwork.choice.engine import DEVICE
from outwork.cli import options
from outwork.cli.options import DEFAULT_BOARD, DEFAULT_ENGINE
from outwork.engines import selftest as known_answer_test
from outwork.engines.accelerator import AcceleratorEngine
from outwork.engines.selftest import SelftestResult
from outwork.errors import OutworkError
from outwork.pka import known_answers
from outwork.pka.device import DeviceWorker
from outwork.pka.workers import open_worker
from outwork.radio import known_answers as radio_answers
from outwork.radio.engines import DeviceRadio
from outwork.radio.engines import open_engine as open_radio_engine
from outwork.simulated import patience
from outwork.spec import Opcode


def selftest(engine: options.FixedEngineName = DEFAULT_ENGINE, board: options.BoardName = DEFAULT_BOARD) -> None:
    """Check the standards' known answers: ciphers in both directions and with wrong tags, hashes, MACs, radio, public keys.

    On the accelerator the device's own job counter must agree that it did every one of them.

    Example:

      outwork selftest --board zedboard
    """
    from rich.table import Table

    console = messages.console()
    with engines.open_engine(engine, board) as worker, patience(engine == DEVICE):
        results = list(known_answer_test.run(worker))
        view = Table(box=None, header_style="bold", pad_edge=False)
        view.add_column("algorithm")
        view.add_column("runs", justify="right")
        view.add_column("result")
        for result in results:
            view.add_row(result.algorithm, str(result.runs), "; ".join(result.failures) or "good")
        console.print(view, soft_wrap=True)
        runs = sum(result.runs for result in results)
        if isinstance(worker, AcceleratorEngine):
            counters = worker.queue.counters()
            counted = counters["jobs"] + counters["error_auth"]
            console.print(
                f"The device counted {counted} jobs ({counters['error_auth']} with a wrong tag, as intended)."
            )
            if counted != runs:
                raise OutworkError(
                    f"The device counted {counted} jobs, but {runs} were run: the device did not do the others."
                )
        has_public_keys = not isinstance(worker, AcceleratorEngine) or worker.board.supports(Opcode.EC_SIGN, False)
    with patience(engine == DEVICE):
        packets, jobs = _radio(engine, board)
    for result in packets:
        console.print(f"{result.algorithm}: {'; '.join(result.failures) or 'good'}", highlight=False)
    if engine == DEVICE and packets:
        console.print(f"The device counted {jobs} jobs for radio packets.")
    results += packets
    runs += sum(result.runs for result in packets)
    if has_public_keys:
        with patience(engine == DEVICE):
            public, jobs = _public_keys(engine, board)
        for result in public:
            console.print(f"{result.algorithm}: {'; '.join(result.failures) or 'good'}", highlight=False)
        if engine == DEVICE:
            console.print(f"The device counted {jobs} jobs for public keys.")
        results += public
        runs += sum(result.runs for result in public)
    failed = [result.algorithm for result in results if result.failures]
    if failed:
        raise OutworkError(f"The self-test failed for {', '.join(failed)}. Do not use this engine; please report it.")
    console.print(f"{runs} runs passed on {worker.description}.", highlight=False)


def _radio(engine: str, board: str) -> tuple[list[SelftestResult], int]:
    """Returns the results, and the jobs that the device has counted: one for each run, or there is a failure."""
    results: list[SelftestResult] = []
    with closing(open_radio_engine(engine, board)) as worker:
        for answer, are_right in radio_answers.run(worker):
            failures = [f"{answer.source}: run {number}" for number, good in enumerate(are_right, 1) if not good]
            results.append(SelftestResult(answer.algorithm.name, len(are_right), failures))
        if not isinstance(worker, DeviceRadio):
            return results, 0
        counters = worker.queue.counters()
        jobs, runs = counters["jobs"] + counters["error_auth"], sum(result.runs for result in results)
        if jobs != runs:
            raise OutworkError(f"The device counted {jobs} jobs for radio packets, but {runs} were run.")
        return results, jobs


def _public_keys(engine: str, board: str) -> tuple[list[SelftestResult], int]:
    """Returns the results, and the jobs that the device has counted. A result that the device did not make is a failure."""
    found: dict[str, SelftestResult] = {}
    jobs = 0
    with open_worker(engine, board) as worker:
        for answer, is_right in known_answers.run(worker):
            result = found.setdefault(answer.algorithm, SelftestResult(answer.algorithm, 0, []))
            result.runs += 1
            if not is_right:
                result.failures.append(answer.source)
            if isinstance(worker, DeviceWorker):
                before, jobs = jobs, worker.queue.counters()["jobs"]
                if jobs == before:
                    result.failures.append(f"{answer.source}: the device counted no job")
    return list(found.values()), jobs
