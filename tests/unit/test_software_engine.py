# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The software engine against the package `cryptography`, which contains its own OpenSSL."""

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest
import reference
from cases import AEADS, MACS, Case

from outwork.algorithms import CIPHERS, KNOWN_ANSWERS
from outwork.algorithms.base import Operation
from outwork.algorithms.cipher import Cipher
from outwork.algorithms.combined import Combined
from outwork.engines import selftest
from outwork.engines.base import Key, Outcome, Request
from outwork.engines.selftest import run as run_known_answers
from outwork.engines.software import SoftwareEngine
from outwork.errors import NotAuthenticError, OutworkError
from outwork.pka import known_answers
from outwork.pka.software import SoftwareWorker
from outwork.radio import known_answers as radio_answers
from outwork.radio.engines import open_engine as open_radio_engine

SEED = 20_261_121


def cipher_of(case: Case) -> Cipher:
    return next(
        cipher
        for cipher in CIPHERS.values()
        if (cipher.opcode, cipher.single_key_bytes) == (case.opcode, len(case.key))
    )


def test_known_answers() -> None:
    with SoftwareEngine() as engine:
        results = list(run_known_answers(engine))
    known = {
        answer.algorithm.name
        for answer in KNOWN_ANSWERS
        if answer.algorithm.has_software
        and not isinstance(answer.algorithm, Combined)  # AES with HMAC is two calls
        and not answer.algorithm.name.startswith("des-")  # in OpenSSL's legacy provider only
    }
    assert {result.algorithm for result in results} == known
    assert {"aes-256-gcm", "tdes-cbc", "sha-256", "sha3-512", "shake128"} <= known
    assert not any(result.failures for result in results)


def test_a_wrong_digest_fails_the_known_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [answer for answer in KNOWN_ANSWERS if answer.algorithm.name == "sha-256"]
    monkeypatch.setattr(selftest, "KNOWN_ANSWERS", [replace(answer, result=bytes(32)) for answer in answers])
    with SoftwareEngine() as engine:
        assert [result.failures for result in run_known_answers(engine)] == [["FIPS 180-4: digest"]]


def test_known_answers_of_public_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """They hold, and a worker that gives something else is found."""
    with SoftwareWorker() as worker:
        assert {answer.algorithm for answer, _ in known_answers.run(worker)} == {
            *("rsa-1024", "ecdsa-p256", "x25519", "ed25519", "ml-kem-768", "ml-kem-1024", "ml-dsa-65"),
        }
        assert all(is_right for _, is_right in known_answers.run(worker))
        for name in ("rsa_sign", "ecdsa_sign", "x25519", "ed25519_sign"):
            monkeypatch.setattr(worker, name, lambda *_: bytes(64))
        for name in ("ecdsa_verify", "mldsa_verify"):
            monkeypatch.setattr(worker, name, lambda *_: False)
        monkeypatch.setattr(worker, "mldsa_sign", lambda *_: bytes(3309))
        monkeypatch.setattr(worker, "mlkem_decapsulate", lambda *_: bytes(32))
        assert not any(is_right for _, is_right in known_answers.run(worker))


def test_known_answers_of_radio_packets(monkeypatch: pytest.MonkeyPatch) -> None:
    """They hold, and a worker that gives something else or lets a wrong MAC pass is found."""
    worker = open_radio_engine("software", "reference")
    found = {answer.algorithm.name: are_right for answer, are_right in radio_answers.run(worker)}
    assert sorted(found) == [f"128-e{kind}a{number}" for kind in "ei" for number in (1, 2, 3)]
    assert all(are_right == [True] * (3 if "eia" in name else 2) for name, are_right in found.items())
    monkeypatch.setattr(worker, "run", lambda *_: ([bytes(4)], 0.0))
    for passes in (True, False):
        monkeypatch.setattr(worker, "verify", lambda *_, passes=passes: passes)
        for answer, are_right in radio_answers.run(worker):
            assert are_right == ([False, passes, not passes] if answer.algorithm.is_mac else [False, False])


