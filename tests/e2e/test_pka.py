# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The public-key engine behind the shell: operands at every alignment, refused jobs, keys in slots, several jobs at once."""

from __future__ import annotations

import random

import pytest
from pka_jobs import blinding, curve25519, curve_random, odd, order_random, rsa_key
from pka_runner import CYCLES, ROOM, Place, curves, model, run
from raw import Descriptor, RawQueue

from outwork import spec
from outwork.device.board import Board
from outwork.spec import Opcode, Status

P256 = curves.P256


def jobs_of_every_kind(rng: random.Random) -> list[model.Job]:
    """One of each opcode, short."""
    n = odd(rng, 200)
    key = rsa_key(512)
    d, k = rng.randrange(1, P256.n), rng.randrange(1, P256.n)
    q = P256.multiply(d, P256.g)
    assert q
    signed = model.sign(P256, d, 77, k).output
    return [
        model.job_modexp(n, rng.getrandbits(100), rng.randrange(n)),
        model.job_rsa_public(n, 65537, rng.randrange(n)),
        model.job_rsa_private(key, rng.randrange(key.n), blinding(rng)),
        model.job_check(P256, q),
        model.job_check(P256, (q[0], q[1] ^ 1)),
        model.job_public(P256, d, curve_random(rng, P256)),
        model.job_multiply(P256, k, q, curve_random(rng, P256)),
        model.job_sign(P256, d, 77, k, curve_random(rng, P256), order_random(rng, P256)),
        model.job_verify(P256, q, 77, int.from_bytes(signed[:32], "big"), int.from_bytes(signed[32:], "big")),
        model.job_verify(P256, q, 78, int.from_bytes(signed[:32], "big"), int.from_bytes(signed[32:], "big")),
        *jobs_of_25519(rng),
    ]


def jobs_of_25519(rng: random.Random) -> list[model.Job]:
    a, r, h = rng.getrandbits(250), rng.getrandbits(512), rng.getrandbits(512)
    key, point, s = curve25519.public(a), curve25519.public(r), curve25519.sign(a, r, h)
    return [
        model.job_x25519(rng.getrandbits(256), rng.getrandbits(256), rng.randbytes(32)),
        model.job_x25519(rng.getrandbits(256), 0, rng.randbytes(32)),
        model.job_ed25519_public(r, rng.randbytes(40)),
        model.job_ed25519_sign(a, r, h, rng.randbytes(32)),
        model.job_ed25519_verify(key, point, s, h),
        model.job_ed25519_verify(key, point, s, h ^ 1),
        model.job_ed25519_verify(2, point, s, h),
    ]


def test_every_opcode(board: Board) -> None:
    queue, place = RawQueue(board), Place(board)
    for job in jobs_of_every_kind(random.Random("every opcode")):
        run(queue, place, job)


def test_alignments(board: Board) -> None:
    """Key, payload and result at every byte of a word, and across a page."""
    rng = random.Random("alignments")
    queue, place = RawQueue(board), Place(board)
    for offset in range(16):
        n = odd(rng, rng.choice([136, 200, 264, 333]))
        offsets = (offset, rng.choice([offset, 15 - offset, 64 + offset]), rng.randrange(64))
        run(queue, place, model.job_rsa_public(n, 3, rng.randrange(n)), offsets=offsets)


@pytest.mark.parametrize("bits", [2048, pytest.param(4096, marks=pytest.mark.slow)])
def test_rsa(board: Board, bits: int) -> None:
    rng = random.Random(f"rsa {bits}")
    queue, place, key = RawQueue(board), Place(board), rsa_key(bits)
    c = rng.randrange(key.n)
    run(queue, place, model.job_rsa_public(key.n, 65537, c))
    run(queue, place, model.job_rsa_private(key, c, blinding(rng)))


