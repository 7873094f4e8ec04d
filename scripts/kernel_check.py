# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Boots Linux on the system on chip, loads the kernel module, lets the kernel test its algorithms, tests queues of
processes, measures: `make linux`."""

import argparse
import sys
from dataclasses import dataclass

from outwork.errors import OutworkError
from outwork.soc import module

# Cycles at most: some 10 minutes of simulation. It ends far earlier.
MAX_CYCLES = 800_000_000
POINTS = ((16, 1), (256, 1), (1024, 1), (4096, 1), (4096, 64))
SOFTWARE = "gcm_base(ctr(aes-generic),ghash-generic)"


@dataclass(frozen=True)
class Point:
    """What the module for measurement has measured, and what the module's counters say about it."""

    driver: str
    size: int
    depth: int
    count: int
    cycles: int
    idle_cycles: int
    counters: dict[str, int]

    @property
    def cpu_cycles(self) -> float:
        """Of a request."""
        return (self.cycles - self.idle_cycles) / self.count

    def each(self, *names: str) -> float:
        """The sum of counters of queue 0, for a request."""
        return sum(self.counters[f"queue0_{name}"] for name in names) / self.count


def bench_step(driver: str, size: int, depth: int) -> str:
    count = 512 if depth > 1 else 32
    return f"load /outwork_bench.ko driver={driver} bytes={size} depth={depth} count={count}"


def points(output: module.Output) -> list[Point]:
    """Returns the points of an output, in which the counters are shown before and after each."""
    found = []
    names = [name for name, _ in output.steps]
    for place, (name, text) in enumerate(output.steps):
        line = next((line for line in text.splitlines() if line.startswith("bench: ")), None)
        if line is None:
            continue
        words = line.removeprefix("bench: ").split()
        values = {key: int(value) for key, value in zip(words[1::2], words[2::2], strict=True)}
        if values["error"]:
            raise OutworkError(f"A measurement failed with error {values['error']}: {name}")
        time = names[:place].count(f"show {module.STATISTICS}")
        before, after = output.statistics(time - 1), output.statistics(time)
        found.append(
            Point(
                words[0],
                values["bytes"],
                values["depth"],
                values["count"],
                values["cycles"],
                100 * values["idle_us"],
                {counter: after[counter] - before[counter] for counter in after},
            )
        )
    return found


def table(found: list[Point]) -> str:
    lines = [
        f"{'driver':<44}{'bytes':>6}{'in flight':>10}{'cycles':>9}{'of the CPU':>11}{'device busy':>12}{'registers':>10}{'interrupts':>11}"
    ]
    for point in found:
        software = point.driver == SOFTWARE
        busy = point.counters["queue0_device_busy_cycles"] / point.cycles
        registers = point.each("register_reads", "register_writes")
        lines.append(
            f"{point.driver:<44}{point.size:>6}{point.depth:>10}{point.cycles / point.count:>9,.0f}{point.cpu_cycles:>11,.0f}"
            + ("" if software else f"{busy:>12.1%}{registers:>10.3f}{point.each('interrupts'):>11.3f}")
        )
    return "\n".join(lines)


def measuring_steps() -> list[str]:
    show = f"show {module.STATISTICS}"
    steps = []
    for driver in ("gcm-aes-outwork", SOFTWARE):
        for size, depth in POINTS:
            if driver == SOFTWARE and (depth > 1 or size > 1024):
                continue
            steps += [show, bench_step(driver, size, depth), show]
    return steps


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--random", type=int, default=0, metavar="N", help="with N random requests in each self-test")
    arguments = parser.parse_args()
    steps = [
        *module.SELF_TESTS,
        *module.QUEUE_TEST_STEPS[1:],
        *measuring_steps(),
        f"show {module.STATISTICS}",
        "unload outwork",
    ]
    extra = f"cryptomgr.fuzz_iterations={arguments.random}" if arguments.random else "cryptomgr.noextratests=1"
    more = {module.QUEUE_TEST_PROGRAM: module.queue_test()}
    with module.start(steps, f"{module.NO_TESTS} {extra}", more=more) as system:
        output = module.run(system, MAX_CYCLES, lambda text: print(text, end="", flush=True))
        cycles = system.statistics.cycles
    print(f"\n{table(points(output))}\n")
    counters = output.statistics(-1)
    passed = sum(result == "passed" for result in output.self_tests.values())
    print(
        f"{passed} of {len(module.ALGORITHMS)} algorithms passed their self-tests; the device counted "
        f"{counters['queue0_device_jobs']:,} jobs in {cycles:,} cycles"
    )
    good = passed == len(module.ALGORITHMS) and not output.faults and output.status == 0 and counters["errors"] == 0
    for fault in output.faults:
        print(f"the kernel complained: {fault}")
    return 0 if good and counters["queue0_device_jobs"] > 0 else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OutworkError as error:
        sys.exit(f"kernel_check: {error}")
