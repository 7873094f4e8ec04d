# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The attributes of the AXI4 port: parameters of outwork_axi are on the bus in every cycle, for reads and for writes."""

import json
from pathlib import Path

import pytest
from synthesis import read, run

from outwork.device import presets

CHANNELS = ("ar", "aw")


def attributes(folder: Path, *parameters: str) -> dict[str, str]:
    """Elaborates the smallest build. Returns the bits of every output that is constant, the first one on the right."""
    file = folder / "ports.json"
    settings = [*presets.load("micro").settings, *parameters]
    run("outwork_axi", [read("outwork_axi", settings), "proc", "opt_expr", "opt_clean", f"write_json {file}"])
    ports = json.loads(file.read_text("utf-8"))["modules"]["outwork_axi"]["ports"]
    return {
        name.removeprefix("m_axi_"): "".join(reversed(port["bits"]))
        for name, port in ports.items()
        if port["direction"] == "output" and not any(isinstance(bit, int) for bit in port["bits"])
    }


# What no parameter changes: bursts are INCR and as wide as the bus, 4 bytes; no exclusive access, one region.
FIXED = {"burst": "01", "size": "010", "lock": "0", "region": "0000"}
SETTINGS = {
    "as they come": ((), {"cache": "1111", "prot": "010", "qos": "0000", "user": "0"}),
    "every one another": (
        ("AxiCache=3", "AxiProt=1", "AxiQos=9", "AxiUserWidth=5", "AxiUser=6"),
        {"cache": "0011", "prot": "001", "qos": "1001", "user": "00110"},
    ),
}


@pytest.mark.parametrize(("parameters", "wanted"), SETTINGS.values(), ids=SETTINGS)
def test_parameters_are_on_the_bus(tmp_path: Path, parameters: tuple[str, ...], wanted: dict[str, str]) -> None:
    found = attributes(tmp_path, *parameters)
    for channel in CHANNELS:
        names = wanted | FIXED
        assert {name: found.get(channel + name) for name in names} == names
