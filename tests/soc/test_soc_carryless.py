# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The CPU's carry-less multiplication, as the OpenSSL provider uses it, on the simulated system on chip."""

import re
from pathlib import Path

import pytest

from outwork.paths import PROJECT, has_library
from outwork.soc import firmware
from outwork.soc import program as programs
from outwork.soc.system import System


@pytest.mark.skipif(not has_library("ow_soc_128"), reason="the system is not built: make soc")
def test_products_by_the_cpu_s_instructions(tmp_path: Path) -> None:
    """The provider's carry-less multiplication gives what its portable code gives, in a fifth of the cycles at most."""
    elf = tmp_path / "carryless.elf"
    flags = ["-fno-toplevel-reorder", f"-I{PROJECT / 'plugins/openssl/src'}"]
    firmware.build(elf, [PROJECT / "tests/soc/carryless.c"], flags=flags)
    console = b""
    with System(programs.load(elf)) as system:
        while not system.finished:
            console += system.run()
        status = system.status
    found = re.search(r"products 100, cycles (\d+), portable (\d+)", console.decode())
    assert status == 0 and found, console
    assert 0 < 5 * int(found[1]) < int(found[2])
