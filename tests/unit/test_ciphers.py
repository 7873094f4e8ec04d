# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The registry of ciphers."""

import pytest

from outwork import algorithms
from outwork.algorithms.cipher import check_iv, check_key, check_tag_bytes
from outwork.errors import ExitCode, UsageError


def test_names() -> None:
    assert sum(name.startswith("aes-") for name in algorithms.CIPHERS) == 8 * 3 - 1
    assert "aes-192-xts" not in algorithms.CIPHERS
    assert algorithms.find_cipher("AES-128-GCM").key_bytes == 16
    assert algorithms.find_cipher("aes-256-xts").key_bytes == 64
    assert not any(name.endswith("mac") for name in algorithms.FILE_CIPHERS)


def test_unknown_cipher_lists_all() -> None:
    with pytest.raises(UsageError) as caught:
        algorithms.find_cipher("aes-512-gcm")
    assert caught.value.exit_code == ExitCode.USAGE
    for name in algorithms.CIPHERS:
        assert name in str(caught.value)


def test_macs_do_not_encrypt_files() -> None:
    with pytest.raises(UsageError, match="makes a tag and no ciphertext"):
        algorithms.find_file_cipher("aes-256-cmac")


@pytest.mark.parametrize("length", [0, 15, 17, 24, 31, 33, 64])
def test_key_length(length: int) -> None:
    with pytest.raises(UsageError, match=f"32 bytes; this one has {length}"):
        check_key(algorithms.find_cipher("aes-256-gcm"), bytes(length))


def test_equal_xts_keys() -> None:
    with pytest.raises(UsageError, match="must differ"):
        check_key(algorithms.find_cipher("aes-128-xts"), b"k" * 32)


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("aes-128-ecb", (0,), (1, 16)),
        ("aes-128-cbc", (16,), (0, 12, 17)),
        ("aes-128-gcm", (1, 12, 256), (0,)),
        ("aes-128-ccm", (7, 13), (0, 6, 14)),
    ],
)
def test_iv_length(name: str, good: tuple[int, ...], bad: tuple[int, ...]) -> None:
    cipher = algorithms.find_cipher(name)
    for length in good:
        check_iv(cipher, bytes(length))
    for length in bad:
        with pytest.raises(UsageError):
            check_iv(cipher, bytes(length))


def test_tag_and_message_lengths() -> None:
    with pytest.raises(UsageError, match="tags of 4, 6, 8, 10, 12, 14, 16 bytes, not 5"):
        check_tag_bytes(algorithms.find_cipher("aes-128-ccm"), 5)
    with pytest.raises(UsageError, match="no tag"):
        check_tag_bytes(algorithms.find_cipher("aes-128-ctr"), 16)
    with pytest.raises(UsageError, match="whole blocks of 16 bytes; 17 bytes are 1 too many"):
        algorithms.find_cipher("aes-128-cbc").check_length(17)
    with pytest.raises(UsageError, match="at least 16"):
        algorithms.find_cipher("aes-128-xts").check_length(15)
