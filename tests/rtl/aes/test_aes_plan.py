# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The planner: every refusal, and random descriptors, against the model."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from joblist import Build, JobList, model, play

KEY = bytes(range(32))
CCM_IV = bytes([6]) + bytes(8) + bytes(7)


def job(opcode: int, **fields: object) -> model.Job:
    if opcode in model.TAGGED:
        fields.setdefault("tag_length", 4 if opcode == model.EIA2 else 16)
    if opcode == model.CCM:
        fields.setdefault("iv", CCM_IV)
    fields.setdefault("length", 32)
    return model.Job(opcode, KEY[:16] if opcode in model.RADIO else KEY, KEY if opcode == model.XTS else b"", **fields)  # type: ignore[arg-type]


def refusals() -> list[tuple[model.Job, model.KeyInfo, int]]:
    """Jobs with one fault each, and the status that names it."""
    m, out = model, []
    for opcode in (0x0F, 0x18, 0x90, 0xFF):
        out.append((job(opcode), m.KeyInfo(), m.BAD_OPCODE))
    for opcode in (m.ECB, m.CBC, m.CTR, m.CCM, m.EEA2, m.EIA2):
        out += [(job(opcode, flags={f: True}), m.KeyInfo(), m.BAD_FLAGS) for f in ("load", "save")]
    for opcode in (m.ECB, m.CBC, m.CTR, m.XTS, m.EEA2):
        out.append((job(opcode, append=True), m.KeyInfo(), m.BAD_FLAGS))
    for opcode in m.TAGGED:
        out.append((job(opcode, append=True, decrypt=True), m.KeyInfo(), m.BAD_FLAGS))
    for opcode in (m.GCM, m.GMAC, m.CMAC):
        out.append((job(opcode, append=True, save=True), m.KeyInfo(), m.BAD_FLAGS))
    for opcode in (m.ECB, m.CBC, m.CTR, m.XTS, m.CCM, m.CMAC, m.EEA2, m.EIA2):
        out.append((job(opcode, long_iv=bytes(16)), m.KeyInfo(), m.BAD_FLAGS))

    out += [(job(o, length=n), m.KeyInfo(), m.BAD_LENGTH) for o in (m.ECB, m.CBC) for n in (1, 15, 17, 2**32 - 1)]
    for opcode in (m.XTS, m.GCM, m.GMAC, m.CMAC):
        out.append((job(opcode, length=33, save=True), m.KeyInfo(), m.BAD_LENGTH))
    out += [(job(m.XTS, length=n), m.KeyInfo(two_keys=True), m.BAD_LENGTH) for n in (0, 1, 15)]
    for q in (2, 3):
        iv = bytes([q - 1]) + bytes(15)
        out.append((job(m.CCM, iv=iv, length=1 << 8 * q), m.KeyInfo(), m.BAD_LENGTH))
    out.append((job(m.CMAC, length=0, load=bytes(48)), m.KeyInfo(), m.BAD_LENGTH))
    for opcode in (m.ECB, m.CBC, m.CTR, m.GMAC, m.XTS, m.CMAC, m.EEA2, m.EIA2):
        out.append((job(opcode, aad_length=1), m.KeyInfo(), m.BAD_LENGTH))
    out.append((job(m.GCM, aad_length=1, load=bytes(48)), m.KeyInfo(), m.BAD_LENGTH))

    for opcode, bad in (
        (m.GCM, (0, 3, 17, 31)),
        (m.CCM, (0, 2, 3, 5, 15, 17, 18)),
        (m.CMAC, (0, 17)),
        (m.GMAC, (0, 17)),
        (m.EIA2, (0, 3, 5, 8, 16)),
    ):
        out += [(job(opcode, tag_length=n), m.KeyInfo(), m.BAD_TAG_LENGTH) for n in bad]
    out += [(job(o, tag_length=3, decrypt=True), m.KeyInfo(), m.BAD_TAG_LENGTH) for o in (m.GMAC, m.CMAC)]

    out += [(job(o, long_iv=b""), m.KeyInfo(), m.BAD_IV) for o in (m.GCM, m.GMAC)]
    for first in (0, 8, 0x41, 0xFF):
        out.append((job(m.CCM, iv=bytes([first]) + bytes(15), length=0), m.KeyInfo(), m.BAD_IV))
    for q in range(2, 9):
        for spoilt in (15, 16 - q):
            iv = bytearray(bytes([q - 1]) + bytes(15))
            iv[spoilt] = 1
            out.append((job(m.CCM, iv=bytes(iv), length=1), m.KeyInfo(), m.BAD_IV))

    for opcode in range(m.ECB, m.CMAC + 1):
        two = opcode == m.XTS
        out.append((job(opcode, inline_length=3), m.KeyInfo(), m.BAD_KEY))
        out.append((job(opcode, inline_length=4), m.KeyInfo(), m.BAD_KEY))
        out.append((job(opcode, slot=1), m.KeyInfo(valid=False, two_keys=two), m.BAD_KEY))
        out.append((job(opcode, slot=1), m.KeyInfo(two_keys=not two), m.BAD_KEY))
        out.append((job(opcode, slot=1), m.KeyInfo(two_keys=two, kind=0x32), m.BAD_KEY))
        mac = opcode in (m.GMAC, m.CMAC)
        for decrypt in (False, True):
            needed = ["mac"] if mac else ["decrypt"] if decrypt else ["encrypt"]
            needed += ["encrypt"] if opcode == m.GMAC else []
            for name in needed:
                lacking = m.KeyInfo(two_keys=two, **{name: False})
                out.append((job(opcode, slot=1, decrypt=decrypt), lacking, m.KEY_DENIED))
            others = {n: n in needed for n in ("encrypt", "decrypt", "mac")}
            out.append((job(opcode, slot=1, decrypt=decrypt), m.KeyInfo(two_keys=two, **others), m.OK))
    for opcode in m.RADIO:
        three_bits = bytes(12) + b"\3" + bytes(3)
        out.append((job(opcode, length=0, iv=three_bits), m.KeyInfo(), m.BAD_LENGTH))
        out.append((job(opcode, length=1, iv=three_bits), m.KeyInfo(), m.OK))
        for bit in (70, 71, 95, 99, 104, 107, 112, 127):
            out.append((job(opcode, iv=(1 << bit).to_bytes(16, "little")), m.KeyInfo(), m.BAD_IV))
        for length in (m.BITS_192, m.BITS_256, 3, 4):
            out.append((job(opcode, inline_length=length), m.KeyInfo(), m.BAD_KEY))
        for length in (m.BITS_192, m.BITS_256):
            out.append((job(opcode, slot=1), m.KeyInfo(length=length), m.BAD_KEY))
        needed = "mac" if opcode == m.EIA2 else "encrypt"
        for allowed, status in ((True, m.OK), (False, m.KEY_DENIED)):
            info = m.KeyInfo(length=m.BITS_128, **{needed: allowed})
            out.append((job(opcode, slot=1), info, status))
    out.append((job(m.XTS, inline_length=m.BITS_192), m.KeyInfo(), m.BAD_KEY))
    out.append((job(m.XTS, slot=1), m.KeyInfo(two_keys=True, length=m.BITS_192), m.BAD_KEY))
    return out


