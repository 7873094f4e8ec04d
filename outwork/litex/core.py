# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The accelerator as a LiteX module: registers on AXI4-Lite, memory on AXI4, an interrupt source for each queue."""

from pathlib import Path
from typing import Any, Final

from litex.gen import LiteXModule
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockSignal, Instance, ResetSignal, Signal

from outwork.device import presets
from outwork.errors import OutworkError
from outwork.paths import PROJECT

QUEUES: Final = 4
REGISTERS_BYTES: Final = 0x8000
ID_BITS: Final = 2
# Signals of outwork_axi's memory port that LiteX's interfaces lack or that depend on nothing: left open.
_OPEN: Final = ("region", "user")


class Outwork(LiteXModule):  # type: ignore[misc] # LiteX has no types
    """One accelerator, built with a preset of rtl/presets.json.

    `registers` and `memory` are for the SoC's bus; `ev` has a level for each queue, enabled by the CSR ev_enable and
    cleared in the device. `tamper` may be driven by a detector. The source is the file of `make verilog PRESET=...`.
    """

    def __init__(self, platform: Any, preset: str, verilog: Path | None = None) -> None:
        file = verilog or PROJECT / f"build/verilog/outwork_{preset}.v"
        if not file.is_file():
            raise OutworkError(f"{file} is missing: `make verilog PRESET={preset}` in Outwork's tree writes it.")
        self.preset = presets.load(preset)
        self.registers = axi.AXILiteInterface(data_width=32, address_width=32)
        self.memory = axi.AXIInterface(data_width=self.preset.data_width_bits, address_width=32, id_width=ID_BITS)
        self.tamper = Signal()
        self.ev = EventManager()
        lines = Signal(QUEUES)
        for queue in range(QUEUES):
            source = EventSourceLevel(name=f"queue{queue}", description=f"Queue {queue}: cleared by its register irq.")
            setattr(self.ev, f"queue{queue}", source)
            self.comb += source.trigger.eq(lines[queue])
        self.ev.finalize()
        ports = {"aclk": ClockSignal("sys"), "aresetn": ~ResetSignal("sys"), "tamper": self.tamper}
        self.specials += Instance(
            f"outwork_{preset}",
            **{f"i_{name}": signal for name, signal in ports.items()},
            o_irq=lines,
            **_registers(self.registers),
            **self._memory(),
        )
        platform.add_source(str(file))

    def _memory(self) -> dict[str, Any]:
        """Returns the connections of the AXI4 port. LiteX has 32 bits of address; the upper half of the device's is open."""
        bus, connections = self.memory, {}
        for channel in ("aw", "ar"):
            stream, address = getattr(bus, channel), Signal(64)
            self.comb += stream.addr.eq(address)
            connections[f"o_m_axi_{channel}addr"] = address
            for name in ("len", "size", "burst", "lock", "prot", "cache", "qos", "id", "valid"):
                connections[f"o_m_axi_{channel}{name}"] = getattr(stream, name)
            connections[f"i_m_axi_{channel}ready"] = stream.ready
            connections |= {f"o_m_axi_{channel}{name}": Signal() for name in _OPEN}
        connections |= {f"o_m_axi_w{name}": getattr(bus.w, name) for name in ("data", "strb", "last", "valid")}
        connections |= {f"i_m_axi_r{name}": getattr(bus.r, name) for name in ("data", "resp", "last", "id", "valid")}
        connections |= {f"i_m_axi_b{name}": getattr(bus.b, name) for name in ("resp", "id", "valid")}
        return connections | {
            "i_m_axi_wready": bus.w.ready,
            "o_m_axi_rready": bus.r.ready,
            "o_m_axi_bready": bus.b.ready,
        }


def _registers(bus: Any) -> dict[str, Any]:
    """Returns the connections of the AXI4-Lite port: the device decodes the lower 15 bits of the address."""
    return {
        "i_s_axil_awaddr": bus.aw.addr[:15],
        "i_s_axil_awprot": 0,
        "i_s_axil_awvalid": bus.aw.valid,
        "o_s_axil_awready": bus.aw.ready,
        "i_s_axil_wdata": bus.w.data,
        "i_s_axil_wstrb": bus.w.strb,
        "i_s_axil_wvalid": bus.w.valid,
        "o_s_axil_wready": bus.w.ready,
        "o_s_axil_bresp": bus.b.resp,
        "o_s_axil_bvalid": bus.b.valid,
        "i_s_axil_bready": bus.b.ready,
        "i_s_axil_araddr": bus.ar.addr[:15],
        "i_s_axil_arprot": 0,
        "i_s_axil_arvalid": bus.ar.valid,
        "o_s_axil_arready": bus.ar.ready,
        "o_s_axil_rdata": bus.r.data,
        "o_s_axil_rresp": bus.r.resp,
        "o_s_axil_rvalid": bus.r.valid,
        "i_s_axil_rready": bus.r.ready,
    }


def add_outwork(soc: Any, preset: str, name: str = "outwork", verilog: Path | None = None) -> Outwork:
    """Adds the accelerator to a SoC: a slave in its uncached I/O space, a master on its DMA bus, and an interrupt.

    A SoC whose CPU has a coherent DMA port has a `dma_bus`; else the master joins the main bus, behind the L2 cache of
    LiteDRAM and beside the CPU's own caches, which software then has to look after. A SoC without interrupts, such as
    one that a host drives, gets none.
    """
    module = Outwork(soc.platform, preset, verilog)
    setattr(soc, name, module)
    region = SoCRegion(origin=soc.mem_map.get(name), size=REGISTERS_BYTES, cached=False)
    soc.bus.add_slave(name, module.registers, region)
    getattr(soc, "dma_bus", soc.bus).add_master(name, module.memory)
    if soc.irq.enabled:
        soc.irq.add(name, use_loc_if_exists=True)
    return module
