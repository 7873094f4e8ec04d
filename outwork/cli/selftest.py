# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork selftest`: checks known answers of every cipher and hash on the device."""

from outwork import engines, messages
from outwork.choice.engine import DEVICE
from outwork.cli import options
from outwork.cli.options import DEFAULT_BOARD, DEFAULT_ENGINE
from outwork.engines import selftest as known_answer_test
from outwork.engines.accelerator import AcceleratorEngine
from outwork.errors import OutworkError
from outwork.simulated import patience


def selftest(engine: options.FixedEngineName = DEFAULT_ENGINE, board: options.BoardName = DEFAULT_BOARD) -> None:
    """Check the standards' known answers: every cipher in both directions and with a wrong tag, and every hash.

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
        failed = [result.algorithm for result in results if result.failures]
        if failed:
            raise OutworkError(
                f"The self-test failed for {', '.join(failed)}. Do not use this engine; please report it."
            )
        console.print(f"{runs} runs passed on {worker.description}.", highlight=False)