def test_every_refusal_has_its_status(tmp_path: Path) -> None:
    jobs = JobList()
    for one, info, status in refusals():
        assert model.plan(one, info).status == status, one
        jobs.plan(one, info)
    play(jobs, tmp_path)


def test_build_without_decryption_refuses_the_inverse_cipher(tmp_path: Path) -> None:
    jobs = JobList(enable_decrypt=False)
    for opcode in range(model.ECB, model.CMAC + 1):
        one = job(opcode, decrypt=True)
        status = model.BAD_OPCODE if opcode in (model.ECB, model.CBC, model.XTS) else model.OK
        assert model.plan(one, model.KeyInfo(), False).status == status
        jobs.plan(one, model.KeyInfo())
    play(jobs, tmp_path, Build(1, decrypt=False))


@pytest.mark.parametrize("seed", range(4))
def test_random_descriptors(tmp_path: Path, seed: int) -> None:
    rng = random.Random(f"plan {seed}")
    jobs = JobList()
    seen = set()
    for _ in range(3000):
        opcode = rng.choice([*range(model.ECB, model.CMAC + 1), *model.RADIO, rng.randrange(256)])
        rare = {f: rng.random() < 0.15 for f in ("load", "save", "append", "long_iv")}
        one = model.Job(opcode, KEY[: rng.choice([16, 24, 32])], KEY, rng.choice([None, 3]), rng.random() < 0.3)
        one.flags = rare
        one.length = rng.choice([0, 16, 32, rng.randrange(70), rng.randrange(2**16), rng.randrange(2**32), 2**32 - 16])
        one.aad_length = rng.choice([0, 0, 1, 16, 65279, 65280, rng.randrange(2**32)])
        one.tag_length = rng.choice([16, 16, 12, rng.randrange(32)])
        one.long_iv = bytes(rng.choice([0, 1, 12, 300]))
        radio_iv = rng.randbytes(8) + bytes([rng.randrange(64), 0, 0, 0, rng.randrange(8), 0, 0, 0])
        one.iv = rng.choice(
            [CCM_IV, radio_iv, rng.randbytes(16), bytes([rng.randrange(10)]) + rng.randbytes(7) + bytes(8)]
        )
        info = model.KeyInfo(
            valid=rng.random() < 0.9,
            two_keys=rng.random() < 0.2,
            length=rng.randrange(3),
            encrypt=rng.random() < 0.8,
            decrypt=rng.random() < 0.8,
            mac=rng.random() < 0.8,
            kind=rng.choice([0, 0, 0, 0, 1, 0x32]),
        )
        seen.add(model.plan(one, info).status)
        jobs.plan(one, info)
    assert seen == set(range(9)) - {model.AUTH_FAILED}
    play(jobs, tmp_path)