def test_bad_operands(board: Board) -> None:
    rng = random.Random("bad operands")
    queue, place = RawQueue(board), Place(board)
    n = odd(rng, 200)
    for job in (
        model.job_rsa_public(n, 3, n),
        model.job_modexp(n - 1, 3, 5),
        model.job_public(P256, 0, curve_random(rng, P256)),
        model.job_multiply(P256, 5, (1, 1), curve_random(rng, P256)),
    ):
        assert job.expected.status == Status.BAD_OPERAND
        run(queue, place, job)


def refused(queue: RawQueue, place: Place, descriptor: Descriptor) -> Status:
    """How a job ends that must not write."""
    completion = queue.run(descriptor)
    assert place.result(0) == b"" and completion.bytes == 0
    return Status(completion.status)


def test_refused_jobs(board: Board) -> None:
    """The planner: flags, lengths, parameters, keys."""
    rng = random.Random("refused")
    queue, place = RawQueue(board), Place(board)
    jobs = jobs_of_every_kind(rng)
    for job in jobs:
        for flag in ("decrypt", "load_state", "save_state", "append_tag", "long_iv"):
            assert refused(queue, place, place.put(job, **{flag: 1})) is Status.BAD_FLAGS, (job.program, flag)
        assert refused(queue, place, place.put(job, key=1)) is Status.BAD_FLAGS
        if job.program in ("modexp", "rsa_public", "ec_check", "ec_verify") or job.program.startswith("ed25519"):
            assert refused(queue, place, place.put(job, slot=0)) is Status.BAD_FLAGS
        else:
            assert refused(queue, place, place.put(job, slot=0)) is Status.KEY_DENIED
            assert refused(queue, place, place.put(job, slot=200)) is Status.KEY_DENIED
        for name in ("length", "aad_length"):
            for by in (-1, 1):
                descriptor = place.put(job)
                value = getattr(descriptor, name) + by
                if value >= 0:
                    setattr(descriptor, name, value)
                    assert refused(queue, place, descriptor) is Status.BAD_LENGTH, (job.program, name, by)
        for byte in range(16):
            descriptor = place.put(job)
            descriptor.iv = descriptor.iv[:byte] + bytes([descriptor.iv[byte] ^ 0x80]) + descriptor.iv[byte + 1 :]
            # Some other length of e is as good, or gives other lengths of everything.
            assert refused(queue, place, descriptor) in (Status.BAD_IV, Status.BAD_LENGTH), (job.program, byte)
    descriptor = place.put(jobs[0])
    descriptor.control["opcode"] = 0x6F
    assert refused(queue, place, descriptor) is Status.BAD_OPCODE


def test_limits_of_lengths(board: Board) -> None:
    queue, place = RawQueue(board), Place(board)
    for n_bits, e_bits, p_bits, q_bits in (
        (0, 1, 0, 0),
        (4097, 3, 0, 0),
        (64, 65, 0, 0),
        (64, 0, 0, 0),
        (64, 3, 1, 0),
    ):
        job = model.Job("rsa_public", (n_bits, e_bits, p_bits, q_bits), b"", model.Result(0))
        assert refused(queue, place, place.put(job)) is Status.BAD_IV
    for n_bits, p_bits, q_bits in (
        (1024, 512, 513 + 1),
        (1024, 512, 511),
        (1024, 1, 1023),
        (4096, 2113, 1983),
        (100, 0, 100),
    ):
        job = model.Job("rsa_private", (n_bits, 3, p_bits, q_bits), b"", model.Result(0))
        assert refused(queue, place, place.put(job)) is Status.BAD_IV
    job = model.Job("ec_check", (1, 0), b"", model.Result(0))
    assert refused(queue, place, place.put(job)) is Status.BAD_IV
    job = model.Job("ec_check", (0, 3, 1), b"", model.Result(0))
    assert refused(queue, place, place.put(job)) is Status.BAD_IV


