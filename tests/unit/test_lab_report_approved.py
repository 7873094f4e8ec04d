# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The report of known records, section by section, is the one that was looked at and approved.

A change that is meant: look at build/report/report.html, which this test writes, then
`OUTWORK_APPROVE=1 .venv/bin/python -m pytest tests/unit/test_lab_report_approved.py`.
"""

import hashlib
import json
import os
import re
from pathlib import Path

import pytest
from lab_records import device, series
from lab_set import records

from outwork.lab import report
from outwork.lab.records import Record
from outwork.lab.report import coverage

ROOT = Path(__file__).resolve().parents[2]
APPROVED = Path(__file__).with_name("report_approved.json")
COVERAGE = coverage.Coverage("wp512", "a plan", 10, 4, ["sha3-384: this version of outwork does not have it"])


def _rounded(text: str) -> str:
    """Numbers to a tenth of a unit: another processor's last bits are no other picture."""
    return re.sub(r"-?\d+\.\d+", lambda match: f"{float(match[0]) + 0.0:.1f}", text)


def _sections(page: str) -> dict[str, str]:
    """The digest of what stands between a section's start and the next one's, and of what stands before the first."""
    head, *parts = re.split(r'(?=<section id=")', page)
    texts = {"head": head} | {part.split('"')[1]: part for part in parts}
    return {name: hashlib.sha256(_rounded(text).encode()).hexdigest()[:16] for name, text in texts.items()}


def _more() -> list[Record]:
    """Operations with public keys; and more sizes than a picture of stages shows."""
    where = {"algorithm": "rsa-2048", "operation": "private"}
    sizes = (16, 32, 48, 64, 128, 256, 512, 1000, 1024, 2048)
    keys = [*device(2e-3, 0, (256,), **where), *series(0.5e-3, 0, (256,), **where)]
    return [*keys, *device(2e-6, 1e-9, sizes, algorithm="aes-256-ctr")]


def test_report_of_known_records_is_the_approved_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "of_plans", lambda _: [COVERAGE])
    folder = ROOT / "build/report"
    folder.mkdir(parents=True, exist_ok=True)
    written = report.write([*records(), *_more()], [], folder / "report.html", None)
    now = _sections(re.sub(r'<meta name="generator".*', "", written[0].read_text(encoding="utf-8")))
    if os.environ.get("OUTWORK_APPROVE"):
        APPROVED.write_text(json.dumps(now, indent=2) + "\n", encoding="utf-8")
    approved = json.loads(APPROVED.read_text(encoding="utf-8"))
    changed = sorted(name for name in now.keys() | approved.keys() if now.get(name) != approved.get(name))
    assert not changed, f"these sections of {written[0]} are not the approved ones: {', '.join(changed)}"
