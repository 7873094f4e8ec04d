# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Files of any size stream through `outwork` in constant memory, encrypted and decrypted in one pipe."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

MEBIBYTE = 1 << 20
# What 64 chunks of 256 KiB, their copies, Python and (accelerator) the simulated board may take together.
MEMORY_BYTES_MAX = 400 * MEBIBYTE
HEX_KEY = bytes(range(32)).hex()


def peak_bytes_of(process: subprocess.Popen[bytes]) -> int:
    """Returns the most memory that a process has had so far; 0 if it has ended. What wait4() tells includes the memory of
    the process that has started it, this one."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return next((int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM")), 0)


def through_a_pipe(plain: Path, key: Path, engine: str, cipher: str) -> tuple[str, int, int]:
    """Encrypts to a pipe and decrypts from it. SHA-256 and length of what comes out, and the larger peak of memory."""
    common = ["--engine", engine, "--key-file", str(key)]
    outwork = [sys.executable, "-m", "outwork"]
    encrypt = subprocess.Popen(
        [*outwork, "encrypt", str(plain), "-", "--cipher", cipher, *common], stdout=subprocess.PIPE
    )
    decrypt = subprocess.Popen([*outwork, "decrypt", "-", "-", *common], stdin=encrypt.stdout, stdout=subprocess.PIPE)
    assert encrypt.stdout is not None and decrypt.stdout is not None
    encrypt.stdout.close()
    digest, length = hashlib.sha256(), 0
    peaks = {encrypt: 0, decrypt: 0}
    while part := decrypt.stdout.read(MEBIBYTE // 4):
        digest.update(part)
        length += len(part)
        for process in peaks:
            peaks[process] = max(peaks[process], peak_bytes_of(process))
    # While its output is read, the second one is there; the first may have ended before, with a file of a few mebibytes.
    assert all(process.wait() == 0 for process in peaks) and peaks[decrypt] > 0
    assert peaks[encrypt] > 0 or length < MEMORY_BYTES_MAX
    decrypt.stdout.close()
    return digest.hexdigest(), length, max(peaks.values())


def check(folder: Path, size_bytes: int, engine: str, cipher: str) -> None:
    """A sparse file with a few bytes at its ends and in its middle."""
    plain, key = folder / "plain", folder / "key"
    key.write_text(HEX_KEY, encoding="ascii")
    key.chmod(0o600)
    with plain.open("wb") as file:
        file.truncate(size_bytes)
        for place in (0, size_bytes // 2, size_bytes - 5):
            file.seek(place)
            file.write(b"bytes")
    with plain.open("rb") as file:
        expected = hashlib.file_digest(file, "sha256").hexdigest()
    got, length, peak_bytes = through_a_pipe(plain, key, engine, cipher)
    assert (got, length) == (expected, size_bytes)
    assert peak_bytes < MEMORY_BYTES_MAX, f"{peak_bytes / MEBIBYTE:.0f} MiB at the peak"


@pytest.mark.slow
@pytest.mark.parametrize("cipher", ["aes-256-gcm", "aes-256-ctr"])
def test_5_gibibytes_in_software(tmp_path: Path, cipher: str) -> None:
    check(tmp_path, 5 << 30, "software", cipher)


@pytest.mark.slow
def test_256_mebibytes_on_the_accelerator(tmp_path: Path) -> None:
    check(tmp_path, 256 << 20, "accelerator", "aes-256-gcm")


@pytest.mark.parametrize("engine", ["software", "accelerator"])
def test_a_few_mebibytes(tmp_path: Path, engine: str) -> None:
    check(tmp_path, (3 << 20) + 7, engine, "aes-256-gcm")
