# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork crypt`: raw bytes in, raw bytes out, for scripts."""

from commands import good, sentence

from outwork.algorithms import CIPHERS, KNOWN_ANSWERS
from outwork.algorithms.cipher import Cipher

SOFTWARE = ("--engine", "software")
GCM = ("--cipher", "aes-128-gcm", "--key", "00" * 16, "--iv", "00" * 12)


def test_known_answers() -> None:
    answers = [
        answer
        for answer in KNOWN_ANSWERS
        if isinstance(answer.algorithm, Cipher)
        and answer.algorithm.has_software
        and answer.algorithm.name in CIPHERS  # `crypt` has no DES, and no AES with HMAC
    ]
    for answer in answers[::4]:
        arguments = [
            "crypt",
            *SOFTWARE,
            "--cipher",
            answer.algorithm.name,
            "--key",
            answer.key.hex(),
            "--iv",
            answer.iv.hex(),
        ]
        if answer.aad:
            arguments += ["--aad", answer.aad.hex()]
        if answer.tag_bytes:
            arguments += ["--tag-length", str(answer.tag_bytes)]
        assert good(*arguments, stdin=answer.message) == answer.result
        if answer.algorithm.is_mac:
            assert good(*arguments, "--decrypt", stdin=answer.message + answer.result) == b""
        else:
            assert good(*arguments, "--decrypt", stdin=answer.result) == answer.message


def test_nothing_comes_out_when_the_tag_is_wrong() -> None:
    sealed = good("crypt", *SOFTWARE, *GCM, stdin=b"message")
    wrong = sealed[:-1] + bytes((sealed[-1] ^ 1,))
    text = sentence("crypt", *SOFTWARE, *GCM, "--decrypt", stdin=wrong, status=3)
    assert text.startswith("The tag does not match")
    assert "fewer than its tag" in sentence("crypt", *SOFTWARE, *GCM, "--decrypt", stdin=sealed[:15], status=3)
    mac = ("--cipher", "aes-128-cmac", "--key", "00" * 16)
    tag = good("crypt", *SOFTWARE, *mac, stdin=b"message")
    assert len(tag) == 16
    assert sentence("crypt", *SOFTWARE, *mac, "--decrypt", stdin=b"massage" + tag, status=3)


def test_empty_message_and_short_tags() -> None:
    assert good("crypt", *SOFTWARE, *GCM).hex() == "58e2fccefa7e3061367f1d57a4e7455a"
    assert good("crypt", *SOFTWARE, *GCM, "--tag-length", "4").hex() == "58e2fcce"