def load(board: Board, slot: int, kind: Opcode, curve: int = 0, key: bytes = b"", queues: int = 0xFF) -> bool:
    """Loads a key for this engine by the registers; whether the device takes it."""
    platform = board.platform

    def write(offset: int, value: int) -> None:
        platform.write32(platform.context, offset, value)

    write(spec.GLOBAL_KEY_SLOT_OFFSET, slot)
    config = kind << spec.GLOBAL_KEY_CONFIG_KIND_SHIFT | len(key) << spec.GLOBAL_KEY_CONFIG_BYTES_SHIFT
    write(spec.GLOBAL_KEY_CONFIG_OFFSET, config | queues << spec.GLOBAL_KEY_CONFIG_QUEUES_SHIFT | curve)
    for i in range(16):
        word = int.from_bytes(key[4 * i : 4 * i + 4], "little")
        write(spec.GLOBAL_KEY_DATA_OFFSET + i * spec.GLOBAL_KEY_DATA_STRIDE, word)
    return command(board, slot, spec.GLOBAL_KEY_COMMAND_LOAD_MASK)


def command(board: Board, slot: int, what: int) -> bool:
    platform = board.platform
    platform.write32(platform.context, spec.GLOBAL_KEY_SLOT_OFFSET, slot)
    platform.write32(platform.context, spec.GLOBAL_KEY_COMMAND_OFFSET, what)
    for _ in range(100):
        board.c.ow_sim_run(board.sim, 100)
        status = platform.read32(platform.context, spec.GLOBAL_KEY_STATUS_OFFSET)
        if not status & spec.GLOBAL_KEY_STATUS_BUSY_MASK:
            return not status & spec.GLOBAL_KEY_STATUS_REFUSED_MASK
    raise AssertionError("the key command does not end")


def status(queue: RawQueue, place: Place, job: model.Job, slot: int) -> Status:
    queue.put(place.put(job, slot=slot).pack(0))
    queue.ring()
    return Status(queue.completion(CYCLES).status)


def run_signature(
    queue: RawQueue, place: Place, job: model.Job, curve: curves.Curve, d: int, e: int, slot: int
) -> bytes:
    """A signature under a key in a slot, whose nonce the device makes: it must be one."""
    queue.put(place.put(job, slot=slot).pack(0))
    queue.ring()
    assert queue.completion(CYCLES).status == Status.OK
    signature = place.result(2 * curve.bytes)
    r, s = (int.from_bytes(half, "big") for half in (signature[: curve.bytes], signature[curve.bytes :]))
    q = curve.multiply(d, curve.g)
    assert q
    assert model.job_verify(curve, q, e, r, s).expected.status == Status.OK
    return signature


@pytest.mark.parametrize("curve", [c for c in curves.CURVES if c.bytes <= 64], ids=lambda c: c.name)
def test_curve_keys_in_slots(board: Board, curve: curves.Curve) -> None:
    """A key does what its kind says, on its curve; and gives its public key."""
    rng = random.Random(f"slots {curve.name}")
    queue, place = RawQueue(board), Place(board)
    d = rng.randrange(1, curve.n)
    q = curve.multiply(rng.randrange(1, curve.n), curve.g)
    assert q
    sign = model.job_sign(curve, d, 5, rng.randrange(1, curve.n), curve_random(rng, curve), order_random(rng, curve))
    multiply = model.job_multiply(curve, d, q, curve_random(rng, curve))
    public = model.job_public(curve, d, curve_random(rng, curve))
    assert load(board, 3, Opcode.EC_SIGN, curve.code, model.i2osp(d, curve.bytes))
    assert load(board, 31, Opcode.EC_MULTIPLY, curve.code, model.i2osp(d, curve.bytes))
    assert run_signature(queue, place, sign, curve, d, 5, 3) != run_signature(queue, place, sign, curve, d, 5, 3)
    run(queue, place, public, slot=3)
    run(queue, place, multiply, slot=31)
    run(queue, place, public, slot=31)
    assert status(queue, place, multiply, 3) is Status.BAD_KEY
    assert status(queue, place, sign, 31) is Status.BAD_KEY
    other = curves.CURVES[(curve.code + 1) % 4]
    wrong = model.job_public(other, 5, curve_random(rng, other))
    assert status(queue, place, wrong, 3) is Status.BAD_KEY
    assert command(board, 3, spec.GLOBAL_KEY_COMMAND_ZEROISE_MASK)
    assert status(queue, place, sign, 3) is Status.KEY_DENIED
    run(queue, place, multiply, slot=31)
    # Another key in the same slot leaves nothing of the one before.
    assert load(board, 31, Opcode.EC_MULTIPLY, curve.code, model.i2osp(1, curve.bytes))
    run(queue, place, model.job_multiply(curve, 1, q, curve_random(rng, curve)), slot=31)


