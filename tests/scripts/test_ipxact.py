# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The IP-XACT component: valid by the schema of the standard, every port in one interface, the registers of the RDL."""

import re
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import ipxact
import pytest
from lxml import etree
from pyEDAA import IPXACT

import outwork
from outwork import spec
from outwork.device import presets

SCHEMA = Path(IPXACT.__file__).parent / "Schema/ieee-1685-2014/index.xsd"


@pytest.fixture(scope="module")
def schema() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(SCHEMA))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ipxact.write(tmp_path_factory.mktemp("ipxact") / "edge", "edge").parent


@pytest.fixture
def component(folder: Path) -> Any:
    return etree.parse(folder / "outwork_axi.xml").getroot()


def texts(element: Any, path: str) -> list[str]:
    return [each.text for each in element.iterfind(re.sub(r"(?<=/)(?=\w)", "{*}", path))]


def test_the_schema_accepts_it(schema: etree.XMLSchema, component: Any) -> None:
    schema.assertValid(component)
    assert component.findtext("{*}version") == outwork.__version__


@pytest.mark.parametrize("broken", ["no name", "wrong direction", "unknown element", "reference to nothing"])
def test_the_schema_refuses_a_broken_one(schema: etree.XMLSchema, component: Any, broken: str) -> None:
    if broken == "no name":
        component.remove(component.find("{*}name"))
    elif broken == "wrong direction":
        component.find(".//{*}wire/{*}direction").text = "input"
    elif broken == "unknown element":
        component.find("{*}model").append(deepcopy(component.find("{*}version")))
    else:
        component.find(".//{*}memoryMapRef").set("memoryMapRef", "elsewhere")
    assert not schema.validate(component)


def test_every_port_is_in_one_interface(component: Any) -> None:
    ports = texts(component, "./model/ports/port/name")
    mapped = texts(component, "./busInterfaces/busInterface//physicalPort/name")
    # `tamper` is a wire of its own: no bus has it.
    assert Counter(mapped) + Counter(["tamper"]) == Counter(ports)
    assert len(ports) == len(set(ports)) == 64
    for interface in component.iterfind("{*}busInterfaces/{*}busInterface"):
        logical = texts(interface, ".//logicalPort/name")
        assert len(logical) == len(set(logical)), f"{interface.findtext('{*}name')}: a signal is mapped twice"


def test_the_window_is_that_of_the_port(component: Any) -> None:
    """A window of the registers alone, 20 KiB, would be no power of two."""
    assert texts(component, "./memoryMaps/memoryMap/addressBlock/range") == ["'h8000"]


def test_expressions_name_parameters(component: Any) -> None:
    """The data ports are as wide as the preset says: 64 bits, 8 strobes."""
    values = {each.get("parameterId"): each.findtext("{*}value") for each in component.iterfind("{*}parameters/*")}
    for name, value in presets.load("edge").parameters.items():
        assert values[name] == str(value)
    widths = {
        port.findtext("{*}name"): port.findtext(".//{*}left") for port in component.iterfind("{*}model/{*}ports/*")
    }
    numbers = {"DataWidth": int(values["DataWidth"]), "AxiUserWidth": int(values["AxiUserWidth"])}
    left = {name: eval(text.replace("/", "//"), {}, numbers) for name, text in widths.items() if text}
    assert (left["m_axi_wdata"], left["m_axi_wstrb"], left["m_axi_aruser"]) == (63, 7, 0)
    assert (left["irq"], left["s_axil_awaddr"], left["m_axi_araddr"]) == (3, 14, 63)


def test_registers_are_where_software_finds_them(component: Any) -> None:
    block = component.find("{*}memoryMaps/{*}memoryMap/{*}addressBlock")
    pages = {page.findtext("{*}name"): page for page in block.iterfind("{*}registerFile")}
    assert pages["queue"].findtext("{*}dim") == str(spec.QUEUE_COUNT)
    assert number(pages["queue"], "addressOffset") == spec.QUEUE_OFFSET
    assert number(pages["queue"], "range") == spec.QUEUE_STRIDE
    registers = {each.findtext("{*}name"): each for each in pages["global"].iterfind("{*}register")}
    assert number(registers["cycle_low"], "addressOffset") == spec.GLOBAL_CYCLE_LOW_OFFSET
    assert registers["id"].findtext(".//{*}resets//{*}value") == f"'h{spec.GLOBAL_ID_RESET:x}"


def number(element: Any, name: str) -> int:
    return int(element.findtext(f"{{*}}{name}").removeprefix("'h"), 16)


def test_every_file_has_the_macros_of_the_preset() -> None:
    files = ipxact.component("micro").findall("{*}fileSets/{*}fileSet/{*}file")
    for file in files:
        defines = {each.findtext("{*}name"): each.findtext("{*}value") for each in file.iterfind("{*}define")}
        assert defines == {name: str(value) for name, value in presets.load("micro").macros.items()}


def test_the_folder_has_every_file(folder: Path, component: Any) -> None:
    listed = texts(component, "./fileSets/fileSet/file/name")
    assert listed[-1] == "rtl/outwork_axi.v"
    assert {str(path.relative_to(folder)) for path in (folder / "rtl").rglob("*.*v")} == set(listed)
