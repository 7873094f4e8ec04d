# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""ssh and scp with the kernel module: by AF_ALG and over an encrypted link under User Mode Linux, on queues of the processes in
QEMU."""

import shutil
from pathlib import Path

import kernel_guest
import openssl_host
import pytest
import qemu_check
import uml_check

from outwork.soc import module

LOAD = (*kernel_guest.STEPS, "load /outwork.ko", uml_check.BIND)
FILE_BYTES = 1 << 20
TRANSFERS = 3  # by ssh, and by scp in both directions
PACKET_BYTES = 1 << 15  # of a file in a packet of OpenSSH, at most
IN_A_PACKET = 1460  # of a segment of TCP, at most
OFFERED = ("aes128-ctr", "aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com")
OF_THE_ENGINE = ("aes128-cbc", "aes256-cbc")
# OpenSSL's engine for AF_ALG, which has AES-CBC alone.
ENGINE = """openssl_conf = all
[all]
engines = engines
[engines]
afalg = afalg
[afalg]
default_algorithms = ALL
"""
# OpenSSL's provider on a queue of /dev/outwork.
PROVIDER = f"""openssl_conf = all
[all]
providers = providers
alg_section = properties
[providers]
default = default_provider
outwork = outwork_provider
[default_provider]
activate = 1
[outwork_provider]
module = {openssl_host.MODULE}
activate = 1
platform = linux
policy = always
[properties]
default_properties = ?outwork.offload=yes
"""
QUEUES = 3  # for processes: a session's at either end, and one of sshd's other halves
QEMU_LOAD = (
    *kernel_guest.steps(qemu_check.SHARE), f"load /outwork.ko process_queues={QUEUES}", uml_check.BIND,
)  # fmt: skip

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/usr/sbin/sshd").exists(), reason="openssh-server is not installed"),
    pytest.mark.skipif(shutil.which("ip") is None, reason="iproute2 is not installed"),
]


def counted(run: uml_check.Run, *ciphers: str) -> dict[str, dict[str, int]]:
    """What the module has counted, by cipher. Every file has arrived whole."""
    kernel_guest.check(run)
    (result,) = kernel_guest.results(run.output)
    assert {cipher: result[cipher]["whole"] for cipher in result} == dict.fromkeys(ciphers, TRANSFERS)
    found = {cipher: result[cipher]["counters"] for cipher in result}
    assert all(each["errors"] == each["fallbacks_device"] == 0 for each in found.values())
    return found


def transfer(
    build: uml_check.Build, link: str, client: Path | str, server: Path | str, *ciphers: str
) -> dict[str, dict[str, int]]:
    """Sends files over ssh under User Mode Linux, with these configurations of OpenSSL."""
    script = kernel_guest.python("ssh.py", link, client, server, str(FILE_BYTES), *ciphers)
    return counted(uml_check.run([*LOAD, script], module.NO_TESTS, build), *ciphers)


def test_ssh_by_af_alg(uml_build: uml_check.Build, tmp_path: Path) -> None:
    """The client uses OpenSSL's engine for AF_ALG. A cipher that it has not is OpenSSL's own, and no job of the device."""
    configuration = tmp_path / "openssl.cnf"
    configuration.write_text(ENGINE)
    counters = transfer(uml_build, "loopback", configuration, "-", *OF_THE_ENGINE, *OFFERED)
    for cipher in OF_THE_ENGINE:
        assert counters[cipher]["queue0_device_jobs"] >= TRANSFERS * FILE_BYTES // PACKET_BYTES
    assert [counters[cipher]["queue0_device_jobs"] for cipher in OFFERED] == [0] * len(OFFERED)


def test_ssh_over_ipsec(uml_build: uml_check.Build) -> None:
    """The link is encrypted by the kernel, with AES-GCM, whatever ssh does."""
    counters = transfer(uml_build, "ipsec", "-", "-", *OFFERED)
    for cipher in OFFERED:
        assert counters[cipher]["queue0_device_jobs"] >= 2 * TRANSFERS * FILE_BYTES // IN_A_PACKET


@pytest.mark.skipif(not qemu_check.DEBIAN.is_complete, reason="kernel and board are not prepared: make qemu")
@pytest.mark.skipif(not openssl_host.MODULE.is_file(), reason="the provider is not built")
@pytest.mark.parametrize("whose", ["client", "server", "both"])
def test_ssh_on_a_queue_of_the_process(tmp_path: Path, whose: str) -> None:
    """Under Debian's own kernel. AES is the device's; ChaCha20, which the provider has not, is no job of it."""
    configuration = tmp_path / "openssl.cnf"
    configuration.write_text(PROVIDER)
    client, server = (configuration if whose in (end, "both") else "-" for end in ("client", "server"))
    script = kernel_guest.python("ssh.py", "loopback", client, server, str(FILE_BYTES), *OFFERED)
    counters = counted(qemu_check.run([*QEMU_LOAD, script], module.NO_TESTS), *OFFERED)
    for cipher in OFFERED[:2]:
        assert counters[cipher]["processes_jobs"] >= TRANSFERS * FILE_BYTES // PACKET_BYTES
    assert all(each["processes_opened"] == each["processes_closed"] for each in counters.values())