def test_x25519_keys_in_slots(board: Board) -> None:
    rng = random.Random("x25519 slots")
    queue, place = RawQueue(board), Place(board)
    k = rng.getrandbits(256)
    job = model.job_x25519(k, rng.getrandbits(256), rng.randbytes(32))
    assert load(board, 3, Opcode.X25519, 0, model.i2osp(k, 32))
    run(queue, place, job, slot=3)
    assert status(queue, place, model.job_public(P256, 5, curve_random(rng, P256)), 3) is Status.BAD_KEY
    assert load(board, 4, Opcode.EC_MULTIPLY, 0, model.i2osp(k, 32))
    assert status(queue, place, job, 4) is Status.BAD_KEY
    assert command(board, 3, spec.GLOBAL_KEY_COMMAND_ZEROISE_MASK)
    assert status(queue, place, job, 3) is Status.KEY_DENIED


def test_refused_keys(board: Board) -> None:
    assert not load(board, 0, Opcode.X25519, 0, bytes(31))
    assert not load(board, 0, Opcode.X25519, 1, bytes(32))
    assert not load(board, 0, Opcode.ED25519_SIGN, 0, bytes(32))
    assert not load(board, 0, Opcode.EC_SIGN, 0, bytes(31))
    assert not load(board, 0, Opcode.EC_SIGN, 1, bytes(32))
    assert not load(board, 0, Opcode.EC_SIGN, 2, bytes(64))
    assert not load(board, 0, Opcode.EC_VERIFY, 0, bytes(32))
    assert not load(board, 0, Opcode.RSA_PRIVATE, 0, bytes(32))
    assert load(board, 0, Opcode.EC_SIGN, 3, bytes(32))


def fill(queue: RawQueue, place: Place, key: model.RsaKey, slot: int) -> Status:
    """RSA_LOAD."""
    encoded = key.encode()
    place.memory.view[ROOM : ROOM + len(encoded)] = encoded
    iv = b"".join(x.to_bytes(2, "little") for x in key.parameters).ljust(16, b"\0")
    descriptor = Descriptor(
        {"opcode": Opcode.RSA_LOAD, "key": slot}, place.memory.address + ROOM, length=len(encoded), iv=iv
    )
    return Status(queue.run(descriptor).status)


def test_rsa_keys_in_slots(board: Board) -> None:
    """A slot takes a place, RSA_LOAD fills it once, the private operation uses it, zeroising empties it."""
    rng = random.Random("rsa slots")
    queue, place = RawQueue(board), Place(board)
    keys = [rsa_key(512, seed) for seed in range(3)]
    slots = [0, 7, 31]

    def private(i: int) -> model.Job:
        return model.job_rsa_private(keys[i], rng.randrange(keys[i].n), blinding(rng))

    assert fill(queue, place, keys[0], 0) is Status.KEY_DENIED
    for i in range(3):
        assert load(board, slots[i], Opcode.RSA_PRIVATE)
    # There are three places.
    assert not load(board, 5, Opcode.RSA_PRIVATE)
    assert status(queue, place, private(0), slots[0]) is Status.BAD_KEY
    for i in range(3):
        assert fill(queue, place, keys[i], slots[i]) is Status.OK
    for i in range(3):
        run(queue, place, private(i), slot=slots[i])
        assert fill(queue, place, keys[0], slots[i]) is Status.BAD_KEY
    # Lengths that are not this key's.
    wrong = model.job_rsa_private(rsa_key(520), 5, blinding(rng))
    assert status(queue, place, wrong, slots[0]) is Status.BAD_KEY
    assert command(board, slots[1], spec.GLOBAL_KEY_COMMAND_ZEROISE_MASK)
    assert status(queue, place, private(1), slots[1]) is Status.KEY_DENIED
    run(queue, place, private(2), slot=slots[2])
    # The place is free for another slot; a slot that is loaded again is empty.
    assert load(board, 5, Opcode.RSA_PRIVATE)
    assert fill(queue, place, keys[1], 5) is Status.OK
    run(queue, place, private(1), slot=5)
    assert load(board, 5, Opcode.RSA_PRIVATE)
    assert status(queue, place, private(1), 5) is Status.BAD_KEY
    assert command(board, 0, spec.GLOBAL_KEY_COMMAND_ZEROISE_ALL_MASK)
    assert status(queue, place, private(0), slots[0]) is Status.KEY_DENIED


