# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Board profiles and the declarations that come from the C headers."""

from pathlib import Path

import pytest

from outwork import binding, profiles, spec
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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("clock_hz = ", "not valid TOML"),
        ("clock_hz = 1", "lacks 'data_width'"),
        ("clock_hz = 1.5\ndata_width = 128", "must be a whole number"),
    ],
)
def test_bad_profiles(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(OutworkError, match=words):
        profiles.load(str(path))


def test_own_profile_and_unknown_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("description = 'd'\n[bus]\nclock_hz = 5_000_000\ndata_width = 64\nshared_bandwidth = true\n")
    profile = profiles.load(str(path))
    assert (profile.name, profile.clock_hz, profile.parameters["shared_bandwidth"]) == ("mine", 5_000_000, 1)
    with pytest.raises(UsageError, match=r"There is no board 'unknown'. There are: .*reference"):
        profiles.load("unknown")
    with pytest.raises(UsageError, match="cannot be read"):
        profiles.load(str(tmp_path / "none.toml"))


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
