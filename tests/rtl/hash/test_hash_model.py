# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The golden model against OpenSSL (hashlib) and published values."""

from __future__ import annotations

import hashlib
import hmac
import random

import models
import pytest

model = models.load("hash")
BY_NAME = {a.name: a for a in (*model.HASHES, *model.XOFS)}


def openssl_name(name: str) -> str:
    return name.lower().replace("sha-", "sha").replace("/", "_").replace("sha3-", "sha3_").replace("shake", "shake_")


def lengths(block: int) -> list[int]:
    edges = [n + d for n in (block, 2 * block) for d in (-18, -17, -16, -9, -8, -1, 0, 1)]
    return [0, 1, 7, 8, 15, 16, *edges, 700]


@pytest.mark.parametrize("name", [a.name for a in model.HASHES])
def test_hashes_and_hmac_agree_with_openssl(name: str) -> None:
    rng, algorithm = random.Random(name), BY_NAME[name]
    for length in lengths(algorithm.block):
        message, key = rng.randbytes(length), rng.randbytes(rng.choice([0, 1, 20, 64, 128, 150]))
        assert model.digest(algorithm, message) == hashlib.new(openssl_name(name), message).digest()
        assert model.hmac(algorithm, key, message) == hmac.new(key, message, openssl_name(name)).digest()


@pytest.mark.parametrize("name", [a.name for a in model.XOFS])
def test_extendable_outputs_agree_with_openssl(name: str) -> None:
    rng, algorithm = random.Random(name), BY_NAME[name]
    for length in lengths(algorithm.block):
        message, size = rng.randbytes(length), rng.choice([1, 16, 32, 167, 168, 169, 500])
        assert model.digest(algorithm, message, size) == getattr(hashlib, openssl_name(name))(message).digest(size)


def test_constants_are_those_printed_in_fips_180_4() -> None:
    assert (model.K256[0], model.K256[63]) == (0x428A2F98, 0xC67178F2)
    assert (model.K512[0], model.K512[79]) == (0x428A2F98D728AE22, 0x6C44198C4A475817)
    assert model.SHA224.initial[:8].hex() == "c1059ed8367cd507"
    assert model.SHA384.initial[-8:].hex() == "47b5481dbefa4fa4"
    assert model.SHA512_224.initial[:8].hex() == "8c3d37c819544da2"
    assert model.SHA512_256.initial[-8:].hex() == "0eb72ddc81c52ca2"


def test_kmac_samples() -> None:
    """NIST's examples for SP 800-185: KMAC samples 1, 2 and 4."""
    key, data = bytes(range(0x40, 0x60)), bytes(range(4))
    tagged = b"My Tagged Application"
    assert model.kmac(model.CSHAKE128, key, data, 32).hex() == (
        "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e"
    )
    assert model.kmac(model.CSHAKE128, key, data, 32, tagged).hex() == (
        "3b1fba963cd8b0b59e8c1a6d71888b7143651af8ba0a7070c0979e2811324aa5"
    )
    assert model.kmac(model.CSHAKE256, key, data, 64, tagged).hex() == (
        "20c570c31346f703c9ac36c61c03cb64c3970d0cfc787e9b79599d273a68d2f7"
        "f69d4cc3de9d104a351689f27cf6f5951f0103f33f4f24871024d9c27773a8dd"
    )


def test_a_chain_goes_on_from_whole_blocks() -> None:
    rng = random.Random("chain")
    for algorithm in (model.SHA1, model.SHA256, model.SHA512_256, model.SHA3_384):
        message = rng.randbytes(2 * algorithm.block)
        chain = algorithm.initial
        for i in range(0, len(message), algorithm.block):
            chain = algorithm.compress(chain, message[i : i + algorithm.block])
        last = algorithm.compress(chain, algorithm.pad(len(message)))
        assert model.squeeze(algorithm, last, algorithm.digest) == model.digest(algorithm, message)