def test_slots_belong_to_queues(board: Board) -> None:
    rng = random.Random("queues")
    place = Place(board)
    assert load(board, 1, Opcode.EC_SIGN, 0, model.i2osp(5, 32), queues=0b10)
    job = model.job_public(P256, 5, curve_random(rng, P256))
    run(RawQueue(board, 1), place, job, slot=1)
    assert status(RawQueue(board, 0), place, job, 1) is Status.KEY_DENIED


def test_many_at_once(board: Board) -> None:
    """More jobs than the shell has streams, on all queues."""
    rng = random.Random("many")
    queues = [RawQueue(board, index, 4) for index in range(4)]
    work: list[tuple[RawQueue, Place, model.Job]] = []
    for i in range(40):
        n = odd(rng, rng.choice([64, 160, 300]))
        work.append((queues[i % 4], Place(board), model.job_rsa_public(n, 3, rng.randrange(n))))
    for i, (queue, place, job) in enumerate(work):
        queue.put(place.put(job).pack(i))
    for queue in queues:
        queue.ring()
    for queue in queues:
        for _ in range(10):
            completion = queue.completion(CYCLES)
            work[completion.cookie][1].check(work[completion.cookie][2], completion)


def test_other_engines_go_on(board: Board) -> None:
    """AES passes a long job, and those that wait behind it."""
    rng = random.Random("meanwhile")
    board.load_key(0, bytes(32))
    queue, memory = RawQueue(board, 0, 4), board.memory(4096)
    long = model.job_multiply(P256, 3, P256.g, curve_random(rng, P256))
    places = [Place(board) for _ in range(4)]
    for place in places:
        queue.put(place.put(long).pack(1))
    aes = Descriptor({"opcode": Opcode.AES_CTR}, memory.address, memory.address + 2048, length=1024, iv=bytes(16))
    queue.put(aes.pack(2))
    queue.ring()
    order = [queue.completion(CYCLES).cookie for _ in range(5)]
    assert order == [2, 1, 1, 1, 1]
    for place in places:
        assert place.result(64) == long.expected.output


def test_reset_and_watchdog(board: Board) -> None:
    """A job that is stopped leaves the engine clean for the next one, whatever it was doing."""
    rng = random.Random("stopped")
    queue, other, place, second = RawQueue(board), RawQueue(board, 1), Place(board), Place(board)
    long = model.job_multiply(P256, 3, P256.g, curve_random(rng, P256))
    n = odd(rng, 100)
    short = model.job_rsa_public(n, 3, rng.randrange(n))
    for cycles in (10, 60, 100, 150, 200, 300, 1000, 5000, 50000):
        for waiting in range(2):
            queue.put(place.put(long).pack(0))
            for _ in range(waiting):
                queue.put(place.put(long).pack(1))
            queue.ring()
            board.c.ow_sim_run(board.sim, cycles)
            queue.start()
            run(other, second, short)
    run(queue, place, long)