def test_random_messages() -> None:
    rng = random.Random(SEED)
    keys: dict[tuple[str, bytes], Key] = {}
    with SoftwareEngine() as engine, engine.allocate(8192) as memory:
        for number in range(3000):
            case = reference.random_case(rng)
            cipher = cipher_of(case)
            material = case.key + (case.tweak_key or b"")
            # Most keys come back: their contexts must forget the message before.
            key = keys.setdefault((cipher.name, material), engine.load_key(cipher, material))
            operation = cipher.operations[case.decrypt]
            is_aead = case.opcode in AEADS
            data = case.data + (case.tag if case.decrypt and is_aead else b"")
            memory.view[: len(data)] = data
            target = 0 if case.in_place else 4096
            request = Request(
                key,
                operation,
                memory.address,
                memory.address + target,
                len(case.data),
                case.iv,
                case.aad,
                len(case.tag),
                case.tag if case.decrypt and case.opcode in MACS else b"",
            )
            engine.run(request)
            expected = Outcome.OK if case.is_authentic else Outcome.NOT_AUTHENTIC
            assert request.outcome is expected, (SEED, number, cipher.name)
            if case.opcode in MACS:
                assert case.decrypt or request.tag == case.tag, (SEED, number, cipher.name)
                continue
            output = case.expected if case.expected is not None else bytes(len(case.data))
            if is_aead and not case.decrypt:
                output += case.tag
            assert bytes(memory.at(target, len(output))) == output, (SEED, number, cipher.name)


def test_whole_messages() -> None:
    with SoftwareEngine() as engine:
        cipher = CIPHERS["aes-128-gcm"]
        key, iv = bytes(16), bytes(12)
        sealed = engine.crypt(cipher, Operation.ENCRYPT, key, iv, b"hello", b"aad", 16)
        assert len(sealed) == 21
        assert engine.crypt(cipher, Operation.DECRYPT, key, iv, sealed, b"aad", 16) == b"hello"
        with pytest.raises(NotAuthenticError, match="tag does not match"):
            engine.crypt(cipher, Operation.DECRYPT, key, iv, sealed, b"other", 16)
        with pytest.raises(NotAuthenticError, match="fewer than its tag"):
            engine.crypt(cipher, Operation.DECRYPT, key, iv, b"short", b"", 16)


def test_refusal_is_a_sentence() -> None:
    with SoftwareEngine() as engine, pytest.raises(OutworkError, match="refused the request"):
        engine.crypt(CIPHERS["aes-128-cbc"], Operation.ENCRYPT, bytes(16), bytes(16), b"not a block")


@pytest.mark.parametrize(
    ("name", "free"), [("aes-256-gcm", "EVP_CIPHER_CTX_free"), ("aes-256-cmac", "EVP_MAC_CTX_free")]
)
def test_a_dropped_key_leaves_no_context(monkeypatch: pytest.MonkeyPatch, name: str, free: str) -> None:
    """A context holds a key schedule: each that was made is freed, once."""

    with SoftwareEngine() as engine, engine.allocate(64) as memory:
        key = engine.load_key(CIPHERS[name], bytes(32))
        request = Request(key, Operation.ENCRYPT, memory.address, memory.address, 16, bytes(12), tag_bytes=16)
        if name.endswith("cmac"):
            request = Request(key, Operation.MAC, memory.address, 0, 16, tag_bytes=16)
        engine.run(request)
        made = len(key.handle.contexts)
        freed: list[object] = []
        library, function = engine._c, getattr(engine._c, free)
        monkeypatch.setattr(engine, "_c", SimpleNamespace(**{free: lambda context: freed.append(function(context))}))
        engine.drop_key(key)
        monkeypatch.setattr(engine, "_c", library)
        assert made == len(freed) == 1 and not key.handle.contexts
