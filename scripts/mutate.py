# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Plants single faults in RTL, driver, plug-ins and Python, and reports which the fast tests detect (docs/mutation.md).

Each layer is given --count faults, chosen by --seed. Outcomes are appended to --results. Faults with an
outcome for the same text of the source are not tested again; outcomes of a changed text are removed.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from mutation.judge import (
    EQUIVALENT,
    REFUSED,
    SURVIVED,
    Judge,
    Outcome,
    candidates,
    digest,
    holds,
    judged_equivalent,
    read,
    score,
    table,
)
from mutation.layers import LAYERS, Suite, suite_of
from mutation.operators import Fault, sample
from mutation.tree import ROOT, Tree

MARKERS = ("<!-- mutation -->", "<!-- /mutation -->")


def write_table(text: str) -> None:
    page = ROOT / "docs/mutation.md"
    before, rest = page.read_text(encoding="utf-8").split(MARKERS[0])
    after = rest.split(MARKERS[1])[1]
    page.write_text(f"{before}{MARKERS[0]}\n{text}\n{MARKERS[1]}{after}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--layers", nargs="+", choices=LAYERS, default=list(LAYERS), metavar="NAME", help=", ".join(LAYERS)
    )
    parser.add_argument("--count", type=int, default=50, help="faults of each layer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only in sources whose path begins with this")
    parser.add_argument(
        "--limit", type=int, default=1 << 30, help="stop after this number of new outcomes; the next run continues"
    )
    parser.add_argument(
        "--again", action="store_true", help="run the tests again for faults that survived, for use after adding tests"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=ROOT / "build/mutate", help="the scratch copy")
    parser.add_argument("--results", type=Path, default=ROOT / "scripts/mutation/outcomes.jsonl")
    parser.add_argument("--floor", type=float, default=0, help="fail if the score of a layer is lower, in per cent")
    parser.add_argument("--list", action="store_true", help="print the faults without planting them")
    parser.add_argument(
        "--write", action="store_true", help="write the table of all recorded outcomes into docs/mutation.md"
    )
    arguments = parser.parse_args()
    print(f"mutate: {arguments.count} faults of each layer, seed {arguments.seed}", flush=True)

    arguments.folder.mkdir(parents=True, exist_ok=True)
    known = {(outcome.layer, outcome.fault, outcome.source): outcome for outcome in read(arguments.results)}
    known = {key: outcome for key, outcome in known.items() if holds(ROOT, outcome)}
    if not arguments.list:
        arguments.results.write_text("".join(outcome.line() + "\n" for outcome in known.values()), encoding="utf-8")
    if arguments.again:
        known = {
            key: outcome
            for key, outcome in known.items()
            if outcome.outcome != SURVIVED or judged_equivalent(ROOT, outcome)
        }
    tree = Tree(arguments.folder.resolve(), arguments.jobs)
    wanted: list[tuple[str, Fault]] = []
    for layer in arguments.layers:
        among = [fault for fault in candidates(ROOT, layer) if fault.file.startswith(arguments.only)]
        chosen = sample(among, arguments.count, arguments.seed)
        # One suite after the other, so that each is built once.
        chosen.sort(key=lambda fault: [fault.file.startswith(suite.prefix) for suite in LAYERS[layer]].index(True))
        wanted += [(layer, fault) for fault in chosen]
    if arguments.list:
        print("\n".join(f"{layer}: {fault.describe()}" for layer, fault in wanted))
        return 0

    if arguments.limit:
        tree.refresh()
    judge = Judge(tree)
    prepared: set[Suite] = set()
    outcomes: list[Outcome] = []
    new = 0
    for layer, fault in wanted:
        key = (layer, fault, digest(ROOT / fault.file))
        if key not in known and new < arguments.limit:
            suite = suite_of(layer, fault.file)
            assert suite is not None
            if suite not in prepared:
                judge.prepare(suite)
                prepared.add(suite)
            known[key] = judge.judge(layer, fault)
            with arguments.results.open("a", encoding="utf-8") as file:
                file.write(known[key].line() + "\n")
            new += 1
            print(f"{known[key].outcome} in {known[key].seconds} s: {fault.describe()} {known[key].by}", flush=True)
        if key in known:
            outcomes.append(known[key])
    if arguments.write:  # a change elsewhere draws another sample; what was recorded of the same sources still counts
        outcomes = [outcome for outcome in known.values() if outcome.layer in arguments.layers]
    outcomes = [replace(entry, outcome=EQUIVALENT) if judged_equivalent(ROOT, entry) else entry for entry in outcomes]

    for kind in (REFUSED, EQUIVALENT, SURVIVED):
        for outcome in outcomes:
            if outcome.outcome == kind:
                print(f"{kind}: {outcome.layer}: {outcome.fault.describe()}")
    print(table(outcomes))
    if arguments.write:
        write_table(table(outcomes))
    scores = [score(outcome for outcome in outcomes if outcome.layer == layer) for layer in arguments.layers]
    return int(any(value is not None and value < arguments.floor for value in scores))


if __name__ == "__main__":
    sys.exit(main())
