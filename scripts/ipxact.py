# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the accelerator as an IP-XACT component (IEEE 1685-2014): a folder with outwork_axi.xml and the RTL that it lists.

Ports, parameters and the interfaces of clock, reset and interrupt are those of rtl/outwork_axi.v, registers those of
spec/outwork.rdl, files those of rtl/outwork.f. The values of parameters are those of a preset.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from copy import deepcopy
from pathlib import Path
from typing import Any

import axi_module
import check_lists
from lxml import etree
from lxml.builder import ElementMaker
from peakrdl_ipxact import IPXACTExporter, Standard
from systemrdl.compiler import RDLCompiler

from outwork.device import presets

ROOT = Path(__file__).resolve().parent.parent
NAMESPACE = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"
INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
VENDOR = LIBRARY = "outwork"
# The buses of the AXI interfaces, by Arm's names, and who asks on them.
BUSES = {"s_axil": ("AXI4-Lite", "slave"), "m_axi": ("AXI4", "master")}
AMBA = {"vendor": "amba.com", "library": "AMBA4", "version": "r0p0_0"}
ADDRESS_SPACE_BYTES = 1 << 64

x = ElementMaker(namespace=NAMESPACE, nsmap={"ipxact": NAMESPACE, "xsi": INSTANCE})


def memory_maps(version: str, address_bits: int) -> Any:
    """Returns the element memoryMaps that PeakRDL makes of the register description, as large as what the port decodes."""
    compiler = RDLCompiler()
    compiler.compile_file(str(ROOT / "spec/outwork.rdl"))
    top = compiler.elaborate(top_def_name="outwork").top
    exporter = IPXACTExporter(vendor=VENDOR, library=LIBRARY, version=version, standard=Standard.IEEE_1685_2014)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "registers.xml"
        exporter.export(top, str(file))
        component = etree.parse(file, etree.XMLParser(remove_blank_text=True)).getroot()
    maps = component.find(x.memoryMaps().tag)
    maps.find("./{*}memoryMap/{*}addressBlock/{*}range").text = f"'h{1 << address_bits:x}"
    return maps


def port_map(logical: str, port: axi_module.Port) -> Any:
    return x.portMap(x.logicalPort(x.name(logical)), x.physicalPort(x.name(port.name)))


def bus_interface(name: str, kind: dict[str, str], abstraction: str, maps: list[Any], *role: Any) -> Any:
    return x.busInterface(
        x.name(name),
        x.busType(**kind),
        x.abstractionTypes(
            x.abstractionType(x.abstractionRef(**{**kind, "name": abstraction}), x.portMaps(*maps)),
        ),
        *role,
    )


def axi_interface(module: axi_module.Module, name: str, memory_map: str) -> Any:
    bus, role = BUSES[name]
    reference = {"slave": x.memoryMapRef(memoryMapRef=memory_map), "master": x.addressSpaceRef(addressSpaceRef=name)}
    maps = [port_map(logical, port) for logical, port in module.interface(name).items()]
    return bus_interface(name, AMBA | {"name": bus}, f"{bus}_rtl", maps, x(role, reference[role]))


def signal_interface(port: axi_module.Port) -> Any:
    """Returns the interface that the port's X_INTERFACE attributes declare: clock, reset, interrupt."""
    kind, name, logical = port.attributes["X_INTERFACE_INFO"].split()
    vendor, library, bus, version = kind.split(":")
    properties = port.attributes["X_INTERFACE_PARAMETER"].split(", ")
    return bus_interface(
        name,
        {"vendor": vendor, "library": library, "name": bus, "version": version},
        f"{bus}_rtl",
        [port_map(logical, port)],
        x.master() if port.direction == "out" else x.slave(),
        x.parameters(*(x.parameter(x.name(key), x.value(value)) for key, value in (p.split() for p in properties))),
    )


def vectors(left: str | None) -> list[Any]:
    return [] if left is None else [x.vectors(x.vector(x.left(left), x.right("0")))]


