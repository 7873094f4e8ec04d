# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lab's engines on this CPU: correct results, refusals, detected errors, and a loop with almost no cost."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import pytest
from lab_cpu import NAMES, adapter_of, point

from outwork import algorithms
from outwork.algorithms import CIPHERS, HASHES, MACS
from outwork.algorithms.base import Operation
from outwork.algorithms.combined import FAMILY as COMBINED
from outwork.algorithms.radio import FAMILY as RADIO
from outwork.errors import OutworkError, UsageError
from outwork.lab import adapters, engines
from outwork.lab.cpu_work import CpuWork, refuses
from outwork.lab.engines.base import LabEngine
from outwork.lab.records import KeyUse, Kind, Point

OVERHEAD_SECONDS_MAX = 20e-9


@pytest.fixture(scope="module")
def opened() -> Iterator[Callable[[str], LabEngine]]:
    """Engines by name, each opened once; a test whose library is absent is skipped."""
    found: dict[str, LabEngine] = {}

    def get(name: str) -> LabEngine:
        if name not in found:
            (candidate,) = engines.choose(name)
            if candidate.missing:
                pytest.skip(f"{name}: {candidate.missing}")
            found[name] = candidate.open(None)
        return found[name]

    yield get
    for engine in found.values():
        engine.close()


