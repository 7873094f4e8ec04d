# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The golden model against OpenSSL, and the tables of the RTL against their definition."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import aes_primitives
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import cmac
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from joblist import model, random_job, sealed

ROOT = Path(__file__).resolve().parents[3]


def table(name: str) -> bytes:
    text = (ROOT / "rtl/aes/aes_pkg.sv").read_text()
    found = re.search(rf"logic \[7:0\] {name} \[256\] = '{{(.*?)}};", text, re.S)
    assert found
    return bytes(int(v, 16) for v in re.findall(r"8'h([0-9a-f]{2})", found[1]))


def test_s_boxes_are_what_fips_197_defines() -> None:
    assert table("SBox") == aes_primitives.SBOX
    assert table("InvSBox") == aes_primitives.INV_SBOX


def test_fips_197_appendix_b() -> None:
    key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    block = bytes.fromhex("3243f6a8885a308d313198a2e0370734")
    assert model.cipher(key, block).hex() == "3925841d02dc09fbdc118597196a0b32"
    assert model.inv_cipher(key, model.cipher(key, block)) == block


def openssl(job: model.Job) -> tuple[bytes, bytes] | None:
    """Payload and tag of a whole message; None if the tag is wrong."""
    op = job.opcode
    if op == model.CMAC:
        mac = cmac.CMAC(algorithms.AES(job.key))
        mac.update(job.payload)
        tag = mac.finalize()[: job.tag_length]
        return (b"", tag) if not job.decrypt or tag == job.tag else None
    if op == model.CCM:
        nonce = job.iv[1 : 15 - job.iv[0]]
        aead = AESCCM(job.key, job.tag_length)
        if job.decrypt:
            try:
                return aead.decrypt(nonce, job.payload + job.tag, job.aad), job.tag
            except InvalidTag:
                return None
        sealed_message = aead.encrypt(nonce, job.payload, job.aad)
        return sealed_message[: len(job.payload)], sealed_message[len(job.payload) :]
    if op in (model.GCM, model.GMAC):
        iv = job.iv if job.long_iv is None else job.long_iv
        tag = job.tag if job.decrypt and op == model.GCM else None
        cipher = Cipher(algorithms.AES(job.key), modes.GCM(iv, tag, min_tag_length=4))
        context = cipher.decryptor() if tag else cipher.encryptor()
        context.authenticate_additional_data(job.payload if op == model.GMAC else job.aad)
        out = context.update(b"" if op == model.GMAC else job.payload)
        try:
            out += context.finalize()
        except InvalidTag:
            return None
        tag = tag or context.tag[: job.tag_length]
        return (out, tag) if op == model.GCM or not job.decrypt or tag == job.tag else None
    mode = {
        model.ECB: modes.ECB(),
        model.CBC: modes.CBC(job.iv),
        model.CTR: modes.CTR(job.iv),
        model.XTS: modes.XTS(job.iv),
    }[op]
    cipher = Cipher(algorithms.AES(job.key + job.tweak_key), mode)
    context = cipher.decryptor() if job.decrypt else cipher.encryptor()
    return context.update(job.payload) + context.finalize(), b""


@pytest.mark.parametrize("mode", ["ECB", "CBC", "CTR", "GCM", "GMAC", "XTS", "CCM", "CMAC"])
def test_model_agrees_with_openssl(mode: str) -> None:
    rng = random.Random(f"model {mode}")
    opcode = getattr(model, mode)
    for length in [*range(70), 255, 256, 1000]:
        key = rng.randbytes(rng.choice([16, 32] if mode == "XTS" else [16, 24, 32]))
        tweak = rng.randbytes(len(key)) if mode == "XTS" else b""
        # OpenSSL takes GCM IVs of 8 to 128 bytes.
        iv_length = rng.choice([8, 12, 16, 60, 128])
        for decrypt in (False, True):
            job = random_job(rng, opcode, decrypt, length, key, tweak, iv_length=iv_length)
            result, expected = model.run(job), openssl(job)
            if expected is None:
                assert result.status == model.AUTH_FAILED
                continue
            assert result.status == model.OK
            assert mode in ("GMAC", "CMAC") or result.payload == expected[0]
            assert mode not in ("GCM", "GMAC", "CMAC", "CCM") or result.tag[: job.tag_length] == expected[1]


def test_parts_make_the_whole() -> None:
    rng = random.Random("model parts")
    for opcode in (model.GCM, model.GMAC, model.XTS, model.CMAC):
        for decrypt in (False, True):
            key, tweak = rng.randbytes(32), rng.randbytes(32)
            whole = random_job(rng, opcode, decrypt, 77, key, tweak if opcode == model.XTS else b"")
            whole = whole if not decrypt or opcode == model.XTS else sealed(rng, whole, spoil=False)
            expected = model.run(whole)
            first = replace(whole, payload=whole.payload[:32], save=True, append=False)
            state = model.run(first).state
            rest = replace(whole, payload=whole.payload[32:], load=state, aad=b"")
            got = model.run(rest)
            assert (got.status, got.tag) == (expected.status, expected.tag)
            if opcode not in (model.GMAC, model.CMAC):
                assert model.run(first).payload + got.payload == expected.payload
