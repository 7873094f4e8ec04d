# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""All queues share the unit: which queue has it, for how long, and how soon an abort frees it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from engine_bench import both_forms
from engine_script import (
    EC_MULTIPLY,
    EC_PUBLIC,
    EC_SIGN,
    RSA_LOAD,
    RSA_PRIVATE,
    RSA_PUBLIC,
    Script,
    number,
    on,
    rsa_lengths,
)
from pka_jobs import curves, model, rsa_key

from outwork.spec import Status

P256, P384, P521, SECP256K1 = curves.CURVES
PATIENCE = 16_384
WIPE = 512
BLINDING = bytes(8) + number(P256, 11)
P256_PUBLIC = 53_500  # cycles from its turn to its result, its input and a wipe before included
LOADED = 112  # words in a full buffer


def public(script: Script, queue: int, d: int = 5, given: int | None = None) -> int:
    return script.job(EC_PUBLIC, on(P256), BLINDING, number(P256, d), queue, given)


@pytest.mark.parametrize("given", [0, 1, 4], ids=lambda given: f"{given}_words")
def test_jobs_without_input_hold_nothing(tmp_path: Path, given: int) -> None:
    """Fifteen of one queue wait for words that never come: a job of another takes as long as alone."""
    script = Script()
    hostile = [public(script, 1, given=given) for _ in range(15)]
    script.pass_time(2 * WIPE)
    victim = public(script, 0)
    script.pass_time(P256_PUBLIC)
    script.abort(*hostile)
    script.wait()
    ended = script.run(tmp_path)
    assert ended[victim].output == model.public(P256, 5).output
    assert ended[victim].done - ended[victim].command <= P256_PUBLIC
    assert {ended[job].status for job in hostile} == {Status.ABORTED}


def rsa_4096(script: Script, given: int | None, message: int = 3, queue: int = 1) -> int:
    key = rsa_key(4096)
    payload = model.i2osp(message, 512) + random.Random("4096").randbytes(42)
    return script.job(RSA_PRIVATE, rsa_lengths(key), payload, key.encode(), queue, given)


def test_a_job_that_is_longer_than_its_buffer_may_not_wait_for_ever(tmp_path: Path) -> None:
    """It starts with a full buffer, then nothing comes; it ends, and the next job has its turn."""
    script = Script()
    starved = rsa_4096(script, LOADED)
    script.pass_time(2 * WIPE)
    victim = public(script, 0)
    script.wait()
    ended = script.run(tmp_path)
    assert (ended[starved].status, ended[starved].output) == (Status.TIMEOUT, b"")
    assert ended[starved].done - ended[starved].start <= PATIENCE + 16 * LOADED + 100
    assert ended[victim].output == model.public(P256, 5).output
    assert ended[victim].done - ended[victim].command <= PATIENCE + 16 * LOADED + P256_PUBLIC


def test_waits_are_counted_together(tmp_path: Path) -> None:
    """A word now and then does not buy new patience."""
    script = Script()
    starved = rsa_4096(script, LOADED)
    script.pass_time(2 * WIPE + 16 * LOADED)
    for _ in range(10):
        script.pass_time(3000)
        script.give(starved, 1)
    script.wait()
    ended = script.run(tmp_path)
    assert ended[starved].status == Status.TIMEOUT
    assert ended[starved].done - ended[starved].start <= PATIENCE + 16 * (LOADED + 10) + 100


@pytest.mark.slow
def test_an_honest_job_that_is_longer_than_its_buffer(tmp_path: Path) -> None:
    """Words that come in time, if late: 36 of them in all, 400 cycles apart."""
    script = Script()
    job = rsa_4096(script, LOADED, message=12345)
    script.pass_time(2 * WIPE + 16 * LOADED)
    for _ in range(37):
        script.give(job, 1)
        script.pass_time(400)
    script.wait()
    assert script.run(tmp_path)[job].output == model.rsadp(rsa_key(4096), 12345).output


