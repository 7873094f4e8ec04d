# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Manual pages: one for each command, with what its help has, and no fault that groff finds."""

import re
import shutil
import subprocess
from pathlib import Path

import man_pages
import pytest

from outwork.cli import registry
from outwork.errors import ExitCode


def test_pages(tmp_path: Path) -> None:
    pages = man_pages.pages()
    assert set(pages) == {"outwork.1", *(f"outwork-{name}.1" for name in registry.COMMANDS)}
    assert all(
        entry.help.rstrip(".").replace("-", "\\-") in pages[f"outwork-{name}.1"]
        for name, entry in registry.COMMANDS.items()
    )
    for words in ("\\-\\-password\\-file", "outwork encrypt README.md", "OUTWORK_ENGINE"):
        assert words in pages["outwork-encrypt.1"]
    assert ".SH GENKEY" in pages["outwork-pka.1"] and "\\-\\-public" in pages["outwork-pka.1"]
    # Values as --help has them, and no blank in front of an argument.
    assert "\\fB\\-\\-format\\fP \\fIoutwork|openssl\\fP" in pages["outwork-encrypt.1"]
    assert "\n.TP\n\\fIIN\\fP\n" in pages["outwork-encrypt.1"]
    assert "\\fB\\-\\-coherent, \\-\\-no\\-coherent\\fP" in pages["outwork-soc.1"]
    assert not [name for name, text in pages.items() if re.search(r"\\fI\w*_\w*\\fP|\\fI[^\n]*<", text)]
    if shutil.which("groff") is None:
        pytest.skip("groff is missing")
    for name, text in pages.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        done = subprocess.run(
            ["groff", "-Kutf8", "-man", "-Tutf8", "-ww", "-z", path], capture_output=True, text=True, check=True
        )
        assert done.stderr == "", name


def test_statuses() -> None:
    """The page names every status with which a command ends."""
    assert set(man_pages.STATUSES) == {str(code.value) for code in ExitCode}