def model(module: axi_module.Module) -> Any:
    """Returns the element model: one view, of RTL, and the ports."""
    return x.model(
        x.views(x.view(x.name("rtl"), x.envIdentifier("verilog::"), x.componentInstantiationRef("rtl"))),
        x.instantiations(
            x.componentInstantiation(
                x.name("rtl"),
                x.language("verilog"),
                x.moduleName(module.name),
                x.moduleParameters(*(x.moduleParameter(x.name(p.name), x.value(p.name)) for p in module.parameters)),
                x.fileSetRef(x.localName("rtl")),
            )
        ),
        x.ports(
            *(
                x.port(x.name(port.name), x.wire(x.direction(port.direction), *vectors(port.left)))
                for port in module.ports
            )
        ),
    )


def parameters(module: axi_module.Module, values: dict[str, int]) -> Any:
    """Returns the element parameters; `values` replace the module's defaults."""
    meanings = check_lists.top_parameters()
    found = []
    for parameter in module.parameters:
        kind = "int" if parameter.left is None else "bit"
        _, meaning = meanings.get(parameter.name, ("", ""))
        found.append(
            x.parameter(
                x.name(parameter.name),
                *([x.description(meaning)] if meaning else []),
                *vectors(parameter.left),
                x.value(str(values.get(parameter.name, parameter.value))),
                parameterId=parameter.name,
                resolve="user",
                type=kind,
            )
        )
    return x.parameters(*found)


def sources() -> list[Path]:
    """Returns the files of the design in compile order."""
    return [*check_lists.from_list(ROOT / "rtl/outwork.f"), axi_module.SOURCE]


def file_sets(macros: dict[str, int]) -> Any:
    kinds = {".sv": "systemVerilogSource", ".v": "verilogSource"}
    defines = [x.define(x.name(name), x.value(str(value))) for name, value in macros.items()]
    files = [
        x.file(x.name(str(path.relative_to(ROOT))), x.fileType(kinds[path.suffix]), *map(deepcopy, defines))
        for path in sources()
    ]
    return x.fileSets(x.fileSet(x.name("rtl"), *files))


def component(preset: str) -> Any:
    """Returns the document of the whole component."""
    version = check_lists.version()
    module = axi_module.load()
    maps = memory_maps(version, int(module.interface("s_axil")["AWADDR"].left or 0) + 1)
    memory_map = maps.findtext("./{*}memoryMap/{*}name")
    signals = [port for port in module.ports if "X_INTERFACE_INFO" in port.attributes]
    root = x.component(
        x.vendor(VENDOR),
        x.library(LIBRARY),
        x.name(module.name),
        x.version(version),
        x.busInterfaces(
            *(axi_interface(module, name, memory_map) for name in BUSES),
            *(signal_interface(port) for port in signals),
        ),
        x.addressSpaces(
            x.addressSpace(x.name("m_axi"), x.range(str(ADDRESS_SPACE_BYTES)), x.width("DataWidth")),
        ),
        maps,
        model(module),
        file_sets(presets.load(preset).macros),
        x.description("Crypto offload: registers behind AXI4-Lite, jobs in memory behind AXI4."),
        parameters(module, presets.load(preset).parameters),
    )
    root.set(f"{{{INSTANCE}}}schemaLocation", f"{NAMESPACE} {NAMESPACE}/index.xsd")
    return root


def write(folder: Path, preset: str) -> Path:
    """Writes the folder anew. Returns the component's file."""
    if folder.exists():
        shutil.rmtree(folder)
    for source in sources():
        target = folder / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    file = folder / "outwork_axi.xml"
    etree.ElementTree(component(preset)).write(file, encoding="UTF-8", xml_declaration=True, pretty_print=True)
    return file


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", nargs="?", default=presets.FULL, help="a name in rtl/presets.json (full)")
    parser.add_argument("--output", type=Path, metavar="FOLDER", default=ROOT / "build/ipxact")
    arguments = parser.parse_args()
    if arguments.preset not in presets.available():
        parser.error(f"no preset {arguments.preset} in rtl/presets.json; there are: {', '.join(presets.available())}")
    print(write(arguments.output, arguments.preset))
    return 0


if __name__ == "__main__":
    sys.exit(main())
