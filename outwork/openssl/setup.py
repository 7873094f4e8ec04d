# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Evaluates OpenSSL's configuration of the provider: findings, each with a remedy."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

from outwork.errors import OutworkError

MODULE: Final = "outwork.so"
DROP_IN: Final = "plugins/openssl/openssl.cnf.in, installed as /etc/outwork/openssl.cnf"
PROBE_SECONDS: Final = 120
NO_POLICY_FILE: Final = "the policy file cannot be read"  # plugins/offload/src/decision.c


class Severity(Enum):
    GOOD = "good"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True)
class Finding:
    severity: Severity
    text: str
    remedy: str = ""


def probe(configuration: str | None) -> dict[str, Any]:
    """Runs openssl_probe in a process of its own and returns its report."""
    environment = dict(os.environ)
    if configuration is not None:
        environment["OPENSSL_CONF"] = configuration
    try:
        done = subprocess.run(
            [sys.executable, "-m", "outwork.openssl.probe"],
            env=environment,
            capture_output=True,
            text=True,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise OutworkError(
            f"A process that uses OpenSSL with this configuration has not ended after {PROBE_SECONDS} s."
        ) from error
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it ended without output"])[-1]
        raise OutworkError(f"A process that uses OpenSSL with this configuration fails: {last}.")
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def examine(configuration: str | None) -> list[Finding]:
    if configuration is not None and not Path(configuration).is_file():
        return [
            Finding(
                Severity.WRONG,
                f"The configuration {configuration} does not exist, so OpenSSL uses none.",
                "correct --configuration or OPENSSL_CONF",
            )
        ]
    return list(judge(probe(configuration)))


def judge(report: dict[str, Any]) -> Iterator[Finding]:
    """Returns the findings of a report, in the order in which to fix them."""
    providers: list[str] = report["providers"]
    yield Finding(Severity.GOOD, f"{report['version']}, configured by {report['configuration']}")
    yield from _default(providers)
    if "outwork" not in providers:
        yield from _absent(report)
        return
    words: dict[str, str] = report["words"]
    yield Finding(Severity.GOOD, f"The provider {words['version']} is active.")
    yield from _release(report["version"], words["buildinfo"])
    if report["preferred"] == "outwork":
        yield Finding(Severity.GOOD, "Programs that ask for AES get it from the provider.")
    else:
        yield Finding(
            Severity.WRONG,
            f"Programs that ask for AES get it from {report['preferred'] or 'no provider'}, not from Outwork's provider.",
            "set default_properties = ?outwork.offload=yes in the section that alg_section names",
        )
    yield from _policy(words)
    yield from _trials(report["trials"], words)


def _default(providers: list[str]) -> Iterator[Finding]:
    if "default" in providers:
        yield Finding(Severity.GOOD, "The default provider is active: what the device does not do still works.")
    else:
        yield Finding(
            Severity.WRONG,
            "The default provider is not active, so most of OpenSSL does not work: no random numbers, no TLS, no ssh.",
            "add to the section of providers: default = default_sect, and [default_sect] with activate = 1",
        )


def _absent(report: dict[str, Any]) -> Iterator[Finding]:
    folder = os.environ.get("OPENSSL_MODULES") or report["modules_folder"]
    if report.get("words"):
        yield Finding(
            Severity.WRONG,
            "The provider can be loaded, but the configuration does not activate it.",
            f"`outwork openssl install` adds the drop-in configuration ({DROP_IN}) to {report['configuration']}",
        )
        return
    if (Path(folder) / MODULE).is_file():
        reasons = report["errors"] + report["load_errors"]
        yield Finding(
            Severity.WRONG,
            f"{MODULE} is in {folder}, but cannot be loaded: {'; '.join(reasons) or 'no reason given'}.",
            "build it against this OpenSSL's headers: make build install",
        )
        return
    yield Finding(
        Severity.WRONG,
        f"{MODULE} is not in {folder}, where this OpenSSL looks for modules.",
        "outwork openssl install, or set OPENSSL_MODULES, or name the file with module = in the provider's section",
    )


def _number(text: str) -> tuple[int, int] | None:
    """Returns the first two parts of the version: 3.0 of `OpenSSL 3.0.19 27 Jan 2026`."""
    for word in text.split():
        parts = word.split(".")
        if len(parts) >= 3 and parts[0].isdigit() and parts[1].isdigit():
            return int(parts[0]), int(parts[1])
    return None


def _release(running: str, built: str) -> Iterator[Finding]:
    runs, was_built = _number(running), _number(built)
    if runs is None or was_built is None or (runs[0] == was_built[0] and runs >= was_built):
        yield Finding(Severity.GOOD, f"It was built {built}.")
    else:
        yield Finding(
            Severity.WRONG,
            f"It was built {built}, but another version runs ({running}).",
            "build it against the headers of the OpenSSL that runs",
        )


def _policy(words: dict[str, str]) -> Iterator[Finding]:
    if words["complaint"] == NO_POLICY_FILE:
        yield Finding(
            Severity.WRONG,
            f"The provider says: {words['complaint']}: {words['policy']}.",
            f"measure this machine and write it: outwork lab run policy && outwork lab policy -o {words['policy']}",
        )
    elif words["complaint"]:
        yield Finding(Severity.WRONG, f"The provider says: {words['complaint']}.", "correct its section")
    if not words["policy"] or words["policy"] == "never":
        yield Finding(
            Severity.WRONG,
            "There is no policy, so everything stays on the CPU.",
            "outwork lab policy writes one; name it with policy = in the provider's section, or in OUTWORK_POLICY",
        )
    else:
        yield Finding(Severity.GOOD, f"The policy is {words['policy']}.")


def _trials(trials: list[dict[str, Any]], words: dict[str, str]) -> Iterator[Finding]:
    offloaded = 0
    for trial in trials:
        changes: dict[str, int] = trial["changes"]
        size = f"{trial['bytes']:,} bytes of AES-256-GCM"
        offloaded += changes["jobs"]
        if not trial["right"]:
            yield Finding(Severity.WRONG, f"{size}: the result is wrong.", "do not use this device; please report it")
        elif changes["jobs"]:
            yield Finding(Severity.GOOD, f"{size}: the device did them ({changes['jobs']} more on its job counter).")
        elif changes["cpu-policy"]:
            yield Finding(Severity.NOTE, f"{size}: the CPU did them, because the policy says so.")
        else:
            yield Finding(Severity.NOTE, f"{size}: the CPU did them, because the device did not.")
    if offloaded or words["policy"] in ("", "never"):
        return
    if words["complaint"] or not all(trial["changes"]["cpu-policy"] for trial in trials):
        yield Finding(
            Severity.WRONG,
            "Nothing reached the device.",
            "look at the lines above: the policy was not read, or the device does not open or fails",
        )
    else:
        yield Finding(
            Severity.NOTE,
            "The policy sends none of these messages to the device, so the device was not tested.",
            "correct if the CPU is faster; to test the device: policy = always in the provider's section",
        )
