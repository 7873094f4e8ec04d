# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""OpenSSL with the provider on a queue of /dev/outwork, under Linux with the kernel module on the system on chip."""

import hashlib
import re
import subprocess
from functools import partial

import pytest
import soc_openssl_bench as bench

from outwork.lab.samples import sample_text
from outwork.paths import has_library
from outwork.soc import linux, module

CONFIGURATION = b"""openssl_conf = all
[all]
providers = providers
[providers]
default = default_section
outwork = outwork_section
[default_section]
activate = 1
[outwork_section]
activate = 1
platform = linux
policy = always
"""
PROGRAM = "run OPENSSL_CONF=/openssl.cnf /openssl"
OFFLOAD = "-propquery ?outwork.offload=yes"
CIPHER = ("-aes-256-ctr", "-K", bench.KEY, "-iv", bench.IV)
TEXT_BYTES = 65_536

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_library("ow_soc_128"), reason="the system is not built: make soc"),
    pytest.mark.skipif(
        not (module.IMAGE.is_file() and module.MODULE.is_file()), reason="kernel and module are not built: make linux"
    ),
    pytest.mark.skipif(not bench.OPENSSL.is_file(), reason="OpenSSL is not built for the system: make soc-openssl"),
]


def test_enc_and_speed_on_a_queue_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `openssl enc` writes is right, and the device has counted a job for each operation, in queues given back."""
    monkeypatch.setattr(linux, "start_kernel", partial(linux.start_kernel, cycles_per_second=bench.CYCLES_PER_SECOND))
    text, show = sample_text(TEXT_BYTES), f"show {module.STATISTICS}"
    steps = [
        "load /outwork.ko",
        "device outwork",
        f"{PROGRAM} enc {OFFLOAD} {' '.join(CIPHER)} -in /plain -out /result",
        show,
        "run /openssl dgst -sha256 /result",
        "run /openssl rand -hex 8",  # waits for the kernel's random numbers, which would take the time of `speed`
        f"{PROGRAM} speed {OFFLOAD} -elapsed -seconds 3 -bytes 4096 -evp aes-256-gcm",
        show,
        "unload outwork",
    ]
    files = {"openssl": bench.OPENSSL.read_bytes(), "openssl.cnf": CONFIGURATION, "plain": text}
    with module.start(steps, module.NO_TESTS, more=files) as system:
        output = module.run(system, max_cycles=1_500_000_000)
    assert output.status == 0 and not output.faults, output.console
    assert "the CPU does the device's work" not in output.console
    wanted = subprocess.run(["openssl", "enc", *CIPHER], input=text, capture_output=True, check=True).stdout
    assert hashlib.sha256(wanted).hexdigest() in output.console
    after_enc, after_speed = output.statistics(0), output.statistics(1)
    assert after_enc["processes_opened"] == after_enc["processes_closed"] == 1
    assert after_enc["processes_jobs"] > 0
    operations = re.search(r"on 4096 size blocks: (\d+) ", output.console)
    assert operations is not None and int(operations[1]) > 40, output.console
    assert after_speed["processes_jobs"] - after_enc["processes_jobs"] >= int(operations[1])
    assert after_speed["processes_taken"] == after_speed["processes_stuck"] == 0
