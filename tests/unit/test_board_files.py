# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Board profiles, and declarations read from the C headers."""

import re
from pathlib import Path

import pytest

from outwork import spec
from outwork.device import binding, profiles
from outwork.device.board import Board
from outwork.errors import OutworkError, UsageError
from outwork.paths import library_file


def test_every_profile_that_ships_fits_the_board() -> None:
    members = {name for name, _ in binding.interface().typeof("struct ow_sim_parameters").fields}
    names = profiles.available()
    assert {"reference", "ideal", "zedboard", "zedboard-64", "zcu102"} <= set(names)
    for name in names:
        profile = profiles.load(name)
        assert profile.description
        assert profile.clock_hz > 1_000_000
        assert set(profile.parameters) <= members


def test_reference_is_what_the_figures_say() -> None:
    wanted = {"clock_hz": 100_000_000, "data_width": 128, "read_latency": 40, "write_response": 20}
    parameters = profiles.load("reference").parameters
    assert wanted.items() <= parameters.items()
    assert parameters["read_beats_per_100"] == parameters["write_beats_per_100"] == 100


def test_a_clock_without_a_source_is_assumed() -> None:
    assert profiles.load("reference").clock == "100 MHz (assumed)"
    reached = profiles.load("ulx3s")
    assert reached.clock == "25 MHz" and "nextpnr" in reached.clock_source
    assert reached.settings == {**reached.parameters, "clock_source": reached.clock_source}
    # Another clock, width or preset is not what the tool has seen; another memory is.
    assert profiles.varied(reached, {"clock_hz": 50_000_000}).clock == "50 MHz (assumed)"
    assert profiles.varied(reached, {"read_latency": 90}).clock == "25 MHz"
    assert profiles.with_preset(reached, "edge").clock == "25 MHz (assumed)"


GOOD = profiles.available()["reference"].read_text(encoding="utf-8")


def changed(key: str, value: str) -> str:
    """The reference board's file with another value; without the key if the value is empty."""
    assert re.search(rf"^{key} =", GOOD, re.MULTILINE)
    return re.sub(rf"^{key} = .*\n", f"{key} = {value}\n" if value else "", GOOD, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("clock_hz = ", "not valid TOML"),
        (changed("read_latency", '"80"'), 'read_latency = "80"; it must be a whole number of cycles from 1 to 10,000'),
        (changed("read_latency", "0"), "read_latency = 0; it must be"),
        (changed("read_latency", "true"), "read_latency = true; it must be"),
        (changed("read_latency", "[80]"), r"read_latency = \[80\]; it must be"),
        (changed("clock_hz", "1.5"), "a whole number of hertz"),
        (changed("clock_hz", "250"), "from 1,000,000 to"),
        (changed("data_width", "48"), "it must be 32 or 64 or 128 bits"),
        (changed("reads_outstanding", "65"), "from 1 to 64"),
        (changed("read_beats_per_100", "101"), "from 1 to 100"),
        (changed("mmio_latency", "-1"), "from 0 to"),
        (changed("shared_bandwidth", "1"), "it must be true or false"),
        (changed("description", "3"), "must be text in quotes"),
        ('environment = "mars"\n' + GOOD, "environment = 'mars'; it must be host or bare-metal or freertos or linux"),
        (changed("write_response", ""), r"lacks 'write_response' \(a whole number of cycles"),
        (GOOD + "read_latancy = 80", "'read_latancy', which is not a board parameter. Did you mean 'read_latency'?"),
        (GOOD + "colour = 'red'", "'colour', which is not a board parameter. There are: clock_hz, "),
        (GOOD + "[bus]\nread_latency = 3", "has 'read_latency' twice"),
        (GOOD + "name = 'zcu102'", "the name of a board that comes with Outwork"),
    ],
)
def test_bad_profiles(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=words) as caught:
        profiles.load(str(path))
    assert str(path) in str(caught.value)


def test_the_board_takes_the_ends_of_every_range() -> None:
    """What a board file may say is what the simulated board accepts, and the board has no other parameters."""
    members = {name for name, _ in binding.interface().typeof("struct ow_sim_parameters").fields}
    assert members == {*profiles.PARAMETERS, "relax_cycles"}
    reference = profiles.load("reference")
    for name, parameter in profiles.PARAMETERS.items():
        ends = parameter.choices or (parameter.low, parameter.high)
        for value in ends if name != "data_width" else (128,):
            Board(profiles.varied(reference, {name: value})).close()


def test_own_profile_and_unknown_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(changed("data_width", "64") + "[of_no_meaning]\n")
    profile = profiles.load(str(path))
    assert (profile.name, profile.data_width_bits, profile.parameters["shared_bandwidth"]) == ("mine", 64, 0)
    with pytest.raises(UsageError, match=r"There is no board 'unknown'. There are: .*reference"):
        profiles.load("unknown")
    with pytest.raises(UsageError, match=r"Did you mean 'zedboard'"):
        profiles.load("zetboard")
    with pytest.raises(UsageError, match="cannot be read"):
        profiles.load(str(tmp_path / "none.toml"))


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000, "0x" + "f" * 5000, "[[0x8000000000000000]]"])
def test_what_python_gives_up_at(tmp_path: Path, value: str) -> None:
    path = tmp_path / "huge.toml"
    path.write_text(f"clock_hz = {value}\n")
    with pytest.raises(UsageError, match=r"The board file .* is not valid TOML: .*\.$"):
        profiles.load(str(path))


def test_declarations() -> None:
    text = """
        /* comment */
        #include <stddef.h>
        #ifndef GUARD
        #define GUARD
        #ifdef __cplusplus
        extern "C" {
        #define OTHER 1
        #endif
        #define NUMBER 0x10u
        #define WITH(argument) (argument)
        #define SUM (NUMBER + 1)
        OW_STATIC_ASSERT(sizeof(int) == 4, "int");
        struct s { int a[NUMBER]; };
        #ifdef __cplusplus
        }
        #else
        int only_c(void);
        #endif
        #endif
    """
    lines = [line.strip() for line in binding.declarations(text).splitlines() if line.strip()]
    assert lines == ["#define NUMBER 0x10", "struct s { int a[NUMBER]; };", "int only_c(void);"]


def test_headers_and_generated_constants_agree() -> None:
    """Both come from spec/outwork.rdl, by different ways."""
    ffi = binding.interface()
    assert ffi.sizeof("struct ow_descriptor") == spec.DESCRIPTOR_SIZE
    assert ffi.sizeof("struct ow_completion") == spec.COMPLETION_SIZE
    assert ffi.sizeof("struct ow_segment") == spec.SEGMENT_SIZE
    assert ffi.sizeof("struct ow_context") == spec.CONTEXT_SIZE
    for opcode in spec.Opcode:
        assert int(ffi.cast("enum ow_opcode", opcode)) == opcode


def test_missing_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OUTWORK_LIBRARY_PATH", str(tmp_path))
    with pytest.raises(OutworkError, match=r"not built: libow_board_128.*Run .make build."):
        library_file("ow_board_128")
