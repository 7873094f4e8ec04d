# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What every family of algorithms must keep to, so that commands, file format and lab can use it."""

from collections import Counter

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.hmac import HMAC

from outwork.algorithms import ALGORITHMS, CIPHERS, FAMILIES, FILE_CIPHERS, HASHES, KNOWN_ANSWERS
from outwork.algorithms.cipher import Cipher, check_iv, check_tag_bytes
from outwork.algorithms.combined import Combined
from outwork.algorithms.digest import Hash, Mac, check_customization
from outwork.algorithms.family import KnownAnswer
from outwork.files.formats.header import NONCE_BYTES
from outwork.lab import expected
from outwork.spec import Opcode


def test_names_differ() -> None:
    names = Counter(
        entry.name
        for family in FAMILIES
        for group in (family.ciphers, family.hashes, family.macs, family.others)
        for entry in group
    )
    assert set(names) == set(ALGORITHMS)
    assert set(names.values()) == {1}


def test_a_file_says_its_cipher_by_opcode_and_key_length() -> None:
    said = Counter((CIPHERS[name].opcode, CIPHERS[name].single_key_bytes) for name in FILE_CIPHERS)
    assert set(said.values()) == {1}


def test_nonces_of_files_fit() -> None:
    for cipher in map(CIPHERS.__getitem__, FILE_CIPHERS):
        if cipher.is_aead:
            assert 5 + 7 <= cipher.iv_bytes <= 5 + NONCE_BYTES, "at least 56 bits of a chunk's nonce are the file's"
            check_iv(cipher, bytes(cipher.iv_bytes))
            check_tag_bytes(cipher, 16)


def test_aes_with_hmac_is_measured_and_checked_but_encrypts_no_files() -> None:
    combined = [entry for entry in ALGORITHMS.values() if isinstance(entry, Combined)]
    assert {entry.opcode for entry in combined} == set(range(Opcode.AES_CBC_HMAC_SHA1, Opcode.AES_CTR_HMAC_SHA512 + 1))
    assert not {entry.name for entry in combined} & set(CIPHERS)
    for entry in combined:
        (answer,) = (answer for answer in KNOWN_ANSWERS if answer.algorithm == entry)
        text, tag = expected.seal(entry, answer.key, answer.iv, answer.message)
        assert text == answer.result[: len(text)], "the standard's ciphertext"
        made = HMAC(answer.key[entry.single_key_bytes :], getattr(hashes, entry.hash_name.upper())())
        made.update(answer.aad + text)
        assert made.finalize() == answer.result[len(text) :] != tag, "over AAD and ciphertext; the lab has no AAD"
        assert expected.open_unsealed(entry, answer.key, answer.iv, text) == answer.message


def test_what_libraries_lack_has_a_reference_and_known_answers() -> None:
    tested = {answer.algorithm for answer in KNOWN_ANSWERS}
    for algorithm in (*CIPHERS.values(), *HASHES.values()):
        reference = algorithm.reference if isinstance(algorithm, Cipher) else algorithm.function.reference
        if not algorithm.has_software:
            assert reference is not None and algorithm in tested, algorithm.name


def test_the_self_test_leaves_out_no_cipher_hash_or_mac() -> None:
    tested = {answer.algorithm.opcode for answer in KNOWN_ANSWERS}
    assert {entry.opcode for entry in ALGORITHMS.values() if isinstance(entry, Cipher | Hash | Mac)} <= tested


@pytest.mark.parametrize("answer", KNOWN_ANSWERS, ids=lambda answer: f"{answer.algorithm} {answer.source}")
def test_known_answers_are_possible_and_those_of_the_reference(answer: KnownAnswer) -> None:
    algorithm = answer.algorithm
    if not isinstance(algorithm, Cipher):
        check_customization(algorithm, answer.iv)
        if algorithm.function.reference and len(answer.result) == algorithm.tag_bytes_default and not answer.iv:
            assert algorithm.function.reference(answer.message) == answer.result
        return
    check_iv(algorithm, answer.iv)
    if answer.tag_bytes:
        check_tag_bytes(algorithm, answer.tag_bytes)
    if algorithm.reference and answer.tag_bytes == algorithm.tag_bytes_default and not answer.aad:
        text, tag = algorithm.reference.seal(answer.key, answer.iv, answer.message)
        assert text + tag == answer.result
        assert algorithm.reference.open_unsealed(answer.key, answer.iv, text) == answer.message