def all_points(sizes: tuple[int, ...], jobs: tuple[int, ...], alignments: tuple[int, ...]) -> Iterator[Point]:
    for cipher in CIPHERS.values():
        for operation, size, count, keys, offset in product(cipher.operations, sizes, jobs, KeyUse, alignments):
            try:
                cipher.check_length(size)
            except UsageError:
                continue
            yield Point(cipher, operation, size, count, max(1, count // 2), keys, offset)


def measure_all(engine: LabEngine, points: Iterator[Point]) -> int:
    """Each point is prepared, that is compared with `cryptography`, and sampled."""
    done = 0
    for wanted in points:
        if engine.refuses(wanted):
            continue
        work = engine.prepare(wanted)
        sample = work.sample()
        assert sample.cost > 0 and sample.latency > 0
        assert work.messages >= wanted.jobs
        work.close()
        done += 1
    return done


@pytest.mark.parametrize("name", ["software/openssl", "cpu/openssl", "software/mbedtls", "cpu/mbedtls"])
def test_right_answers_of_aes_with_hmac(opened: Callable[[str], LabEngine], name: str) -> None:
    """Every one of them, in both directions; a wrong tag is refused."""
    points = [
        Point(algorithm, operation, 208, 1, 1, keys, 3)
        for algorithm in COMBINED.others
        for operation, keys in product(algorithm.operations, KeyUse)
    ]
    assert measure_all(opened(name), iter(points)) == len(points)


@pytest.mark.parametrize("name", ["wolfssl", "ipsec_mb"])
def test_other_libraries_refuse_aes_with_hmac(name: str) -> None:
    assert refuses(adapter_of(name), point("aes-128-cbc-hmac-sha-1", "encrypt")) == (
        "AES with HMAC is measured with OpenSSL and Mbed TLS only"
    )


@pytest.mark.parametrize(
    ("name", "least"), [("software/openssl", 200), ("cpu/openssl", 200), ("cpu/ipsec-mb", 80), ("software/mbedtls", 80)]
)
def test_right_answers_of_hashes(opened: Callable[[str], LabEngine], name: str, least: int) -> None:
    """Digests and MACs, alone and with many in flight; keys kept, changed, and contexts made anew."""
    points = [
        Point(algorithm, operation, size, jobs, jobs, keys, 3)
        for algorithm in (*HASHES.values(), *MACS.values())
        for operation, size, jobs, keys in product(algorithm.operations, (1, 208), (1, 16), KeyUse)
    ]
    assert measure_all(opened(name), iter(points)) >= least


RADIO_NAMES = ("software/radio", "software/radio-constant-time", "cpu/ipsec-mb")


@pytest.mark.parametrize("name", RADIO_NAMES)
def test_right_answers_of_radio_algorithms(opened: Callable[[str], LabEngine], name: str) -> None:
    """Alone, and with many in flight where the library does that; keys kept, changed, and contexts made anew."""
    points = [
        Point(algorithm, operation, size, jobs, jobs, keys, 3)
        for algorithm in RADIO.others
        for operation, size, jobs, keys in product(algorithm.operations, (1, 32, 1500), (1, 16), KeyUse)
    ]
    assert measure_all(opened(name), iter(points)) >= 4 * 2 * 3 * 4  # four algorithms, operations, sizes, uses of keys


def test_who_has_no_radio_algorithm_says_so(opened: Callable[[str], LabEngine]) -> None:
    for name in ("software/openssl", "cpu/openssl", "cpu/mbedtls"):
        for algorithm in RADIO.others:
            assert opened(name).refuses(Point(algorithm, algorithm.operations[0], 32))
    for algorithm in ("aes-128-ctr", "tdes-cbc"):
        assert opened("software/radio").refuses(Point(algorithms.find(algorithm), Operation.ENCRYPT, 32))


@pytest.mark.parametrize("name", NAMES)
def test_right_answers(opened: Callable[[str], LabEngine], name: str) -> None:
    assert measure_all(opened(name), all_points((48, 49), (1, 16), (3,))) > 100


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_right_answers_everywhere(opened: Callable[[str], LabEngine], name: str) -> None:
    assert measure_all(opened(name), all_points((16, 17, 1000, 4096, 65520), (1, 2, 5, 64, 128), (0, 1))) > 700


@pytest.mark.parametrize(
    ("name", "wanted", "words"),
    [
        ("cpu/openssl", point("aes-256-gcm", "encrypt", jobs=16), "one message per call"),
        ("cpu/openssl", point("aes-256-ctr", "encrypt", 17, keys="kept"), "whole blocks"),
        ("cpu/openssl", point("aes-256-xts", "encrypt", keys="kept"), "processes whole messages only"),
        ("cpu/openssl", point("aes-256-xts", "encrypt", (16 << 20) + 16), "SP 800-38E"),
        ("cpu/openssl", point("aes-256-ccm", "encrypt", 16 << 20), "SP 800-38C"),
        ("cpu/ipsec-mb", point("aes-256-gcm", "encrypt", jobs=129), "at most 128"),
        ("cpu/ipsec-mb", point("aes-256-ctr", "encrypt", 16 << 20, jobs=128), "bytes together"),
        ("cpu/ipsec-mb", point("aes-256-gcm", "encrypt", keys="kept"), "whole messages only"),
        (
            "cpu/ipsec-mb",
            point("aes-256-gcm", "encrypt", jobs=2, keys="new-context"),
            "new-context has one message in flight",
        ),
        ("cpu/ipsec-mb", point("aes-128-xts", "encrypt"), "no XTS"),
        ("cpu/ipsec-mb", point("sha-256", "digest", 65536), "65534 bytes"),
        ("cpu/ipsec-mb", point("sha3-256", "digest"), "SHA-1 to SHA-512"),
        ("cpu/ipsec-mb", point("aes-192-cmac", "mac"), "192-bit"),
        ("cpu/ipsec-mb", point("aes-128-cbc", "encrypt", 65536), "65534 bytes"),
        ("software/mbedtls", point("aes-128-gcm", "encrypt", keys="kept"), "from version to version"),
        ("software/plain-O2", point("aes-128-ccm", "encrypt"), "Python only"),
    ],
)
def test_refusals(opened: Callable[[str], LabEngine], name: str, wanted: Point, words: str) -> None:
    engine = opened(name)
    assert words in engine.refuses(wanted)
    with pytest.raises(OutworkError, match="cannot be measured"):  # refuses, then fails too
        engine.prepare(wanted)


def test_the_limit_of_ipsec_mb_is_the_librarys_own() -> None:
    adapter = adapter_of("ipsec_mb")
    longest = point("aes-128-cmac", "mac", 65534, jobs=4)
    assert refuses(adapter, longest) == ""
    CpuWork(adapter, longest).close()
    lenient = mutated(adapter, refuses=lambda _, setting: adapters.loop().ffi.NULL)
    assert refuses(lenient, replace(longest, size_bytes=65535)) == ""
    with pytest.raises(OutworkError, match="refused a message"):
        CpuWork(lenient, replace(longest, size_bytes=65535))
    CpuWork(adapter, longest).close()  # nothing is left in flight


# -- a wrong library


def mutated(adapter: adapters.Adapter, **changes: Callable[..., Any]) -> adapters.Adapter:
    """An adapter with other functions; each gets the one that it stands for first."""
    ffi = adapters.loop().ffi
    calls = ffi.new("struct ow_lab_calls *", adapter.calls[0])
    kept: list[Any] = []
    for name, change in changes.items():
        kind = ffi.typeof(getattr(calls, name))
        kept.append(ffi.callback(kind, partial(change, getattr(adapter.calls, name))))
        setattr(calls, name, kept[-1])
    return replace(adapter, calls=calls, module=(adapter.module, kept))


def flip_destination(original: Any, context: Any, message: Any, *key: Any) -> int:
    answer = original(context, message, *key)
    message.destination[40] ^= 1
    return int(answer)


def flip_tag(original: Any, context: Any, message: Any, *key: Any) -> int:
    answer = original(context, message, *key)
    message.tag[0] ^= 0x80
    return int(answer)


def ignore_key(original: Any, context: Any, message: Any, key: Any) -> int:
    return int(original(context, message, adapters.loop().ffi.NULL))


def accept(original: Any, context: Any, message: Any, *key: Any) -> int:
    original(context, message, *key)
    return 1


@pytest.mark.parametrize(
    ("change", "wanted", "words"),
    [
        ({"message": flip_destination}, point("aes-256-gcm", "encrypt"), "wrong result"),
        ({"message": flip_destination}, point("aes-256-gcm", "decrypt"), "wrong result"),
        ({"message": flip_destination}, point("aes-128-ccm", "decrypt"), "wrong result"),
        ({"message": flip_destination}, point("aes-192-ecb", "decrypt", keys="new-context"), "wrong result"),
        ({"message": flip_destination}, point("aes-256-xts", "encrypt", keys="rotate"), "wrong result"),
        ({"message": flip_tag}, point("aes-256-gcm", "encrypt"), "wrong result"),
        ({"message": flip_tag}, point("aes-128-cmac", "mac"), "wrong result"),
        ({"message": ignore_key}, point("aes-128-cbc", "encrypt", keys="new-key"), "wrong result"),
        ({"message": ignore_key}, point("aes-128-gmac", "mac", keys="new-key"), "wrong result"),
        ({"message": accept}, point("aes-128-gmac", "verify"), "accepts a wrong tag"),
        ({"message": accept}, point("aes-128-cmac", "verify"), "accepts a wrong tag"),
        ({"message": accept}, point("aes-128-ccm", "decrypt"), "accepts a wrong tag"),
        ({"message": lambda *_: 0}, point("aes-128-cbc", "encrypt"), "refused a message"),
        ({"piece": flip_destination}, point("aes-128-cbc", "encrypt", keys="kept"), "wrong result"),
        ({"piece": flip_destination}, point("aes-128-gcm", "decrypt", keys="kept"), "wrong result"),
        ({"end": flip_tag}, point("aes-128-gcm", "encrypt", keys="kept"), "wrong result"),
        ({"end": lambda *_: 0}, point("aes-128-cmac", "verify", keys="kept"), "refused a message in pieces"),
        ({"open": lambda *_: adapters.loop().ffi.NULL}, point("aes-128-cbc", "encrypt"), "cannot be opened"),
        ({"set_key": lambda *_: 0}, point("aes-128-cbc", "encrypt"), "does not take its key"),
    ],
)
def test_wrong_answers_are_found(change: dict[str, Callable[..., Any]], wanted: Point, words: str) -> None:
    adapter = adapter_of("openssl")
    CpuWork(adapter, wanted).close()
    with pytest.raises(OutworkError, match=words):
        CpuWork(mutated(adapter, **change), wanted)


def flip_third(original: Any, contexts: Any, messages: Any, count: int) -> int:
    answer = original(contexts, messages, count)
    messages[count // 2].destination[3] ^= 4
    return int(answer)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"submit": flip_third}, "wrong result"),
        ({"submit": lambda *_: -1}, "refused a message"),
        ({"submit": lambda *_: 0, "flush": lambda *_: 0}, "refused a message"),  # it has lost them: no endless wait
    ],
)
def test_wrong_answers_of_many_in_flight_are_found(change: dict[str, Callable[..., Any]], words: str) -> None:
    wanted = point("aes-128-ctr", "encrypt", jobs=8)
    adapter = adapter_of("ipsec_mb")
    CpuWork(adapter, wanted).close()
    with pytest.raises(OutworkError, match=words):
        CpuWork(mutated(adapter, **change), wanted)


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_no_more_in_flight_than_asked_for(jobs: int) -> None:
    in_flight, most = 0, 0

    def submit(original: Any, contexts: Any, messages: Any, count: int) -> int:
        nonlocal in_flight, most
        in_flight += count
        most = max(most, in_flight)
        ended = int(original(contexts, messages, count))
        in_flight -= ended
        return ended

    def flush(original: Any) -> int:
        nonlocal in_flight
        ended = int(original())
        in_flight -= ended
        return ended

    wanted = point("aes-128-cbc", "encrypt", 256, jobs=jobs, batch=min(2, jobs))
    work = CpuWork(mutated(adapter_of("ipsec_mb"), submit=submit, flush=flush), wanted)
    work.sample()
    work.close()
    assert (in_flight, most) == (0, jobs if jobs > 1 else 0)


