# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A guest that hangs is ended, though it prints nothing; one that ends has printed all that it prints."""

from pathlib import Path

import pytest
import uml_check

from outwork.errors import OutworkError


def test_a_guest_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uml_check, "LIMIT_SECONDS", 0.2)
    with pytest.raises(OutworkError, match="has not ended"):
        uml_check._console(["/bin/sleep", "60"], tmp_path, show=False)


def test_a_guest_that_ends(tmp_path: Path) -> None:
    assert uml_check._console(["/bin/echo", "init: status 0"], tmp_path, show=False) == "init: status 0\n"
