# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Ascon in the words of SP 800-232 against the designers' known answers."""

from __future__ import annotations

import ascon_answers

from outwork.algorithms import ascon_reference as ascon


def test_aead128() -> None:
    for record in ascon_answers.records("aead128"):
        key, nonce, aad, text = (record[name] for name in ("Key", "Nonce", "AD", "PT"))
        ciphertext, tag = ascon.encrypt(key, nonce, aad, text)
        assert ciphertext + tag == record["CT"], record
        assert ascon.decrypt(key, nonce, aad, ciphertext, tag[:8]) == text
        assert ascon.decrypt(key, nonce, aad + b"?", ciphertext, tag) is None


def test_hash256() -> None:
    for record in ascon_answers.records("hash256"):
        assert ascon.hash256(record["Msg"]) == record["MD"], record


def test_xof128() -> None:
    for record in ascon_answers.records("xof128"):
        assert ascon.xof128(record["Msg"], 64) == record["MD"], record


def test_cxof128() -> None:
    for record in ascon_answers.records("cxof128"):
        assert ascon.cxof128(record["Msg"], 64, record["Z"]) == record["MD"], record


def test_all_records_were_read() -> None:
    assert {name: len(ascon_answers.records(name)) for name in ascon_answers.NAMES} == {
        "aead128": 1089,
        "hash256": 1025,
        "xof128": 1025,
        "cxof128": 1089,
    }
