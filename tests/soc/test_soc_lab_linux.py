# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lab on the system on chip with the kernel module: a process with a queue of its own, and the kernel's crypto API."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from outwork import algorithms
from outwork.algorithms.base import Operation
from outwork.device import profiles
from outwork.device.profiles import Environment
from outwork.errors import OutworkError
from outwork.lab import engines, soc_point
from outwork.lab.engines import soc, soc_kernel
from outwork.lab.engines.soc import SocEngine
from outwork.lab.engines.soc_files import SocFileEngine
from outwork.lab.engines.soc_kernel import KernelEngine
from outwork.lab.records import KeyUse, Point
from outwork.paths import PROJECT, has_library
from outwork.soc import linux, module

BOARD = "soc"
IS_BUILT = not soc.why_no_kernel(Environment.LINUX_KERNEL)
needs_kernel = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_library("ow_soc_128"), reason="the system is not built: make soc"),
    pytest.mark.skipif(not IS_BUILT, reason="kernel and modules are not built: make linux"),
]


def on_kernel(test: pytest.MarkDecorator | object) -> object:
    for mark in needs_kernel:
        test = mark(test)
    return test


def point(algorithm: str, operation: str, size: int = 64, jobs: int = 1, keys: KeyUse = KeyUse.NEW_IV) -> Point:
    found = algorithms.find(algorithm)
    return Point(found, Operation(operation), found.message_bytes or size, jobs, max(1, jobs // 2), keys)


@pytest.fixture(scope="module")
def queue() -> Iterator[SocEngine]:
    with SocEngine("outwork", Environment.LINUX_QUEUE, profiles.load(BOARD)) as engine:
        yield engine


@pytest.fixture(scope="module")
def kernel() -> Iterator[KernelEngine]:
    with KernelEngine(True, profiles.load(BOARD)) as engine:
        yield engine


@pytest.fixture(scope="module")
def kernels_own() -> Iterator[KernelEngine]:
    with KernelEngine(False, profiles.load(BOARD)) as engine:
        yield engine


@on_kernel
@pytest.mark.parametrize(
    ("algorithm", "operation", "size", "jobs", "keys"),
    [
        ("aes-256-gcm", "encrypt", 16, 1, KeyUse.NEW_IV),
        ("aes-128-gcm", "decrypt", 100, 3, KeyUse.NEW_IV),
        ("aes-192-cbc", "encrypt", 48, 3, KeyUse.NEW_KEY),
        ("aes-128-xts", "decrypt", 33, 3, KeyUse.NEW_IV),
        ("sha3-384", "digest", 200, 3, KeyUse.NEW_IV),
        ("hmac-sha-256", "verify", 70, 1, KeyUse.NEW_IV),
        ("aes-256-gcm", "encrypt", 65_536, 16, KeyUse.NEW_IV),
    ],
)
def test_a_process_with_a_queue(
    queue: SocEngine, algorithm: str, operation: str, size: int, jobs: int, keys: KeyUse
) -> None:
    """SocWork compares results with an independent implementation and the device's job counter with the jobs given."""
    asked = point(algorithm, operation, size, jobs, keys)
    assert queue.refuses(asked) == ""
    work = queue.prepare(asked)
    assert 0 < (work.cpu_cycles() or 0) <= work.sample().cost


@on_kernel
def test_what_a_queue_does_not_have(queue: SocEngine) -> None:
    assert "no slots for the two keys" in queue.refuses(point("aes-256-cbc-hmac-sha-256", "encrypt"))
    assert "at most 3 MiB together" in queue.refuses(point("aes-256-gcm", "encrypt", 4 << 20))


@on_kernel
def test_a_small_job_of_a_process_costs_little_more_than_on_the_bare_machine(queue: SocEngine) -> None:
    wanted = point("aes-256-gcm", "encrypt", 16)
    with SocEngine("outwork", Environment.BARE_METAL, profiles.load(BOARD)) as bare:
        assert queue.prepare(wanted).sample().latency < 1.5 * bare.prepare(wanted).sample().latency


@on_kernel
@pytest.mark.parametrize(
    ("algorithm", "operation"),
    [("rsa-2048", "private"), ("ecdsa-p256", "sign"), ("ecdsa-p256", "verify"), ("ecdh-p256", "derive")],
)
def test_public_keys_of_a_process(queue: SocEngine, algorithm: str, operation: str) -> None:
    """SocPkaWork checks the result and that the device has counted jobs."""
    assert queue.refuses(point(algorithm, operation)) == ""
    assert queue.prepare(point(algorithm, operation)).sample().cost > 0


@on_kernel
def test_files_of_a_process() -> None:
    board = profiles.in_environment(profiles.load(BOARD), Environment.LINUX_QUEUE)
    with SocFileEngine("outwork", Environment.LINUX_QUEUE, board) as engine:
        for algorithm in ("aes-256-cbc", "aes-256-ctr"):
            wanted = point(algorithm, "encrypt", 6 * 16_384)
            assert engine.refuses(wanted) == ""
            assert engine.prepare(wanted).sample().cost > wanted.size_bytes


@on_kernel
@pytest.mark.parametrize(
    ("algorithm", "operation", "size", "jobs"),
    [
        ("aes-256-gcm", "encrypt", 16, 1),
        ("aes-128-gcm", "decrypt", 100, 1),
        ("aes-192-cbc", "encrypt", 48, 3),
        ("aes-256-ecb", "decrypt", 64, 3),
        ("aes-128-xts", "decrypt", 33, 3),
        ("aes-256-cmac", "mac", 20, 1),
        ("sha-256", "digest", 200, 3),
        ("sha3-384", "digest", 200, 1),
        ("hmac-sha-256", "mac", 70, 3),
    ],
)
def test_the_crypto_api(
    kernel: KernelEngine, kernels_own: KernelEngine, algorithm: str, operation: str, size: int, jobs: int
) -> None:
    """Results are compared; every request is a job of the device, and none of the kernel's own code."""
    asked = point(algorithm, operation, size, jobs)
    assert kernel.refuses(asked) == ""
    work = kernel.prepare(asked)
    assert 0 < (work.cpu_cycles() or 0) <= work.sample().cost
    alone = point(algorithm, operation, size)
    assert kernels_own.refuses(alone) == ""
    assert kernels_own.prepare(alone).sample().cost > 0


@on_kernel
def test_where_the_cycles_go(kernel: KernelEngine, queue: SocEngine) -> None:
    """By functions: the sum is the cost of a message in another run, in which other ticks of the timer fall."""
    wanted = point("aes-256-gcm", "encrypt", 16)
    in_kernel, in_process = (engine.prepare(wanted) for engine in (kernel, queue))
    found, own = in_kernel.stages() or {}, in_process.stages() or {}
    assert min(found[name] for name in ("driver", "module", "mapping", "interrupt", "crypto API")) > 100
    assert sum(found.values()) == pytest.approx(in_kernel.sample().cost, rel=0.3)
    assert own["driver"] > 500 and own["module"] == 0 and own["system call"] < 20
    assert sum(own.values()) == pytest.approx(in_process.sample().cost, rel=0.3)


@on_kernel
def test_a_request_that_the_device_has_not_done_is_noticed(kernels_own: KernelEngine) -> None:
    wanted = point("aes-256-gcm", "encrypt")
    names = kernels_own._name(wanted.algorithm)  # the module is told so
    with pytest.raises(OutworkError, match="counted 0 jobs"):
        soc_point.SocWork(kernels_own.machine, wanted, soc_point.Device.RINGS, names)


@on_kernel
def test_what_the_crypto_api_does_not_have(kernel: KernelEngine, kernels_own: KernelEngine) -> None:
    assert "no public keys" in kernel.refuses(point("rsa-2048", "private"))
    assert "not measured" in kernel.refuses(point("128-eea3", "encrypt"))
    assert "leaves it to the caller" in kernel.refuses(point("hmac-sha-256", "verify"))
    assert "one message per call" in kernels_own.refuses(point("aes-256-gcm", "encrypt", jobs=2))
    assert "at most 16 messages with a new key" in kernel.refuses(
        point("aes-256-gcm", "encrypt", jobs=32, keys=KeyUse.NEW_KEY)
    )


@on_kernel
@pytest.mark.parametrize("environment", ["linux-queue", "linux-kernel"])
def test_bench_command(environment: str) -> None:
    command = [sys.executable, "-m", "outwork", "bench", "--board", "soc", "--environment", environment]
    engine = ("--engine", "software", "--engine", "accelerator")
    run = subprocess.run(
        [*command, *engine, "--operation", "encrypt", "--size", "64", "--jobs", "1", "--json", "-"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert run.returncode == 0, run.stderr
    slow, fast = (json.loads(line) for line in run.stdout.splitlines())
    for record in (slow, fast):
        assert (record["board"], record["environment"], record["unit"]) == (
            f"soc, {environment}",
            environment,
            "cycles",
        )
        assert 0 < record["cpu_cycles"] <= record["cost"]["p50"]
    assert fast["cost"]["p50"] < slow["cost"]["p50"]


def test_the_names_of_the_crypto_api() -> None:
    def names(algorithm: str) -> tuple[str, ...] | None:
        return soc_kernel.names_of(algorithms.find(algorithm))

    assert names("aes-256-gcm") == ("aead", "gcm_base(ctr(aes-generic),ghash-generic)", "gcm-aes-outwork")
    assert names("sha-256") == ("hash", "sha256-generic", "sha256-outwork")
    assert names("sha3-384") == ("hash", "sha3-384-generic", "sha3-384-outwork")
    assert names("hmac-sha-512") == ("hash", "hmac(sha512-generic)", "hmac-sha512-outwork")
    assert names("aes-256-ccm") is None and names("aes-128-cbc-hmac-sha-1") is None


def test_engines_of_both_environments() -> None:
    found = {entry.name for entry in engines.choose("accelerator", Environment.LINUX_KERNEL)}
    assert found == {"accelerator/outwork"}
    (cpu,) = engines.choose("cpu", Environment.LINUX_KERNEL)
    assert cpu.missing
    assert [entry.name for entry in engines.choose("cpu", Environment.LINUX_QUEUE)] == ["cpu/zkn"]


@on_kernel
def test_a_module_that_does_not_load_is_no_checkpoint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    image = tmp_path / "Image"
    image.write_bytes(module.IMAGE.read_bytes())
    (tmp_path / "outwork.ko").write_bytes(b"no module")
    monkeypatch.setattr(module, "IMAGE", image)
    monkeypatch.setattr(module, "MODULE", tmp_path / "outwork.ko")
    boot = module.boot(has_module=True)
    with pytest.raises(OutworkError, match="Linux does not wait for a program: "):
        linux.booted(boot, BOARD)
    assert not linux.booted_path(boot, BOARD).is_file()
