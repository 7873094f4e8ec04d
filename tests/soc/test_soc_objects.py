# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Objects of programs are kept, and made again when anything that they are made of has changed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from outwork.soc import firmware, objects

pytestmark = pytest.mark.skipif(shutil.which(firmware.COMPILER) is None, reason="scripts/setup.sh soc installs it")


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(objects, "OBJECTS", tmp_path / "objects")
    (tmp_path / "answer.h").write_text("#define ANSWER 42\n")
    (tmp_path / "answer.c").write_text('#include "answer.h"\nint answer(void) { return ANSWER; }\n')
    return tmp_path / "answer.c"


def compiled(source: Path, *options: str) -> tuple[Path, str]:
    """Returns an object's path, and its code."""
    with objects.compiled([(source, [firmware.COMPILER, *firmware.TARGET, "-O1", *options])]) as made:
        assert made is not None
        code = subprocess.run(
            [firmware.COMPILER.replace("gcc", "objdump"), "-d", made[0]], check=True, capture_output=True, text=True
        ).stdout
        return made[0], code


def kept() -> list[Path]:
    return sorted(objects.OBJECTS.glob("*.o"))


def test_an_object_is_compiled_once(source: Path) -> None:
    first, _ = compiled(source)
    written = first.stat().st_mtime_ns
    second, _ = compiled(source)
    assert (second, second.stat().st_mtime_ns) == (first, written)
    assert kept() == [first]


def test_headers_options_and_sources_count(source: Path) -> None:
    first, code = compiled(source)
    assert "li\ta0,42" in code
    source.with_name("answer.h").write_text("#define ANSWER 43\n")
    second, code = compiled(source)
    assert second != first and "li\ta0,43" in code
    third, code = compiled(source, "-DANSWER_IS_SIX")
    assert third not in (first, second)
    source.write_text("int answer(void) { return 7; }\n")
    assert "li\ta0,7" in compiled(source)[1]
    source.with_name("answer.h").unlink()
    source.write_text('#include "answer.h"\nint answer(void) { return ANSWER; }\n')
    with objects.compiled([(source, [firmware.COMPILER, *firmware.TARGET, "-O1"])]) as made:
        assert made is None


def test_a_warning_comes_again(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source.write_text("int answer(void) { int unused; return 42; }\n")
    for _ in range(2):
        compiled(source, "-Wall")
        assert "unused variable" in capfd.readouterr().err
    assert kept() == []


def test_headers_have_a_folder_for_their_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "HEADERS", tmp_path / "headers")
    first = objects.headers({"a.h": "1", "sys/b.h": "2"})
    assert (first / "sys/b.h").read_text() == "2"
    assert objects.headers({"a.h": "1", "sys/b.h": "2"}) == first != objects.headers({"a.h": "1", "sys/b.h": "3"})
