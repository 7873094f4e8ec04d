# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The plain C radio algorithms against the published test sets, the golden models and intel-ipsec-mb."""

from __future__ import annotations

import ctypes
import random

import ipsec_mb
import models
import pytest
import threegpp
from radio_library import Radio, library

zuc, snow3g = models.load("zuc"), models.load("snow3g")
variants = pytest.mark.parametrize("radio", [Radio(), Radio("_constant_time")], ids=["tables", "constant_time"])

MODES = {
    "128-EEA3": lambda r, s: r.eea3(s.key, s.count, s.bearer, s.direction, s.input, s.bits),
    "128-EIA3": lambda r, s: r.eia3(s.key, s.count, s.bearer, s.direction, s.input, s.bits),
    "UEA2": lambda r, s: r.uea2(s.key, s.count, s.bearer, s.direction, s.input, s.bits),
    "UIA2": lambda r, s: r.uia2(s.key, s.count, s.fresh, s.direction, s.input, s.bits),
    "128-EIA1": lambda r, s: r.uia2(s.key, s.count, s.bearer << 27, s.direction, s.input, s.bits),
    "ZUC-256": lambda r, s: r.zuc256(s.key, s.iv, bytes(len(s.first)), 8 * len(s.first)),
    "ZUC-256-MAC": lambda r, s: r.zuc256_mac(s.key, s.iv, s.input, s.bits, len(s.output)),
}


@variants
@pytest.mark.parametrize("one", threegpp.sets(*MODES), ids=str)
def test_the_published_test_sets(radio: Radio, one: threegpp.Set) -> None:
    assert MODES[one.algorithm](radio, one) == (one.output or one.first)


@variants
def test_every_length(radio: Radio) -> None:
    """0 to 300 bits, and lengths about the blocks that the code works in."""
    rng = random.Random("lengths")
    for bits in [*range(301), 2047, 2048, 2049, 2080, 4096, 4127, 12000]:
        data = rng.randbytes(-(-bits // 8))
        key, long_key, iv = rng.randbytes(16), rng.randbytes(32), rng.randbytes(23)
        header = rng.getrandbits(32), rng.getrandbits(5), rng.getrandbits(1)
        assert radio.eea3(key, *header, data, bits) == zuc.eea3(key, *header, data, bits), bits
        assert radio.eia3(key, *header, data, bits) == zuc.eia3(key, *header, data, bits), bits
        assert radio.uea2(key, *header, data, bits) == snow3g.uea2(key, *header, data, bits), bits
        fresh = (header[0], rng.getrandbits(32), header[2])
        assert radio.uia2(key, *fresh, data, bits) == snow3g.uia2(key, *fresh, data, bits), bits
        assert radio.zuc256(long_key, iv, data, bits) == zuc.zuc256_encrypt(long_key, iv, data, bits), bits
        tag = rng.choice([4, 8, 16])
        assert radio.zuc256_mac(long_key, iv, data, bits, tag) == zuc.zuc256_mac(long_key, iv, data, bits, tag), bits


@variants
def test_in_place(radio: Radio) -> None:
    rng = random.Random("in place")
    for name in ("eea3", "uea2"):
        key, data = rng.randbytes(16), rng.randbytes(700)
        expected = getattr(radio, name)(key, 7, 3, 1, data, 5600)
        buffer = ctypes.create_string_buffer(data, len(data))
        words = [ctypes.c_uint32(v) for v in (7, 3, 1)]
        getattr(library(), f"ow_{name}{radio.suffix}")(buffer, key, *words, buffer, ctypes.c_uint64(5600))
        assert buffer.raw == expected


def test_keystreams_word_by_word() -> None:
    """Asked for in any portions, the keystream is the same."""
    rng = random.Random("words")
    for name, model in (("zuc", zuc.zuc128), ("snow3g", snow3g.snow3g)):
        key, iv = rng.randbytes(16), rng.randbytes(16)
        expected = model(key, iv)
        state = ctypes.create_string_buffer(128)
        getattr(library(), f"ow_{name}_start")(state, key, iv)
        for _ in range(40):
            count = rng.choice([0, 1, 5, 16, 17, 40])
            words = (ctypes.c_uint32 * max(count, 1))()
            getattr(library(), f"ow_{name}_words")(state, words, ctypes.c_uint64(count))
            assert list(words)[:count] == [next(expected) for _ in range(count)]


@pytest.mark.skipif(ipsec_mb.library() is None, reason="needs Debian's libipsec-mb-dev")
def test_long_messages_against_ipsec_mb() -> None:
    """Up to its limit of 65,504 bits, in both variants."""
    rng = random.Random("long")
    for _ in range(200):
        bits = rng.randrange(1, 65504)
        data, key, bearer, direction = (
            rng.randbytes(-(-bits // 8)),
            rng.randbytes(16),
            rng.getrandbits(5),
            rng.getrandbits(1),
        )
        count, fresh = rng.getrandbits(32), rng.getrandbits(32)
        radio = Radio(rng.choice(["", "_constant_time"]))
        whole = 8 * len(data)
        ours = radio.eea3(key, count, bearer, direction, data, whole)
        assert ours == ipsec_mb.zuc_cipher(key, zuc.iv_eea3(count, bearer, direction), data)
        ours = radio.eia3(key, count, bearer, direction, data, bits)
        assert ours == ipsec_mb.zuc_mac(key, zuc.iv_eia3(count, bearer, direction), data, bits)
        ours = radio.uea2(key, count, bearer, direction, data, bits)
        theirs = ipsec_mb.snow3g_cipher(key, snow3g.iv_f8(count, bearer, direction), data, bits)
        assert ours == snow3g.first_bits(theirs, bits)
        ours = radio.uia2(key, count, fresh, direction, data, bits)
        assert ours == ipsec_mb.snow3g_mac(key, snow3g.iv_f9(count, fresh, direction), data, bits)
