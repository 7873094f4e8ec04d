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


# Runs `outwork` and leaves its status in a file when it ends. What wait4() tells of a process includes the memory of the one
# that has started it, and a process that has ended tells nothing itself.
PROGRAM = """
import atexit, pathlib, runpy, sys
status = pathlib.Path(sys.argv.pop(1))
atexit.register(lambda: status.write_bytes(pathlib.Path("/proc/self/status").read_bytes()))
runpy.run_module("outwork", run_name="__main__", alter_sys=True)
"""


def peak_bytes(status: Path) -> int:
    """Returns the most memory that the process has had."""
    (line,) = (line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) << 10


def through_a_pipe(plain: Path, key: Path, engine: str, cipher: str) -> tuple[str, int, list[int]]:
    """Encrypts to a pipe and decrypts from it. SHA-256 and length of what comes out, and the peaks of memory of both."""
    common = ["--engine", engine, "--key-file", str(key)]
    statuses = [plain.with_suffix(".encrypt"), plain.with_suffix(".decrypt")]
    first, second = ([sys.executable, "-c", PROGRAM, str(status)] for status in statuses)
    encrypt = subprocess.Popen(
        [*first, "encrypt", str(plain), "-", "--cipher", cipher, *common], stdout=subprocess.PIPE
    )
    decrypt = subprocess.Popen([*second, "decrypt", "-", "-", *common], stdin=encrypt.stdout, stdout=subprocess.PIPE)
    assert encrypt.stdout is not None and decrypt.stdout is not None
    encrypt.stdout.close()
    digest, length = hashlib.sha256(), 0
    while part := decrypt.stdout.read(MEBIBYTE // 4):
        digest.update(part)
        length += len(part)
    assert encrypt.wait() == decrypt.wait() == 0
    decrypt.stdout.close()
    return digest.hexdigest(), length, [peak_bytes(status) for status in statuses]


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
    got, length, peaks = through_a_pipe(plain, key, engine, cipher)
    assert (got, length) == (expected, size_bytes)
    assert min(peaks) > 0 and max(peaks) < MEMORY_BYTES_MAX, f"{max(peaks) / MEBIBYTE:.0f} MiB at the peak"


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