@both_forms
def test_a_key_that_never_comes(tmp_path: Path) -> None:
    """RSA_LOAD gives up too. The slot is not filled, and can be."""
    key = rsa_key(4096)
    script = Script()
    script.load(2, RSA_PRIVATE, 0, b"")
    starved = script.job(RSA_LOAD, rsa_lengths(key), key.encode(), 2, 1, LOADED)
    script.wait()
    again = script.job(RSA_LOAD, rsa_lengths(key), key.encode(), 2, 1)
    script.wait()
    third = script.job(RSA_LOAD, rsa_lengths(key), key.encode(), 2, 1)
    script.wait()
    ended = script.run(tmp_path)
    assert [ended[job].status for job in (starved, again, third)] == [Status.TIMEOUT, Status.OK, Status.BAD_KEY]


def test_queues_share_time_and_not_turns(tmp_path: Path) -> None:
    """Long jobs of one queue have both threads; then those of another run until they have had as much time."""
    script = Script()
    script.load(1, EC_MULTIPLY, P384.code, number(P384, 77))
    peer = number(P384, P384.g[0]) + number(P384, P384.g[1])
    long = [script.job(EC_MULTIPLY, on(P384), peer, 1, 1) for _ in range(4)]
    script.pass_time(8 * WIPE)
    short = [public(script, 0) for _ in range(5)]
    script.wait()
    ended = script.run(tmp_path)
    order = sorted([*long, *short], key=lambda job: ended[job].done)
    # The first two side by side, then five short ones, then the rest.
    assert order == [*long[:2], *short, *long[2:]]


def test_no_time_is_saved_up(tmp_path: Path) -> None:
    """A queue that was idle while another worked has its share from then on, and no more."""
    script = Script()
    first = [public(script, 0) for _ in range(8)]
    script.pass_time(4 * P256_PUBLIC)
    second = [public(script, 1) for _ in range(4)]
    script.wait()
    ended = script.run(tmp_path)
    order = [job for job in ended if ended[job].done > ended[second[0]].command]  # the bench tells them as they end
    queues = [int(job in second) for job in order]
    assert all(abs(sum(queues[:i]) - (i - sum(queues[:i]))) <= 2 for i in range(2, 8)), queues
    assert {ended[job].status for job in first + second} == {Status.OK}


@both_forms
@pytest.mark.parametrize("after", [0, 1, 1_030, 1_040, 1_100, 20_000], ids=lambda after: f"after_{after}")
def test_aborts_end_at_once(tmp_path: Path, after: int) -> None:
    """Sixteen together, one of them at work: all are done within 20 cycles, and the next job starts after the wipe."""
    script = Script()
    script.load(1, EC_SIGN, P256.code, number(P256, 77))
    jobs = [script.job(EC_SIGN, on(P256), number(P256, 5), 1, i % 4) for i in range(16)]
    script.pass_time(after)
    script.abort(*jobs)
    script.pass_time(20)
    last = public(script, 0)
    script.wait()
    ended = script.run(tmp_path)
    assert {ended[job].status for job in jobs} == {Status.ABORTED}
    assert max(ended[job].done for job in jobs) < ended[last].command
    assert ended[last].output == model.public(P256, 5).output
    assert ended[last].start - ended[last].command <= WIPE + 16


@both_forms
def test_memory_that_takes_nothing_holds_nothing(tmp_path: Path) -> None:
    """The longest result fits the output buffer: the job ends although no word of it has left."""
    key = rsa_key(4096)
    script = Script()
    job = script.job(RSA_PUBLIC, (4096, 17), model.i2osp(99, 512), model.i2osp(key.n, 512) + model.i2osp(key.e, 3))
    script.wait()
    ended = script.run(tmp_path, "drain=0")
    assert ended[job].output == model.rsaep(key.n, key.e, 99, 4096, 17).output
