# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The kernel's semantic checks, as scripts/lint.sh runs them over the module."""

import shutil
import subprocess
from pathlib import Path

import pytest

from outwork.paths import PROJECT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("spatch") is None, reason="coccinelle is not installed"),
    pytest.mark.skipif(
        not list(PROJECT.glob("build/soc/linux/sources-*")), reason="the kernel's sources are not unpacked: make linux"
    ),
]
SOURCE = """#include <linux/slab.h>
int take(struct thing *thing)
{
  %s
}
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [("return thing->size;", ""), ("kfree(thing);\n  return thing->size;", "reference preceded by free")],
)
def test_what_is_used_after_it_is_freed_is_found(tmp_path: Path, body: str, found: str) -> None:
    (tmp_path / "thing.c").write_text(SOURCE % body)
    done = subprocess.run([PROJECT / "scripts/kernel_cocci.sh", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == (1 if found else 0), done.stdout + done.stderr
    assert found in done.stdout and bool(done.stdout) == bool(found)
