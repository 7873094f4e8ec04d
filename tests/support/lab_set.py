# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A small set of artificial records with something for every section of the lab's report."""

from dataclasses import replace
from typing import Final

from lab_records import device, record, series

from outwork.lab.engines.accelerator import STAGES
from outwork.lab.records import Kind, Record

SIZES: Final = (16, 528, 1024, 4112, 7696, 15888)  # of WP512
#: Nanoseconds: a message alone costs the device 2,000 + 0.7 n, many at once 100 + 0.65 n.
ALONE: Final = {"fixed": 2e-6, "per_byte": 0.7e-9}
MANY: Final = {"fixed": 1e-7, "per_byte": 0.65e-9, "jobs": 16}


def records() -> list[Record]:
    staged = [
        replace(row, stages={name: 1.0 + place for place, name in enumerate(STAGES)})
        for board in ("reference", "zcu102")
        for shape in (ALONE, MANY)
        for row in device(**{"sizes": SIZES, "board": board, **shape})
    ]
    registers = device(
        0.0, 20e-9, SIZES, board="zedboard", algorithm="aes-128-cbc", implementation="registers", kind=Kind.MODELLED
    )
    dma = device(2e-6, 10e-9, SIZES, board="zedboard", algorithm="aes-128-cbc")
    # Slower than the device from some size on, at every size, and at none.
    rivals = [
        *series(1e-7, 5e-9, SIZES, noise=0.02, engine="software", implementation="wolfssl"),
        *series(3e-6, 9e-9, SIZES, noise=0.02, engine="software"),
        *series(5e-8, 0.2e-9, SIZES, noise=0.02, engine="cpu"),
    ]
    files = [
        *series(1e-3, 3e-9, (32768, 131072), engine="software", implementation="openssl-files", environment="file, host",
                algorithm="aes-256-ctr"),
        *device(1e-3, 3e-9, (32768, 131072), implementation="outwork-files", environment="file, simulated board",
                board="zedboard", algorithm="aes-256-ctr"),
    ]  # fmt: skip
    wide = record(64, [1e-6, 1.1e-6, 1.4e-6], engine="cpu", algorithm="aes-128-gcm")
    return [*staged, *registers, *dma, *rivals, *files, wide]
