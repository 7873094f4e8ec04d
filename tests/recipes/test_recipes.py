# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The recipes, as root in a root of its own over this machine's: what they install works, and goes again.

The root is an overlay in name spaces of mounts and of the network, so ports are free, and what a recipe changes stays in a
folder of the test.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from openssl_host import MODULE, plain_environment
from programs import program

from outwork import paths

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount an overlay")
RECIPES = paths.PROJECT / "recipes"
SHORT_PLAN = """
title = "What a policy needs, in short"
rounds = 1
[[sweep]]
algorithms = ["aes-256-gcm"]
sizes_bytes = [16, 1024, 16384]
jobs = [1]
"""
MOUNTS = """set -e
cd {folder}
mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root
mount --rbind /dev root/dev
mount -t proc proc root/proc
mount -t tmpfs tmpfs root/run
ip link set lo up
exec chroot root bash -euo pipefail -c "$1"
"""
# State that programs keep of their runs, and that is not a recipe's.
STATE = re.compile(r"^(root|tmp|var/(cache|log|lib/(nginx|systemd)|tmp))(/|$)|__pycache__|^etc/.pwd.lock$|^etc/\w+-$")


class Root:
    """A machine of its own, with this one's programs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("upper", "work", "root"):
            (folder / name).mkdir()
        (folder / "upper").chmod(0o755)

    def run(self, script: str) -> str:
        """Runs commands of bash in the project's folder. Returns what they print."""
        script = f"cd {paths.PROJECT}; export HOME=/root PLAN=/root/short.toml POLICY=always\n{script}"
        done = subprocess.run(
            [
                "unshare",
                "--mount",
                "--net",
                "--pid",
                "--fork",
                "bash",
                "-c",
                MOUNTS.format(folder=self.folder),
                "-",
                script,
            ],
            capture_output=True,
            text=True,
            check=False,
            timeout=900,
            env=plain_environment(),
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        return done.stdout

    def left(self) -> list[str]:
        """Returns what differs from this machine: files that are new or have other contents, and files that are gone."""
        upper = self.folder / "upper"
        found = []
        for path in upper.rglob("*"):
            name = str(path.relative_to(upper))
            below = Path("/") / name
            if path.is_dir() or STATE.search(name):
                continue
            if path.is_file() and below.is_file() and path.read_bytes() == below.read_bytes():
                continue
            found.append(name)
        return sorted(found)


@pytest.fixture
def root() -> Iterator[Root]:
    assert MODULE.is_file(), "the provider is not built: libssl-dev is missing"
    # Not pytest's folder, which only its user may enter: a service has another one.
    with TemporaryDirectory(prefix="outwork-recipes-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        made = Root(folder)
        home = folder / "upper/root"
        home.mkdir(mode=0o700)
        (home / "short.toml").write_text(SHORT_PLAN)
        yield made


def jobs(text: str, process: str, algorithm: str) -> int:
    """Returns the jobs that the device has counted, of a table of `outwork status --counters`."""
    rows = re.findall(rf"^\d+ +{process} +\w+ +{algorithm} +(\d+)", text, re.MULTILINE)
    assert rows, text
    return sum(map(int, rows))


@pytest.mark.slow
@needs_root
def test_openssl(root: Root) -> None:
    text = root.run(
        "recipes/openssl.sh install; recipes/openssl.sh check; .venv/bin/outwork openssl install --policy /etc/outwork/policy.txt --yes; "
        "echo included: $(grep -c outwork/openssl.cnf $(openssl version -d | cut -d '\"' -f 2)/openssl.cnf); recipes/openssl.sh uninstall"
    )
    assert "wrong" not in text
    assert re.search("the device did them|the CPU did them, because the policy says so", text), text
    assert jobs(text, "openssl", "aes-ctr") >= 1_000_000 // 65_536
    assert "nothing to change" in text and "included: 1\n" in text
    assert root.left() == []


def test_openssl_in_a_folder(tmp_path: Path) -> None:
    """Without root's rights: DESTDIR's way, with an own configuration."""
    (tmp_path / "short.toml").write_text(SHORT_PLAN)
    root = tmp_path / "root"
    environment = plain_environment() | {"ROOT": str(root), "PLAN": str(tmp_path / "short.toml")}

    def run(word: str) -> str:
        done = subprocess.run(
            [RECIPES / "openssl.sh", word], env=environment, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("install")
    assert (root / "etc/outwork/policy.txt").read_text().startswith("outwork-policy 1")
    text = run("check")
    assert "wrong" not in text and jobs(text, "openssl", "aes-ctr") >= 1_000_000 // 65_536
    run("uninstall")
    assert [path for path in root.rglob("*") if path.is_file()] == []


@pytest.mark.slow
@needs_root
def test_nginx(root: Root) -> None:
    program("nginx"), program("curl")
    text = root.run(
        "recipes/openssl.sh install >&2; for word in install check uninstall; do recipes/nginx.sh $word; done; recipes/openssl.sh uninstall >&2"
    )
    assert jobs(text, "nginx", "aes-gcm") >= 1_000_000 // 16_384
    assert root.left() == []


@pytest.mark.slow
@needs_root
def test_sshd(root: Root) -> None:
    program("sshd"), program("ssh")
    login = """
mkdir -p -m 700 ~/.ssh
ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/id_ed25519
cp ~/.ssh/id_ed25519.pub ~/.ssh/authorized_keys
ssh-keygen -A >&2
printf 'Host localhost\\nStrictHostKeyChecking no\\nLogLevel ERROR\\n' >~/.ssh/config
"""
    text = root.run(
        f"{login} recipes/openssl.sh install >&2; for word in install check uninstall; do recipes/sshd.sh $word; done; recipes/openssl.sh uninstall >&2"
    )
    assert jobs(text, "sshd", "aes-gcm") >= 10
    assert [name for name in root.left() if "ssh_host" not in name] == []


@pytest.mark.slow
@needs_root
@pytest.mark.skipif(shutil.which("systemd-sysusers") is None, reason="systemd's tools are missing")
def test_board(root: Root) -> None:
    """The daemon as its unit would run it: as a user of its own, and a program whose jobs are done there."""
    text = root.run(
        "chmod 755 /root; recipes/openssl.sh install >&2; recipes/board.sh install; stat -c '%U %a %n' /run/outwork/board; "
        "recipes/board.sh check; recipes/board.sh uninstall; recipes/openssl.sh uninstall >&2"
    )
    assert "outwork 770 /run/outwork/board" in text
    assert jobs(text, "openssl", "sha256") >= 5
    assert root.left() == []


def test_firmware_takes_its_own_files_and_folders_only(tmp_path: Path) -> None:
    """Of a prefix in which others have files, and folders without any."""
    environment = plain_environment() | {"ROOT": str(tmp_path)}
    prefix = tmp_path / "usr/local"
    for folder in ("games", "lib", "share"):
        (prefix / folder).mkdir(parents=True)
    (prefix / "share/mine").touch()
    before = sorted(tmp_path.rglob("*"))
    for word in ("install", "install", "uninstall"):
        subprocess.run([RECIPES / "firmware.sh", word], env=environment, stdout=subprocess.DEVNULL, check=True)
        assert (prefix / "share/outwork").is_dir() == (word == "install")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.slow
def test_firmware(tmp_path: Path) -> None:
    """Both ways to the installed tree, and the firmware on the simulated system on chip."""
    program("riscv64-unknown-elf-gcc"), program("pkg-config"), program("cargo")
    if not paths.has_library("ow_soc_128"):
        pytest.skip("the system on chip is not built: make soc")
    environment = plain_environment() | {"ROOT": str(tmp_path)}
    for word in ("install", "check", "uninstall"):
        done = subprocess.run(
            [RECIPES / "firmware.sh", word], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        if word == "check":
            assert "Mbed TLS: results equal, jobs of the device: 2\n" in done.stdout
            assert re.search(r"wolfCrypt: results equal, jobs of the device: [2-9]\n", done.stdout)
    assert [path for path in tmp_path.rglob("*") if not path.is_dir()] == []
