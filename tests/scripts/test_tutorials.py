# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What tutorials and guides show runs as it stands there, and says what the pages say that it does."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pylibfst
import pytest
from page_blocks import blocks, part, run_c

from outwork import paths

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = "$PWD/build/release/lib"


def changes_of(waveform: Path) -> Counter[str]:
    """How often each signal of a waveform has a value, the first one counted."""
    opened = pylibfst.lib.fstReaderOpen(str(waveform).encode())
    _, signals = pylibfst.get_scopes_signals2(opened)
    pylibfst.lib.fstReaderSetFacProcessMaskAll(opened)
    values: Counter[int] = Counter()
    pylibfst.fstReaderIterBlocks(opened, lambda _, time, handle, value: values.update([handle]))
    pylibfst.lib.fstReaderClose(opened)
    return Counter({name.split(" [")[0]: values[signal.handle] for name, signal in signals.by_name.items()})


def run(text: str, folder: Path) -> str:
    """Runs the commands of a page, or of a part of it, in a folder that looks like the project's."""
    script = blocks(text, "sh")
    built = paths.library_file("ow_board_128").parent
    assert LIBRARIES in script
    (folder / "build/release").mkdir(parents=True)
    for name, place in (("driver", ROOT / "driver"), ("platform", ROOT / "platform"), ("build/release/lib", built)):
        (folder / name).symlink_to(place)
    for name, words in (("make", "true"), ("outwork", f'exec {sys.executable} -m outwork "$@"')):
        command = folder / ".venv/bin" / name
        command.parent.mkdir(parents=True, exist_ok=True)
        command.write_text(f"#!/bin/sh\n{words}\n", encoding="utf-8")
        command.chmod(0o755)
    places = {"PATH": f"{folder}/.venv/bin:{os.environ['PATH']}", "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("OUTWORK_", "OPENSSL_"))}
    places["OUTWORK_LIBRARY_PATH"] = str(built)
    command = ["bash", "-e", "-o", "pipefail", "-c", script]
    done = subprocess.run(command, cwd=folder, env=environment | places, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_first_firmware(tmp_path: Path) -> None:
    page = (ROOT / "docs/first-firmware.md").read_text(encoding="utf-8")
    output = run(page, tmp_path)
    assert [line for line in output.splitlines() if f"```\n{line.strip(chr(0))}\n```" not in page] == []


def test_first_plugin(tmp_path: Path) -> None:
    if not (paths.library_file("ow_board_128").parent / "ossl-modules/outwork.so").is_file():
        pytest.skip("the OpenSSL provider is not built")
    output = run((ROOT / "docs/first-plugin.md").read_text(encoding="utf-8"), tmp_path)
    rows = re.findall(r"aes-(gcm|ctr) +(\d+) +(\d+) +(\d+) ", output)
    always, never, file = [(mode, int(jobs), int(size), int(requests)) for mode, jobs, size, requests in rows]
    assert always[0] == "gcm" and always[1] > 0 and always[2] == 16384 * always[1] and always[3] == 0
    assert never[1] == 0 and never[3] > 0
    assert file[:2] == ("ctr", 144)


@pytest.mark.parametrize("step", ["nop", "aes"])
def test_bring_up(step: str, tmp_path: Path) -> None:
    assert run_c(blocks(part("docs/bring-up.md", step), "c"), tmp_path).startswith("Done.")


def test_debug_a_job(tmp_path: Path) -> None:
    if not (paths.library_file("ow_board_128").parent / "trace").is_dir():
        pytest.skip("the board that traces is not built")
    assert run(part("docs/debug-a-job.md", "trace"), tmp_path).startswith("Done.")
    changes = changes_of(tmp_path / "build/job.fst")
    rows = re.findall(r"^\| [\d, ]+ \| ([^|]*) \|", (ROOT / "docs/debug-a-job.md").read_text(), re.MULTILINE)
    signals = [name for row in rows for name in re.findall(r"`((?:shell_req|shell_rsp|u_shell)\.[\w\[\]]+)`", row)]
    assert len(signals) > 5
    for signal in signals:
        scope, member = signal.split(".")
        names = (
            f"TOP.board.outwork_axi.outwork_top.{signal}",
            f"TOP.board.outwork_axi.outwork_top.{scope}.{member.split('[')[0]}.{member}",
        )  # or of an array
        shown = max(changes[name] for name in names)
        assert shown > 1, f"the waveform does not show {signal}"


# Prints the cycle of each burst, counted from the last doorbell.
WATCHER = """
static struct ow_sim *watched;
static void (*write_register)(void *, uint32_t, uint32_t);
static uint64_t doorbell;
static void burst(void *context, const struct ow_sim_burst *seen) {
  (void)context;
  printf("%s %u\\n", seen->write ? "m_axi_awvalid" : "m_axi_arvalid", (unsigned)(seen->offered - doorbell));
}
static void write_and_note(void *context, uint32_t offset, uint32_t value) {
  struct ow_sim_statistics now;
  ow_sim_statistics(watched, &now);
  if (offset == OW_QUEUE_OFFSET + OW_QUEUE_DOORBELL_OFFSET) {
    doorbell = now.cycles;
  }
  write_register(context, offset, value);
}
"""
WATCH = """
  watched = sim;
  write_register = platform.write32;
  platform.write32 = write_and_note;
  ow_sim_watch(sim, burst, NULL);
  ow_status status = open_queue"""


def test_debug_a_job_counts_the_cycles(tmp_path: Path) -> None:
    source = (ROOT / "driver/examples/seal_message.c").read_text(encoding="utf-8")
    (tmp_path / "watched.c").write_text(
        source.replace("int main(void) {", WATCHER + "int main(void) {").replace(
            "  ow_status status = open_queue", WATCH
        )
    )
    library, program = paths.library_file("ow_board_128"), tmp_path / "watched"
    includes = (f"-I{ROOT}/driver/include", f"-I{ROOT}/platform/sim/include")
    place = f"-Wl,-rpath,{library.parent}"
    subprocess.run(["cc", "-std=c11", *includes, tmp_path / "watched.c", library, place, "-o", program], check=True)
    output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    seen = [(signal, int(cycle)) for signal, cycle in re.findall(r"^(m_axi_a[rw]valid) (\d+)$", output, re.MULTILINE)]
    rows = re.findall(r"^\| ([\d, ]+) \| ([^|]*) \|", (ROOT / "docs/debug-a-job.md").read_text(), re.MULTILINE)
    shown = [
        (signal, int(cycle))
        for cycles, signals in rows
        for signal in re.findall(r"`(m_axi_a[rw]valid)`", signals)
        for cycle in cycles.split(", ")[: None if signal == "m_axi_arvalid" else 1]  # the second is wvalid's
    ]
    assert len(shown) == 5 and [signal for signal, _ in seen[:5]] == [signal for signal, _ in shown]
    assert all(abs(cycle - wanted) <= 2 for (_, cycle), (_, wanted) in zip(seen, shown, strict=False)), (seen, shown)
