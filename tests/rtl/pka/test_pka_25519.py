# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""X25519 and Ed25519: the golden model against the RFCs and another implementation, the core against both models, exact
cycles, and bits of memory that flip."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest
import wycheproof_25519
from cryptography.hazmat.primitives.asymmetric import ed25519, x25519
from pka_jobs import curve25519, isa, line, model, play, play_lines, run

P, ORDER = curve25519.P, curve25519.ORDER
# RFC 7748, 6.1: these and what else gives zero. The first five modulo p are all points of an order up to 8, on both curves.
SMALL = [
    0,
    1,
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
    P - 1,
    P,
    P + 1,
]
CYCLES = {"x25519": 55_227, "ed25519_public": 29_611, "ed25519_sign": 685, "ed25519_verify": 73_742}
SETTINGS = [pytest.param(8, id="rows8"), *(pytest.param(n, id=f"rows{n}", marks=pytest.mark.slow) for n in (4, 2, 1))]


def little(text: str) -> int:
    return int.from_bytes(bytes.fromhex(text), "little")


def string(x: int) -> bytes:
    return x.to_bytes(32, "little")


def number(rng: random.Random) -> bytes:
    return rng.randbytes(32)


def random_numbers(rng: random.Random) -> bytes:
    return rng.randbytes(8 + 32)


def scalars(rng: random.Random) -> list[int]:
    """Scalars that leak where something is wrong, and what the standard does with the bits that do not count."""
    run_of = rng.randrange(8, 248)
    return [0, 2**256 - 1, 7, 8, 1 << 254, (1 << 255) - 1, 3 << 254, (1 << run_of) - 1, rng.getrandbits(256)]


