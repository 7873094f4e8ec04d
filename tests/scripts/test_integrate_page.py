# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""docs/integrate.md names every module whose memory has contents from the start, which an ASIC does not give it."""

import re

from outwork.paths import PROJECT

SIMULATION = re.compile(r"`ifndef SYNTHESIS.*?`endif|`else.*?`endif", re.DOTALL)


def test_tables_for_an_asic() -> None:
    page = (PROJECT / "docs/integrate.md").read_text(encoding="utf-8")
    section = page.partition("\n## For an ASIC\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    named = {name for row in rows for name in re.findall(r"`([a-z]\w+)`", row)}
    filled = {
        file.stem
        for file in (PROJECT / "rtl").rglob("*.sv")
        if re.search(r"^\s*initial\b", SIMULATION.sub("", file.read_text(encoding="utf-8")), re.MULTILINE)
    }
    assert named == filled
