# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Generates the CPU's Verilog, build/soc/soc_cpu.v, from the sources of VexRiscv and the Scala files beside this one.

VexRiscv comes with a Python package (requirements-soc.txt), SpinalHDL and the Scala compiler with Maven (pom.xml). What
is compiled or generated is kept in build/soc under a hash of everything it is made of.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
BUILD: Final = HERE.parents[2] / "build/soc"
RESULT: Final = BUILD / "soc_cpu.v"
# The compiler runs once: the time that Java's optimising compiler takes does not come back.
JAVA: Final = ("java", "-Xss16m", "-Xmx3g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
# Demonstrations and tests of VexRiscv, which want more libraries.
LEFT_OUT: Final = ("demo", "test", "TestsWorkspace.scala")


class Failure(Exception):
    """Ends the program; its text says what to do."""


def say(text: str) -> None:
    print(f"soc: {text}", flush=True)


def run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{command[0]} failed:\n{(done.stdout + done.stderr)[-3000:]}")


def digest(*parts: bytes) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(hashlib.sha256(part).digest())
    return whole.hexdigest()[:16]


def file_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def vexriscv() -> Path:
    """Returns the folder of VexRiscv's Scala sources."""
    found = find_spec("pythondata_cpu_vexriscv")
    if found is None or found.origin is None:
        raise Failure("the sources of VexRiscv are not installed: run scripts/setup.sh soc")
    return Path(found.origin).parent / "verilog/ext/VexRiscv/src/main/scala/vexriscv"


def expected_jars() -> dict[str, str]:
    """Returns the hashes of the libraries by their file names."""
    rows = (line.split() for line in (HERE / "jars.sha256").read_text(encoding="utf-8").splitlines())
    return {name: value for value, name in rows}


def jars() -> list[Path]:
    """Returns the libraries; fetches them where they are missing. Raises Failure if one is not the one that was tested."""
    folder = BUILD / "jars"
    wanted = expected_jars()
    if any(not (folder / name).is_file() for name in wanted):
        say("fetching SpinalHDL and the Scala compiler (52 MB)")
        if shutil.which("mvn") is None:
            raise Failure("Maven is missing: run scripts/setup.sh soc")
        run("mvn", "--batch-mode", "--quiet", "--file", HERE / "pom.xml", "dependency:copy-dependencies",
            f"-DoutputDirectory={folder}")  # fmt: skip
    for name, value in wanted.items():
        path = folder / name
        if not path.is_file():
            raise Failure(f"Maven did not fetch {name}, which {HERE / 'jars.sha256'} names")
        if file_hash(path) != value:
            path.unlink()
            raise Failure(f"{name} is not the file whose hash is in {HERE / 'jars.sha256'}; it was removed")
    return [folder / name for name in wanted]


def without_demonstrations(folder: Path) -> None:
    """Removes what refers to a demonstration from a copy of VexRiscv's sources."""
    path = folder / "plugin/DecoderSimplePlugin.scala"
    text = path.read_text(encoding="utf-8").replace("import vexriscv.demo.GenFull\n", "")
    begin, end = text.index("object DecodingBench"), text.index("object Symplify{")
    path.write_text(text[:begin] + text[end:], encoding="utf-8")


def compile_scala(output: Path, libraries: list[Path], sources: list[Path]) -> None:
    """Compiles into a new folder, which appears only when it is complete."""
    partial = output.with_suffix(".part")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    path = os.pathsep.join(map(str, libraries))
    plugin = os.pathsep.join(str(jar) for jar in libraries if jar.name.startswith("spinalhdl-idsl-p"))
    run(
        *JAVA,
        "-cp",
        path,
        "scala.tools.nsc.Main",
        "-nowarn",
        "-cp",
        path,
        f"-Xplugin:{plugin}",
        "-d",
        partial,
        *sources,
    )
    partial.rename(output)


def core(libraries: list[Path], key: str) -> Path:
    """Returns the folder of VexRiscv's compiled classes."""
    output = BUILD / f"vexriscv-{key}"
    if not output.is_dir():
        say("compiling VexRiscv (one to two minutes)")
        sources = BUILD / "sources"
        shutil.rmtree(sources, ignore_errors=True)
        shutil.copytree(vexriscv(), sources, ignore=shutil.ignore_patterns(*LEFT_OUT))
        without_demonstrations(sources)
        compile_scala(output, libraries, sorted(sources.rglob("*.scala")))
    return output


def generate() -> None:
    if shutil.which("java") is None:
        raise Failure("Java is missing: run scripts/setup.sh soc")
    own = sorted(HERE.glob("*.scala"))
    core_key = digest(
        (HERE / "jars.sha256").read_bytes(),
        Path(__file__).read_bytes(),
        *(path.read_bytes() for path in sorted(vexriscv().rglob("*.scala"))),
    )
    key = digest(core_key.encode(), *(path.read_bytes() for path in own))
    folder = BUILD / f"cpu-{key}"
    made = folder / RESULT.name
    if not made.is_file():
        libraries = jars()
        classes = BUILD / f"generator-{key}"
        compiled = core(libraries, core_key)
        if not classes.is_dir():
            compile_scala(classes, [*libraries, compiled], own)
        say("generating the CPU")
        partial = folder.with_suffix(".part")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        path = os.pathsep.join(map(str, [classes, compiled, *libraries]))
        run(*JAVA, "-cp", path, "outwork.Soc", partial)
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    if not RESULT.is_file() or RESULT.read_bytes() != made.read_bytes():
        shutil.copyfile(made, RESULT)  # its time says when it changed


if __name__ == "__main__":
    try:
        generate()
    except Failure as failure:
        print(f"soc: {failure}", file=sys.stderr)
        sys.exit(1)