def test_model_of_x25519() -> None:
    """RFC 7748, 5.2 and 6.1, and OpenSSL."""
    k = little("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
    u = little("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")
    assert string(curve25519.x25519(k, u)).hex() == "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
    k = u = 9
    for _ in range(100):
        k, u = curve25519.x25519(k, u), k
    rng = random.Random("model")
    for _ in range(20):
        d, other = rng.getrandbits(256), rng.getrandbits(256)
        private = x25519.X25519PrivateKey.from_private_bytes(string(d))
        assert private.public_key().public_bytes_raw() == string(curve25519.x25519(d, curve25519.BASE_U))
        shared = private.exchange(x25519.X25519PublicKey.from_public_bytes(string(other)))
        assert shared == string(curve25519.x25519(d, other))
    for u in SMALL:
        assert curve25519.x25519(rng.getrandbits(256), u) == 0


def signature(rng: random.Random, message: bytes) -> tuple[int, int, int, int, int, int]:
    """By the golden model, equal to OpenSSL's: a, r, h, the key, R, S."""
    seed = rng.randbytes(32)
    expanded = hashlib.sha512(seed).digest()
    a = curve25519.decode_scalar(int.from_bytes(expanded[:32], "little"))
    key = curve25519.public(a)
    r = int.from_bytes(hashlib.sha512(expanded[32:] + message).digest(), "little")
    point = curve25519.public(r)
    h = int.from_bytes(hashlib.sha512(string(point) + string(key) + message).digest(), "little")
    s = curve25519.sign(a, r, h)
    private = ed25519.Ed25519PrivateKey.from_private_bytes(seed)
    assert private.sign(message) == string(point) + string(s)
    return a, r, h, key, point, s


def test_model_of_ed25519() -> None:
    rng = random.Random("model of signatures")
    for length in (0, 1, 200):
        *_, h, key, point, s = signature(rng, rng.randbytes(length))
        assert curve25519.verify(key, point, s, h) is True
        assert curve25519.verify(key, point, s + ORDER, h) is False
        assert curve25519.verify(key, point, s, h ^ 1) is False


@pytest.mark.parametrize("rows", SETTINGS)
def test_x25519(tmp_path: Path, rows: int) -> None:
    rng = random.Random("x25519")
    points = [9, 2, P - 2, P + 2, 2**255 - 1, 2**256 - 1, (1 << 255) + 9, rng.getrandbits(256)]
    jobs = [model.job_x25519(rng.getrandbits(256), u, number(rng)) for u in points]
    jobs += [model.job_x25519(k, rng.getrandbits(255), number(rng)) for k in scalars(rng)]
    assert all(job.expected.status == model.OK for job in jobs)
    play(jobs[:3], tmp_path, rows)
    play(jobs[3:], tmp_path, rows, cycles=False)


def test_small_orders_are_refused(tmp_path: Path) -> None:
    """A status and zeros (RFC 7748, 6.1), also with the top bit set; the points beside them are taken."""
    rng = random.Random("small")
    small = [*SMALL, SMALL[2] + (1 << 255)]
    jobs = [model.job_x25519(rng.getrandbits(256), u, number(rng)) for u in small]
    assert [job.expected for job in jobs] == [model.Result(model.BAD_OPERAND, bytes(32))] * len(small)
    beside = [model.job_x25519(rng.getrandbits(256), u ^ 2, number(rng)) for u in SMALL[2:4]]
    assert all(job.expected.status == model.OK for job in beside)
    play(jobs + beside, tmp_path, cycles=False)


@pytest.mark.parametrize("rows", SETTINGS)
def test_ed25519(tmp_path: Path, rows: int) -> None:
    rng = random.Random("ed25519")
    a, r, h, key, point, s = signature(rng, b"message")
    jobs = [
        model.job_ed25519_public(a, random_numbers(rng)),
        model.job_ed25519_sign(a, r, h, number(rng)),
        model.job_ed25519_verify(key, point, s, h),
    ]
    assert jobs[0].expected.output[::-1] == string(key) and jobs[1].expected.output[::-1] == string(s)
    play(jobs, tmp_path, rows)
    edges = [0, 1, ORDER - 1, ORDER, ORDER + 1, 2**512 - 1, 8 * ORDER]
    jobs = [model.job_ed25519_public(x, random_numbers(rng)) for x in edges]
    jobs += [
        model.job_ed25519_sign(x, y, z, number(rng)) for x, y, z in [(0, 0, 0), (2**256 - 1, 2**512 - 1, 2**512 - 1)]
    ]
    jobs += [model.job_ed25519_sign(a, r, h, bytes(32)), model.job_ed25519_sign(a, r, h, b"\xff" * 32)]
    jobs.append(model.job_ed25519_public(r, bytes(8) + number(rng)))
    play(jobs, tmp_path, rows, cycles=False)


def test_wrong_signatures(tmp_path: Path) -> None:
    """Each part wrong, S not below the order, R and keys that are no points or not encoded as the standard says."""
    rng = random.Random("wrong signatures")
    *_, h, key, point, s = signature(rng, b"message")
    cases = [
        (key, point ^ 1 << 255, s, h),
        (key, point, s ^ 1, h),
        (key, point, s, h ^ 1),
        (key ^ 1 << 255, point, s, h),
    ]
    cases += [(key, point, s + ORDER, h), (key, point, 2**256 - 1, h), (key, P + 1, s, h), (key, point, 0, h)]
    jobs = [model.job_ed25519_verify(*case) for case in cases]
    assert {job.expected.status for job in jobs} == {model.AUTH_FAILED}
    # Keys of a small order are points: S = 0 and R neutral is a signature under the neutral element.
    small = [(1, 1, 0, h), (1, 1, 1, h), (0, 1, 0, 4), (P - 1, 1, 0, 2), (P - 1, 1, 0, 1)]
    jobs += [model.job_ed25519_verify(*case) for case in small]
    assert [job.expected.status for job in jobs[-5:]] == [0, model.AUTH_FAILED, 0, 0, model.AUTH_FAILED]
    bad = [P, P + 1, 2**255 - 1, 2, 7, 1 | 1 << 255, P - 1 | 1 << 255, P + 1 | 1 << 255]
    jobs += [model.job_ed25519_verify(x, point, s, h) for x in bad]
    assert {job.expected.status for job in jobs[-len(bad) :]} == {model.BAD_OPERAND}
    # Some of the edges once more on the machine's model, which checks the bounds of every product.
    for job in jobs[-len(bad) - 5 :: 5]:
        run(job)
    play(jobs, tmp_path, cycles=False)


def test_points_of_all_signs(tmp_path: Path) -> None:
    """Keys with x even and odd, and with both of the two candidates for its root."""
    rng = random.Random("signs")
    jobs = []
    for _ in range(6):
        a, h = rng.randrange(ORDER), rng.getrandbits(512)
        r = rng.randrange(ORDER)
        key, point = curve25519.public(a), curve25519.public(r)
        jobs.append(model.job_ed25519_verify(key, point, curve25519.sign(a, r, h), h))
    assert all(job.expected.status == model.OK for job in jobs)
    play(jobs, tmp_path, cycles=False)


@pytest.mark.parametrize("of_a_kind", [pytest.param(1, id="few"), pytest.param(1000, id="all", marks=pytest.mark.slow)])
def test_wycheproof(tmp_path: Path, of_a_kind: int) -> None:
    """Their results, from the core."""
    rng = random.Random("wycheproof")
    jobs = []
    for vector in wycheproof_25519.sample("x25519", of_a_kind):
        job = model.job_x25519(little(vector.test["private"]), little(vector.test["public"]), number(rng))
        assert job.expected.output[::-1] == vector.hex("shared")
        jobs.append(job)
    for vector in wycheproof_25519.sample("ed25519", of_a_kind):
        made = vector.hex("sig")
        if len(made) == 64:
            r, s = made[:32], made[32:]
            h = hashlib.sha512(r + vector.key + vector.hex("msg")).digest()
            job = model.job_ed25519_verify(*(int.from_bytes(x, "little") for x in (vector.key, r, s, h)))
            assert (job.expected.status == model.OK) == vector.is_valid
            jobs.append(job)
    play(jobs, tmp_path, cycles=False)


COUNTS = [pytest.param(6, id="few"), pytest.param(500, id="many", marks=pytest.mark.slow)]


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", CYCLES)
def test_numbers_do_not_change_cycles(tmp_path: Path, name: str, count: int) -> None:
    rng = random.Random(f"cycles {name} {count}")
    jobs = []
    for i in range(count):
        k, u = rng.choice(scalars(rng)), rng.choice([9, 0, P - 1, rng.getrandbits(256)])
        wide = [rng.choice([0, 1, ORDER, rng.getrandbits(512)]) for _ in range(2)]
        if name == "x25519":
            jobs.append(model.job_x25519(k, u, number(rng)))
        elif name == "ed25519_public":
            jobs.append(model.job_ed25519_public(wide[0], random_numbers(rng)))
        elif name == "ed25519_sign":
            jobs.append(model.job_ed25519_sign(k, *wide, number(rng)))
        elif i < 4:
            jobs.append(model.job_ed25519_verify(rng.choice([1, 2, P - 1]), k, rng.randrange(ORDER), wide[0]))
    play_lines([line(job, CYCLES[name]) for job in jobs], tmp_path)


@pytest.mark.parametrize("count", [pytest.param(12, id="few"), pytest.param(1000, id="many", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["x25519", "ed25519_public"])
def test_flips(tmp_path: Path, name: str, count: int) -> None:
    """A bit of a point that flips in the ladder or the comb: an error or the right result, never a wrong one."""
    rng = random.Random(f"flips {name} {count}")
    if name == "x25519":
        job, words, last = model.job_x25519(rng.getrandbits(256), 9, number(rng)), (16, 34), 46_000
    else:
        job, words, last = model.job_ed25519_public(rng.getrandbits(512), random_numbers(rng)), (32, 35), 22_000
    lines = []
    for _ in range(count):
        flip = (rng.randrange(1500, last), rng.randrange(4), rng.randrange(2 * words[0], 2 * words[1]))
        lines.append(line(job, -1, (*flip, rng.randrange(isa.WORD_BITS))))
    play_lines(lines, tmp_path)
