# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Measures what `outwork lab run --cluster` costs: the time of a batch of points beyond its measurement, and how much
faster two workers are than one. `cluster_overhead.py [PLAN]`; the machine should be idle. Where it is not, one
figure is still of use: the share of their time for which two workers measure. Twice that share is how much faster they are."""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from outwork.lab import plan, run
from outwork.lab.cluster import workers
from outwork.lab.cluster.places import find
from outwork.lab.plan import Task

ROUNDS = 3


@dataclass
class Outcome:
    points: int
    batches: int
    seconds: float
    worker_seconds: float


def measure(tasks: list[Task], count: int) -> Outcome:
    """Runs all tasks on local workers. The time begins when the workers are there and have opened an engine."""
    with run.Bench() as bench, workers(find(f"local:{count}")) as sweep:

        def records(some: list[Task]) -> Iterator[object]:
            found = sweep.measure(bench, some, ROUNDS, lambda _: False, lambda _, why: sys.exit(why))
            return (record for _, record in found if record is not None)

        list(records(tasks[: 2 * count]))
        batches, worker_seconds, begin = sweep.batches, sweep.worker_seconds, time.monotonic()
        points = sum(1 for _ in records(tasks))
        seconds = time.monotonic() - begin
        return Outcome(points, sweep.batches - batches, seconds, sweep.worker_seconds - worker_seconds)


def main() -> None:
    found = plan.load(sys.argv[1] if len(sys.argv) > 1 else "whatif")
    counted = [task for task in found.tasks if task.candidate.has_board]
    small = [task for task in counted if task.point.size_bytes <= 64]
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs")
    one = measure(small, 1)
    each = (one.seconds - one.worker_seconds) / one.batches * 1000
    print(f"{one.points} short points: {each:.1f} ms of each batch are not measurement ({one.seconds:.1f} s in all)")
    alone, both = measure(counted, 1), measure(counted, 2)
    print(
        f"{alone.points} points of {found.name}: one worker {alone.seconds:.1f} s, two {both.seconds:.1f} s: ", end=""
    )
    print(f"{alone.seconds / both.seconds:.2f} times as fast")
    share = both.worker_seconds / (2 * both.seconds)
    print(f"two workers measure for {share:.0%} of their time")


if __name__ == "__main__":
    main()
