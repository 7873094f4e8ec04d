# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The Debian packages of `make deb`, installed, run and purged in a root of their own over this machine's.

The root is an overlay in a name space of mounts: what the packages change stays in a folder of the test, and shows what a
purge leaves. It needs root's rights and Debian.
"""

import json
import os
import shutil
import subprocess

import pytest

from outwork import paths

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="these packages are for Debian"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount an overlay"),
]
DIST = paths.PROJECT / "dist"
SCRIPT = """
set -e
export HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin
unset OPENSSL_CONF
cd /root && mkdir work && cd work
dpkg --install /packages/*.deb
echo "== file"
head -c 100000 /dev/urandom > plain && openssl rand -hex 32 > key && chmod 600 key
outwork encrypt --stats --key-file key plain sealed 2>&1
outwork decrypt --engine software --key-file key sealed back && cmp plain back
man -w outwork-encrypt
outwork bench --size 1024 --engine accelerator --engine cpu
systemd-analyze verify --man=no /usr/lib/systemd/system/outwork-board.service
stat -c '%U %a %n' /run/outwork /run/outwork/counters
echo "== provider"
cp /etc/ssl/openssl.cnf before.cnf
sed -i 's|^policy = .*|policy = always|' /etc/outwork/openssl.cnf
outwork openssl install --configuration-only --yes
outwork doctor
outwork openssl speed --size 1024
echo "== library"
printf '#include <outwork/outwork.h>\\n#include <stdio.h>\\nint main(void) { puts(ow_status_text(OW_NO_DEVICE)); return 0; }\\n' > main.c
cc -Wall -Werror $(pkg-config --cflags outwork) main.c -o main $(pkg-config --libs outwork)
./main
ldd ./main
echo "== purge"
dpkg --purge outwork-openssl outwork liboutwork-dev liboutwork0.2 outwork-doc
cmp /etc/ssl/openssl.cnf before.cnf
openssl version
"""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    if not list(DIST.glob("*.deb")):
        subprocess.run(["make", "deb", "BOARDS=128"], cwd=paths.PROJECT, check=True)
    folder = tmp_path_factory.mktemp("deb")
    for name in ("upper", "work", "root", "packages"):
        (folder / name).mkdir()
    for package in DIST.glob("*.deb"):
        shutil.copy(package, folder / "packages")
    (folder / "script").write_text(SCRIPT)
    words = f"""set -e
mount -t overlay overlay -o lowerdir=/,upperdir={folder}/upper,workdir={folder}/work {folder}/root
mkdir -p {folder}/root/packages && mount --bind {folder}/packages {folder}/root/packages
mount --rbind /dev {folder}/root/dev && mount -t proc proc {folder}/root/proc
exec chroot {folder}/root sh -e /packages/script
"""
    shutil.copy(folder / "script", folder / "packages/script")
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stdout + done.stderr
    left = sorted(str(path.relative_to(folder / "upper")) for path in (folder / "upper").rglob("*outwork*"))
    return done.stdout + f"\n== left\n{json.dumps(left)}\n"


def part(log: str, name: str) -> str:
    return log.split(f"== {name}\n")[1].split("\n== ")[0]


def test_file(log: str) -> None:
    assert "jobs on the device: 1, and 0 that failed" in part(log, "file")
    assert "outwork-encrypt.1" in part(log, "file")
    assert "accelerator (reference)" in part(log, "file") and "cpu/openssl" in part(log, "file")
    assert "outwork 755 /run/outwork\nroot 1777 /run/outwork/counters" in part(log, "file")


def test_provider(log: str) -> None:
    text = part(log, "provider")
    assert "65,536 bytes of AES-256-GCM: the device did them" in text and "wrong" not in text
    assert "device and CPU" in text


def test_library(log: str) -> None:
    text = part(log, "library")
    assert "No Outwork device" in text and "liboutwork.so.0.2 => /" in text


def test_purge_leaves_nothing(log: str) -> None:
    """dpkg's own lists of removed packages are not ours."""
    left = [name for name in json.loads(part(log, "left")) if not name.startswith("var/")]
    assert left == []
