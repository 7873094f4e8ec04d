# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork digest` and `outwork mac`: same results as sha256sum and OpenSSL, on both engines; errors for bad input."""

import hashlib
import hmac
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from commands import outwork

CHUNK = 256 * 1024
SOFTWARE = ("--engine", "software")


def run(*words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    done = outwork(*words, stdin=stdin)
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return subprocess.CompletedProcess(words, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Sizes around a chunk, more than are hashed at once, and a name that must be escaped."""
    sizes = [0, 1, 63, CHUNK - 1, CHUNK, CHUNK + 1, *range(100, 1200, 100)]
    paths = [tmp_path / f"file{index}" for index in range(len(sizes))]
    paths.append(tmp_path / "odd\\na\nme")
    sizes.append(5)
    for path, size in zip(paths, sizes, strict=True):
        path.write_bytes(os.urandom(size))
    return paths


@pytest.mark.parametrize("engine", ["accelerator", "software"])
def test_lines_are_those_of_sha256sum(files: list[Path], engine: str) -> None:
    done = run("digest", "sha-256", "--engine", engine, *map(str, files))
    wanted = subprocess.run(["sha256sum", *map(str, files)], capture_output=True, check=True, text=True)
    assert (done.returncode, done.stdout) == (0, wanted.stdout)


def test_every_name_of_a_file_is_read_back(tmp_path: Path) -> None:
    """Characters that end lines elsewhere, and bytes that are no text."""
    names = [
        b"form\ffeed",
        b"next\xc2\x85line",
        b"para\xe2\x80\xa9graph",
        b"group\x1dmark",
        b"latin\xe9",
        b"cr\r",
        b"lf\n",
    ]
    paths = [os.fsdecode(os.fsencode(tmp_path) + b"/" + name) for name in names]
    for path in paths:
        Path(path).write_bytes(b"abc")
    # As in a locale such as en_US.UTF-8; in that of C Python is not strict.
    done = outwork("digest", "sha-256", *SOFTWARE, *paths, environment={"PYTHONIOENCODING": "utf-8:strict"})
    assert (done.returncode, done.stderr) == (0, b"")
    sums = tmp_path / "sums"
    sums.write_bytes(done.stdout)
    done = outwork("digest", "sha-256", *SOFTWARE, "--check", sums)
    assert done.returncode == 0 and done.stdout.count(b": OK\n") == len(names)


def test_name_with_a_zero_byte(tmp_path: Path) -> None:
    sums = tmp_path / "sums"
    sums.write_bytes(b"00" * 32 + b"  a\0b\n")
    assert f"{sums}, line 1, is not a line of sha-256 digests" in run("digest", "sha-256", "--check", str(sums)).stderr


def test_the_device_did_it(files: list[Path]) -> None:
    done = run("digest", "sha3-256", "--stats", *map(str, files))
    jobs = 2 * 2 + len(files) - 2  # files of a chunk and of one byte more take two
    assert f"jobs on the device: {jobs}," in done.stderr


@pytest.mark.parametrize("name", ["sha-1", "sha-512-224", "sha3-512", "shake256"])
def test_engines_agree_on_digests(name: str, files: list[Path]) -> None:
    chosen = [str(path) for path in files[1:4]]
    device, software = (run("digest", name, "--engine", engine, *chosen) for engine in ("accelerator", "software"))
    assert device.returncode == 0 and device.stdout == software.stdout


@pytest.mark.parametrize("name", ["hmac-sha-384", "hmac-sha3-224", "kmac128"])
def test_engines_agree_on_macs(name: str, files: list[Path]) -> None:
    for key in ("0b" * 20, "aa" * (40 if name.startswith("kmac") else 131)):
        arguments = ("mac", name, "--key", key, "--length", "20", str(files[3]), str(files[0]))
        device, software = (run(*arguments, "--engine", engine) for engine in ("accelerator", "software"))
        assert device.returncode == 0 and device.stdout == software.stdout


def test_check(files: list[Path], tmp_path: Path) -> None:
    sums = tmp_path / "SUMS"
    sums.write_text(run("digest", "sha-512", *map(str, files)).stdout, encoding="utf-8")
    done = run("digest", "sha-512", "--check", str(sums))
    assert done.returncode == 0 and done.stdout.count(": OK\n") == len(files)
    assert subprocess.run([shutil.which("sha512sum") or "", "--check", sums], capture_output=True).returncode == 0
    files[2].write_bytes(b"other")
    files[3].unlink()
    done = run("digest", "sha-512", "--check", "--quiet", str(sums))
    assert done.returncode == 1
    assert done.stdout == f"{files[2]}: FAILED\n"
    assert f"{files[3]} cannot be read" in done.stderr and "2 of" in done.stderr


def test_check_reads_lines_of_bsd(files: list[Path], tmp_path: Path) -> None:
    sums = tmp_path / "SUMS"
    digest = hashlib.sha256(files[1].read_bytes()).hexdigest().upper()
    sums.write_text(f"SHA256 ({files[1]}) = {digest}\n", encoding="utf-8")
    assert run("digest", "sha256", "-c", str(sums)).stdout == f"{files[1]}: OK\n"


def test_standard_input_and_long_output() -> None:
    done = run("digest", "SHAKE-128", "--length", "500", stdin=b"abc")
    assert done.stdout == hashlib.shake_128(b"abc").hexdigest(500) + "  -\n"
    shortest = run("digest", "SHAKE-128", "--length", "1", stdin=b"abc")
    assert shortest.stdout == hashlib.shake_128(b"abc").hexdigest(1) + "  -\n"
    shortest = run("mac", "hmac-sha-256", "--key", "00", "--length", "1", stdin=b"abc")
    assert shortest.stdout == hmac.digest(b"\0", b"abc", "sha256")[:1].hex() + "  -\n"


def test_verify(tmp_path: Path) -> None:
    message, key = tmp_path / "message", tmp_path / "key"
    message.write_bytes(b"x" * 1000)
    key.write_text("00112233", encoding="utf-8")
    key.chmod(0o600)
    mac = hmac.new(bytes.fromhex("00112233"), b"x" * 1000, "sha1").hexdigest()
    common = ("mac", "hmac-sha1", "--key-file", str(key), str(message))
    done = run(*common, "--verify", mac)
    assert (done.returncode, done.stdout) == (0, "")
    wrong = run(*common, "--verify", mac[:-1] + ("0" if mac[-1] != "0" else "1"))
    assert wrong.returncode == 3 and "does not match" in wrong.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("digest", "md5", "x"), "There is no hash 'md5'"),
        (("digest", "sha-256", "--length", "20", "x"), "sha-256 gives 32 bytes"),
        (("digest", "shake128", "--length", "0", "x"), "gives 1 to"),
        (("digest", "sha-256", "--quiet", "x"), "--quiet goes with --check"),
        (("mac", "hmac-sha-256", "x"), "Give the key"),
        (("mac", "hmac-sha-256", "--key", "00", "--key-file", "k", "x"), "Give the key"),
        (("mac", "hmac-sha-256", "--key", "0", "x"), "hexadecimal"),
        (("mac", "hmac-sha-256", "--key", "00", "--length", "33", "x"), "1 to 32 bytes"),
        (("mac", "hmac-sha-256", "--key", "00", "--verify", "00", "a", "b"), "one file"),
    ],
)
def test_errors_say_what_to_do(arguments: tuple[str, ...], words: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2 and words in done.stderr and done.stdout == ""


def test_a_line_that_is_no_digest(tmp_path: Path) -> None:
    sums = tmp_path / "SUMS"
    sums.write_text("abcdef  file\n", encoding="utf-8")
    done = run("digest", "sha-256", "--check", str(sums))
    assert done.returncode == 2 and "line 1" in done.stderr and "64 hexadecimal digits" in done.stderr
