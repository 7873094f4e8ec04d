# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lab on the system on chip: one clock for software, instructions and accelerator, and results that are checked."""

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from outwork import algorithms
from outwork.algorithms.base import Operation
from outwork.device import profiles
from outwork.device.profiles import Environment
from outwork.errors import OutworkError
from outwork.lab import engines, expected, soc_file, soc_point
from outwork.lab.engines import soc
from outwork.lab.engines.soc import SocEngine
from outwork.lab.engines.soc_files import SocFileEngine
from outwork.lab.records import KeyUse, Point
from outwork.paths import PROJECT, has_library
from outwork.soc import libraries

pytestmark = pytest.mark.skipif(not has_library("ow_soc_128"), reason="the system is not built: make soc")
BOARD = "soc"


def point(algorithm: str, operation: str, size: int = 64, jobs: int = 1, keys: KeyUse = KeyUse.NEW_IV) -> Point:
    return Point(algorithms.find(algorithm), Operation(operation), size, jobs, max(1, jobs // 2), keys)


@pytest.fixture(scope="module")
def accelerator() -> Iterator[SocEngine]:
    with SocEngine("outwork", Environment.BARE_METAL, profiles.load(BOARD)) as engine:
        yield engine


@pytest.fixture(scope="module")
def through_psa() -> Iterator[SocEngine]:
    with SocEngine("psa", Environment.BARE_METAL, profiles.load(BOARD)) as engine:
        yield engine


@pytest.mark.slow
@pytest.mark.skipif(not libraries.MBEDTLS.is_dir(), reason="Mbed TLS is missing: scripts/mbedtls.sh 3.6.5")
@pytest.mark.parametrize(
    ("algorithm", "operation", "size"),
    [
        ("aes-256-gcm", "encrypt", 16),
        ("aes-128-gcm", "decrypt", 100),
        ("aes-192-cbc", "encrypt", 48),
        ("aes-256-cmac", "verify", 20),
        ("sha-256", "digest", 200),
        ("hmac-sha-256", "verify", 70),
    ],
)
def test_the_accelerator_through_psa(through_psa: SocEngine, algorithm: str, operation: str, size: int) -> None:
    """A library's calls: results are compared, and every message is a job of the device."""
    asked = point(algorithm, operation, size)
    assert through_psa.refuses(asked) == ""
    assert through_psa.prepare(asked).sample().cost > 0
    assert "at most 64 KiB" in through_psa.refuses(point(algorithm, operation, 1 << 20))


@pytest.fixture(scope="module")
def instructions() -> Iterator[SocEngine]:
    with SocEngine("zkn", Environment.BARE_METAL, profiles.load(BOARD)) as engine:
        yield engine


@pytest.fixture(scope="module")
def lite() -> Iterator[SocEngine]:
    with SocEngine("lite", Environment.BARE_METAL, profiles.load(BOARD)) as engine:
        yield engine


@pytest.mark.parametrize(
    ("algorithm", "operation", "size"),
    [
        ("aes-256-gcm", "encrypt", 16),
        ("aes-128-gcm", "decrypt", 100),
        ("aes-192-cbc", "encrypt", 48),
        ("aes-128-xts", "decrypt", 33),
        ("aes-256-cmac", "verify", 20),
        ("sha3-384", "digest", 200),
        ("hmac-sha-256", "verify", 70),
        ("128-eea3-eia3", "encrypt", 40),
        ("tdes-cbc", "decrypt", 24),
        ("aes-128-cbc-hmac-sha-1", "decrypt", 48),
        ("aes-192-ctr-hmac-sha-384", "encrypt", 33),
        ("aes-256-cbc-hmac-sha-512", "encrypt", 64),
    ],
)
def test_accelerator_is_right_and_has_counted_its_jobs(
    accelerator: SocEngine, algorithm: str, operation: str, size: int
) -> None:
    """SocWork compares results with an independent implementation and the device's job counter with the jobs given."""
    work = accelerator.prepare(point(algorithm, operation, size, jobs=3))
    assert 0 < work.sample().cost < work.sample().latency
    assert 0 < (work.cpu_cycles() or 0) <= work.sample().cost


@pytest.mark.parametrize("keys", KeyUse)
def test_uses_of_keys(accelerator: SocEngine, keys: KeyUse) -> None:
    wanted = point("aes-128-gcm", "encrypt", keys=keys)
    if keys is KeyUse.KEPT:
        assert accelerator.refuses(wanted) == "every job has its IV"
    else:
        assert accelerator.refuses(wanted) == ""
        assert accelerator.prepare(wanted).sample().cost > 0


@pytest.mark.slow
@pytest.mark.skipif(not libraries.MBEDTLS.is_dir(), reason="Mbed TLS is missing: scripts/mbedtls.sh 3.6.5")
def test_one_pass_against_two_calls(accelerator: SocEngine) -> None:
    """AES with HMAC by Mbed TLS: results are compared; the device is far faster."""
    with SocEngine("mbedtls", Environment.BARE_METAL, profiles.load(BOARD)) as software:
        for operation in ("encrypt", "decrypt"):
            wanted = point("aes-256-cbc-hmac-sha-256", operation, 256)
            assert software.refuses(wanted) == ""
            assert software.prepare(wanted).sample().cost > 20 * accelerator.prepare(wanted).sample().cost


def test_keys_of_aes_with_hmac_are_in_slots(accelerator: SocEngine) -> None:
    wanted = point("aes-256-ctr-hmac-sha-256", "encrypt", keys=KeyUse.ROTATE, jobs=4)
    assert accelerator.refuses(wanted) == "" and accelerator.prepare(wanted).sample().cost > 0
    why = accelerator.refuses(point("aes-256-ctr-hmac-sha-256", "encrypt", keys=KeyUse.NEW_KEY))
    assert why == "AES with HMAC takes its keys from slots; measure new-iv or rotate instead"


def test_instructions(accelerator: SocEngine, instructions: SocEngine) -> None:
    wanted = point("aes-256-gcm", "encrypt", 256)
    assert instructions.prepare(wanted).sample().cost > 5 * accelerator.prepare(wanted).sample().cost
    for algorithm in ("aes-128-ecb", "aes-192-cbc", "aes-256-ctr"):
        assert instructions.prepare(point(algorithm, "encrypt", 48)).sample().cost > 0
    assert instructions.refuses(point("aes-256-gcm", "decrypt")).startswith("it encrypts whole blocks")
    assert instructions.refuses(point("aes-128-cbc", "decrypt")).startswith("it encrypts whole blocks")
    assert instructions.rules_out(point("aes-128-cbc", "decrypt")) == ""  # its program has not been asked
    assert instructions.rules_out(point("aes-256-gcm", "encrypt", jobs=2)) == "it processes one message per call"
    assert instructions.refuses(point("aes-256-gcm", "encrypt", jobs=2)) == "it processes one message per call"
    assert instructions.refuses(point("rsa-2048", "private", 256)) == "it has no public keys"


@pytest.mark.parametrize(
    ("algorithm", "operation", "size"),
    [
        ("aes-128-cbc", "encrypt", 64),
        ("aes-128-cbc", "decrypt", 64),
        ("aes-192-ecb", "encrypt", 16),
        ("aes-256-ctr", "encrypt", 33),
    ],
)
def test_registers(lite: SocEngine, algorithm: str, operation: str, size: int) -> None:
    """SocWork compares results with an independent implementation, and the words that Outwork lite gave with the blocks."""
    wanted = point(algorithm, operation, size)
    assert lite.refuses(wanted) == ""
    work = lite.prepare(wanted)
    assert 0 < work.sample().cost < 20 * size + 900


def test_registers_are_not_the_rings(lite: SocEngine) -> None:
    wanted = point("aes-128-cbc", "encrypt")
    with pytest.raises(OutworkError, match="has given 96 words of results, and not 0"):
        soc_point.SocWork(lite.machine, wanted, soc_point.Device.NONE)
    with pytest.raises(OutworkError, match="counted 0 jobs"):
        soc_point.SocWork(lite.machine, wanted, soc_point.Device.RINGS)
    assert lite.refuses(point("aes-256-gcm", "encrypt")) == "it has AES in ECB, CBC and CTR mode"
    assert lite.refuses(point("aes-128-cbc", "encrypt", jobs=2)) == "it processes one message per call"
    assert lite.refuses(point("aes-128-cbc", "encrypt", keys=KeyUse.ROTATE)) == "it holds one key"
    assert lite.prepare(point("aes-128-cbc", "encrypt", keys=KeyUse.NEW_KEY)).sample().cost > 0


def test_an_engine_without_the_device_is_noticed(instructions: SocEngine) -> None:
    with pytest.raises(OutworkError, match="counted 0 jobs"):
        soc_point.SocWork(instructions.machine, point("aes-256-gcm", "encrypt"), soc_point.Device.RINGS)


def test_a_wrong_result_is_noticed(accelerator: SocEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expected, "seal", lambda *_: (bytes(64), bytes(16)))
    with pytest.raises(OutworkError, match="wrong result"):
        accelerator.prepare(point("aes-256-gcm", "encrypt"))


def test_a_wrong_tag_is_refused(accelerator: SocEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    right = expected.seal
    monkeypatch.setattr(expected, "seal", lambda *given: (right(*given)[0], bytes(16)))
    with pytest.raises(OutworkError, match="has failed: 6 messages were refused"):
        accelerator.prepare(point("aes-256-gcm", "decrypt"))


def test_another_structure_is_noticed(accelerator: SocEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soc_point, "BYTES", soc_point.BYTES + 4)
    with pytest.raises(OutworkError, match="The point has"):
        accelerator.prepare(point("aes-256-gcm", "encrypt"))


def test_under_freertos_a_stream_leaves_the_cpu_to_others() -> None:
    with SocEngine("outwork", Environment.FREERTOS, profiles.load(BOARD)) as engine:
        work = engine.prepare(point("aes-128-gcm", "encrypt", 65536, jobs=4))
        assert (work.cpu_cycles() or 0) < 0.5 * work.sample().cost


@pytest.mark.slow
@pytest.mark.skipif(bool(soc.why_no_kernel(Environment.LINUX)), reason="the kernel is not built: make linux")
def test_under_linux_points_start_from_one_boot() -> None:
    """The same point twice is the same to a cycle, and the device has counted its jobs."""
    with SocEngine("outwork", Environment.LINUX, profiles.load(BOARD)) as engine:
        wanted = point("aes-256-gcm", "encrypt", 100, jobs=3)
        first, second = engine.prepare(wanted), engine.prepare(wanted)
        assert first.sample() == second.sample() and first.sample().cost > 0
        assert "at most 15 MiB together" in engine.refuses(point("aes-256-gcm", "encrypt", 8 << 20))


@pytest.mark.skipif(bool(soc.why_no_kernel(Environment.LINUX)), reason="the kernel is not built: make linux")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["outwork", "mbedtls", "zkn"])
def test_files_under_linux(name: str) -> None:
    """Whole files through the device, four pieces in memory, and by the CPU: results and jobs are checked."""
    with SocFileEngine(
        name, Environment.LINUX, profiles.in_environment(profiles.load(BOARD), Environment.LINUX)
    ) as engine:
        for algorithm in ("aes-256-ecb", "aes-256-cbc", "aes-256-ctr"):
            for operation in ("encrypt", "decrypt"):
                wanted = point(algorithm, operation, 6 * 16_384)
                if name == "zkn" and operation == "decrypt" and algorithm != "aes-256-ctr":
                    assert engine.refuses(wanted).startswith("it encrypts whole blocks")
                    continue
                assert engine.refuses(wanted) == ""
                work = engine.prepare(wanted)
                assert work.sample().cost > wanted.size_bytes
                assert 0 < (work.cpu_cycles() or 0) <= work.sample().cost


def test_files_have_to_fit(accelerator: SocEngine) -> None:
    machine = accelerator.machine
    assert soc_file.refuses(machine, point("aes-256-cbc", "encrypt", 131_072)) == ""
    assert soc_file.refuses(machine, point("aes-256-cbc", "encrypt", 16)) == ""
    assert "ECB, CBC and CTR, not with" in soc_file.refuses(machine, point("aes-256-gcm", "encrypt", 32_768))
    assert "ECB, CBC and CTR, not with" in soc_file.refuses(machine, point("tdes-cbc", "encrypt", 32_768))
    assert "do not apply" in soc_file.refuses(machine, point("aes-256-cbc", "encrypt", 32_768, jobs=2))
    assert "whole pieces" in soc_file.refuses(machine, point("aes-256-cbc", "encrypt", 40_000))
    assert "12 MiB for a file" in soc_file.refuses(machine, point("aes-256-cbc", "encrypt", 8 << 20))


def test_messages_have_to_fit(accelerator: SocEngine) -> None:
    assert accelerator.refuses(point("aes-256-gcm", "encrypt", 8 << 20)) == ""
    assert "at most 31 MiB together" in accelerator.refuses(point("aes-256-gcm", "encrypt", 8 << 20, jobs=2))


def test_engines_are_chosen_by_environment() -> None:
    on_soc = engines.choose("cpu", Environment.BARE_METAL)
    assert [entry.name for entry in on_soc] == ["cpu/zkn"]
    assert all(entry.environment is Environment.HOST for entry in engines.choose("cpu"))


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "outwork", *arguments], cwd=PROJECT, capture_output=True, text=True, timeout=300
    )


def test_bench_command() -> None:
    run = command(
        *("bench", "--board", "soc", "--engine", "cpu", "--engine", "accelerator"),
        *("--operation", "encrypt", "--size", "64", "--jobs", "1", "--json", "-"),
    )
    assert run.returncode == 0, run.stderr
    slow, fast = (json.loads(line) for line in run.stdout.splitlines())
    for record in (slow, fast):
        assert (record["board"], record["environment"], record["unit"]) == ("soc", "bare-metal", "cycles")
        assert record["cpu_cycles"] <= record["cost"]["p50"]
    assert (slow["engine"], fast["engine"]) == ("cpu", "accelerator") and fast["cost"]["p50"] < slow["cost"]["p50"]
    assert "cpu/zkn (soc)" in run.stderr and "CPU cycles" in run.stderr


def test_bench_command_names_what_there_is() -> None:
    run = command("bench", "--board", "soc", "--engine", "cpu/openssl")
    assert run.returncode != 0 and "There are: accelerator" in run.stderr and "cpu/zkn" in run.stderr
