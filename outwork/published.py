# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Figures that others have published for their accelerators, to stand beside ours. Not measured here."""

from dataclasses import dataclass
from typing import Final

from outwork.records import Record


@dataclass(frozen=True)
class Published:
    algorithm: str  # "aes-256-cbc"
    operation: str
    sizes_bytes: tuple[int, int]  # message sizes that it speaks for, both included
    megabytes_per_second: float
    clock_hz: int
    source: str

    @property
    def bytes_per_cycle(self) -> float:
        return self.megabytes_per_second * 1e6 / self.clock_hz


ANY_LARGE: Final = (32 * 1024, 1 << 40)
WP512: Final = "Xilinx WP512 (2019)"
COWART: Final = "Cowart et al. (2017)"
ZYNQ_ULTRASCALE_HZ: Final = 375_000_000
ZEDBOARD_HZ: Final = 100_000_000


def _wp512(operation: str, rows: dict[int, float]) -> tuple[Published, ...]:
    """AES-256-GCM of the CSU on a Zynq UltraScale+ under FreeRTOS: the faster of its two environments."""
    sizes = sorted(rows)
    ends = [*(size - 1 for size in sizes[1:]), 1 << 40]
    return tuple(
        Published("aes-256-gcm", operation, (size, end), rows[size], ZYNQ_ULTRASCALE_HZ, WP512)
        for size, end in zip(sizes, ends, strict=True)
    )


FIGURES: Final = (
    *_wp512("encrypt", {16: 4.012, 528: 122.285, 1024: 219.531, 4112: 555.58, 7696: 691.379, 15888: 844.344}),
    *_wp512("decrypt", {16: 2.069, 528: 59.153, 1024: 100.244, 4112: 237.055, 7696: 291.194, 15888: 373.363}),
    # Read from its text: files up to 64 MB, "20 to 25 MB/s", non-pipelined core; CTR limited by the 32-bit bus.
    *(
        Published(f"aes-256-{mode}", operation, ANY_LARGE, speed, ZEDBOARD_HZ, COWART)
        for mode, speed in (("ecb", 25.0), ("cbc", 25.0), ("ctr", 350.0))
        for operation in ("encrypt", "decrypt")
    ),
)


def beside(record: Record) -> Published | None:
    """The published figure for the same work, if there is one."""
    for figure in FIGURES:
        first, last = figure.sizes_bytes
        if (figure.algorithm, figure.operation) == (record.algorithm, record.operation) and (
            first <= record.size_bytes <= last
        ):
            return figure
    return None
