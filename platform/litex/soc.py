# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What the simulated SoC and the FPGA's have in common: VexRiscv, ROM and SRAM in block RAM, Outwork, and the firmware."""

from pathlib import Path
from typing import Any

import firmware
from litex.soc.integration.common import get_mem_data
from litex.soc.integration.soc_core import SoCCore

from outwork.litex import add_outwork

ROM_BYTES = 0x18000
SRAM_BYTES = 0x8000


class OutworkSoC(SoCCore):
    """A microcontroller whose firmware checks the accelerator's known answers, writes the result and stops."""

    def __init__(self, platform: Any, clock_hz: int, preset: str, **options: Any) -> None:
        super().__init__(
            platform,
            clock_hz,
            ident=f"Outwork's preset {preset} on LiteX",
            cpu_type="vexriscv",
            cpu_variant="standard",
            integrated_rom_size=ROM_BYTES,
            integrated_rom_init=[0],  # the firmware's place: init_mems fills it
            integrated_sram_size=SRAM_BYTES,
            timer_uptime=True,
            **options,
        )
        add_outwork(self, preset)

    def init_mems(self, **_: Any) -> None:
        """Called by LiteX's builder when it has written the headers that the firmware needs."""
        image = firmware.build(Path(self.builder.software_dir), Path(self.builder.include_dir), self.cpu)
        self.init_rom("rom", get_mem_data(str(image), data_width=32, endianness="little"), auto_size=False)
