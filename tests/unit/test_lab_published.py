# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The published figures: complete, well formed, and found for the right work."""

from pathlib import Path

import pytest

from outwork.algorithms import ALGORITHMS
from outwork.errors import UsageError
from outwork.lab import plan, published
from outwork.lab.records import KeyUse
from outwork.paths import SUFFIX


def test_every_printed_figure_is_there() -> None:
    found = {key: len(published.select(key)) for key in published.sources()}
    # Of WP437: 32 of throughput, 16 of area and clock. Of Cowart et al.: throughput and speed-up, of files large and small.
    assert found == {"wp512": 112, "wp437": 48, "imxrt": 80, "cowart2017": 24, "zybo2014": 8}
    names = ["place", "platform", "algorithm", "operation", "size_bytes", "engine", "variant", "unit"]
    rows = [(entry.source.key, *(getattr(entry, name) for name in names)) for entry in published.figures()]
    assert len(set(rows)) == len(rows), "one figure is there twice"


@pytest.mark.parametrize("source", published.sources())
def test_sources_say_where_and_how(source: str) -> None:
    entry = published.sources()[source]
    assert entry.name and entry.citation and entry.setting and 2000 < entry.year < 2100
    engines = {figure.engine for figure in published.select(source)}
    assert entry.differs.keys() == engines, "what differs is said of every engine that has a figure"
    assert entry.ours.keys() <= engines
    KeyUse(entry.keys)


@pytest.mark.parametrize("source", published.sources())
def test_the_plan_of_a_source_measures_what_stands_beside_it(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each accelerator's work on the source's own board, built or not, with the source's use of keys."""
    for width in (128, 64, 32):
        (tmp_path / f"libow_board_{width}{SUFFIX}").touch()
    monkeypatch.setenv("OUTWORK_LIBRARY_PATH", str(tmp_path))
    entry, wanted = published.sources()[source], plan.load(source)
    measured = {
        (task.point.algorithm.name, task.point.operation.value)
        for task in wanted.tasks
        if task.profile and task.profile.name == entry.boards[0] and task.point.keys.value == entry.keys
    }
    units = ("MB/s", "Mb/s", "KB/s", "cycles/byte", "ms")
    figures = [row for row in published.select(source, engine="accelerator") if row.unit in units]
    known = {(row.algorithm, row.operation) for row in figures if row.algorithm in ALGORITHMS}
    assert known and known <= measured


def test_units_agree() -> None:
    """Where a source prints both KB/s and cycles per byte, they say the same at its clock."""
    rows = published.select("imxrt", platform="i.MX RT1060", algorithm="aes-128-cbc", variant="high speed")
    speed, cycles = (next(row for row in rows if row.unit == unit) for unit in ("KB/s", "cycles/byte"))
    assert speed.megabytes_per_second == pytest.approx(11.22, abs=0.01)
    assert speed.cycles_per_byte == pytest.approx(cycles.value, rel=0.01)
    assert cycles.megabytes_per_second == pytest.approx(600 / 53.18)
    row = published.select("wp437", algorithm="128-eea3", variant="optimised", size_bytes=8192, engine="accelerator")[0]
    assert row.megabytes_per_second == pytest.approx(201.9 / 8)
    assert row.cycles_per_byte == pytest.approx(150e6 / (201.9e6 / 8))


@pytest.mark.parametrize(
    ("work", "expected"),
    [
        (("aes-256-gcm", "encrypt", 16), ("WP512", 4.012)),
        (("aes-256-gcm", "encrypt", 8192), ("WP512", 691.379)),
        (("aes-256-gcm", "decrypt", 1 << 20), ("WP512", 373.363)),
        (("aes-256-ctr", "encrypt", 65536), ("Cowart et al.", 350.0)),
        (("aes-256-ctr", "encrypt", 1024), None),
        (("aes-256-xts", "encrypt", 65536), None),
    ],
)
def test_beside(work: tuple[str, str, int], expected: tuple[str, float] | None) -> None:
    figure = published.beside(*work)
    assert (None if figure is None else (figure.source.name, figure.megabytes_per_second)) == expected


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("year = 2019", "", r"\[wp512\] lacks year"),
        ("year = 2019", 'year = "2019"', 'year = "2019"; it must be a whole number'),
        ("year = 2019", "yaer = 2019", "Did you mean 'year'"),
        ('boards = ["zcu102"', 'boards = ["zcu103"', "Did you mean 'zcu102'"),
        ('boards = ["zcu102", "reference"]', "boards = []", "names '' in boards"),
        ('keys = "new-key"', 'keys = "new"', r"\[wp437\] names 'new' in keys"),
    ],
)
def test_bad_sources(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = (Path(published.__file__).parent / "sources.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "sources.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UsageError, match=words):
        published.read_sources(path)
