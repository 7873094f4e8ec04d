# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Each assertion of ow_engine_check notices what breaks its promise, and none sees a fault where there is none."""

import subprocess

import benches
import pytest

# What is wrong in check_bench.sv, and the assertion that says so.
FAULTS = {
    1: "a_command_is_valid",
    2: "a_all_that_is_due",
    3: "a_command_to_free_stream",
    4: "a_pop_of_a_word",
    5: "u_output_is_held.a_held",
    6: "u_output_is_held.a_held",
    7: "a_output_of_a_job",
    8: "a_output_of_a_job",
    9: "u_result_is_held.a_held",
    10: "u_result_is_held.a_held",
    11: "a_one_result_a_job",
}


def play(fault: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run([benches.program("check_bench"), str(fault)], capture_output=True, text=True, check=False)


def test_a_good_job_passes() -> None:
    done = play(0)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(("fault", "assertion"), FAULTS.items())
def test_a_broken_promise_ends_the_simulation(fault: int, assertion: str) -> None:
    done = play(fault)
    assert done.returncode != 0
    assert f".{assertion}: " in done.stdout, done.stdout