def test_keys_are_wiped() -> None:
    work = CpuWork(adapter_of("openssl"), point("aes-256-gcm", "encrypt", keys="rotate"))
    cells = (work._slots, work._keys)
    assert all(any(bytes(work._ffi.buffer(cell))) for cell in cells)
    work.close()
    assert not any(any(bytes(work._ffi.buffer(cell))) for cell in cells)


# -- what the loop costs, and the CPU's frequency


@pytest.mark.parametrize("keys", KeyUse)
def test_overhead_of_the_loop(keys: KeyUse) -> None:
    adapter = adapter_of("openssl")
    found = []
    for _ in range(3):
        work = CpuWork(adapter, point("aes-256-gcm", "encrypt", 16, keys=keys))
        found.append(work.overhead_seconds)
        work.close()
    assert 0 < min(value for value in found if value is not None) < OVERHEAD_SECONDS_MAX


def test_clock_and_record(opened: Callable[[str], LabEngine]) -> None:
    engine = opened("cpu/openssl")
    assert (engine.kind, engine.unit, engine.board, engine.environment) == (Kind.MEASURED, "seconds", None, "host")
    work = engine.prepare(point("aes-256-gcm", "encrypt", 16))
    work.sample()
    clock_hz = engine.clock_hz()
    work.close()
    assert clock_hz is not None and 0.2e9 < clock_hz < 8e9
    assert work.overhead_seconds is not None and work.overhead_seconds > 0
