# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Modules of the kernel go to the guest with all that they need, each after what it needs."""

import lzma
from pathlib import Path

import qemu_check

DEPENDENCIES = """kernel/crypto/gcm.ko:
kernel/net/9p/9pnet.ko:
kernel/fs/9p/9p.ko: kernel/fs/fscache/fscache.ko kernel/fs/netfs/netfs.ko kernel/net/9p/9pnet.ko
kernel/fs/fscache/fscache.ko: kernel/fs/netfs/netfs.ko
kernel/fs/netfs/netfs.ko:
kernel/crypto/ghash-generic.ko.xz:
"""


def test_modules_come_after_what_they_need(tmp_path: Path) -> None:
    """`modules.dep` names what is loaded first last."""
    folder = tmp_path / "lib/modules/6.1"
    names = [line.split(":")[0] for line in DEPENDENCIES.splitlines()]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "modules.dep").write_text(DEPENDENCIES)
    (folder / "kernel/crypto/ghash-generic.ko.xz").write_bytes(lzma.compress(b"compressed"))
    (folder / "modules.builtin").write_text("kernel/crypto/cbc.ko\n")
    (tmp_path / "release").write_text("6.1\n")
    found = qemu_check.Build(tmp_path).kernel_modules(("9p", "cbc", "ghash_generic"))
    assert [Path(name).stem for name in found] == ["9pnet", "netfs", "fscache", "9p", "ghash-generic"]
    assert found["modules/ghash-generic.ko"] == b"compressed"
