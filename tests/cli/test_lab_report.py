# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork lab report` from the command line."""

from typing import Any

from commands import error_of, outwork, sentence, started
from lab_set import records
from page import read

from outwork.lab.bench import write_json


def test_page_and_images_from_a_damaged_file(desk: Any) -> None:
    source, target, images = desk.path("made-up.jsonl"), desk.path("new/report.html"), desk.path("images")
    write_json(source, records())
    with source.open("a") as file:
        file.write('{"schema": 1, "kind": "coun')
    done = outwork("lab", "report", source, "--output", target, "--images", images)
    assert done.returncode == 0, done.stderr.decode()
    written = done.stdout.decode().splitlines()
    assert written == [str(target), *sorted(map(str, images.iterdir()), key=written.index)] and len(written) == 7
    line = len(records()) + 1
    assert f"line {line}: it is not JSON" in done.stderr.decode()
    page = read(target.read_text(encoding="utf-8"))
    assert f"Skipped: {source}, line {line}: it is not JSON" in page.all("header")[0].text
    # The plans that come with the project are counted against the records; nobody has measured these in whole.
    plans = next(table for table in page.all("table") if "outwork lab run quick" in table.text)
    assert all(name in plans.text for name in ("wp512", "wp437", "imxrt", "cowart2017", "zybo2014", "policy"))


def test_errors_say_what_to_do(desk: Any) -> None:
    source = desk.path("made-up.jsonl")
    write_json(source, records()[:1])
    stub = desk.path("jinja2.py")
    stub.write_text("raise ModuleNotFoundError('No module named jinja2', name='jinja2')\n", encoding="utf-8")
    text = error_of(started("lab", "report", source, environment={"PYTHONPATH": str(stub.parent)}), 1)
    assert "needs jinja2" in text and "scripts/setup.sh lab" in text
    stub.unlink()
    in_the_way = desk.path("file")
    in_the_way.touch()
    assert "cannot be written" in sentence("lab", "report", source, "-o", in_the_way / "page.html", status=1)
