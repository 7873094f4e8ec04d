# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork doctor`: checks whether programs that use OpenSSL use the device; if not, says what to do."""

from typing import Annotated

import typer

from outwork import messages
from outwork.errors import ExitCode
from outwork.openssl import setup
from outwork.openssl.setup import Severity

MARKS = {
    Severity.GOOD: ("good ", "green"),
    Severity.NOTE: ("note ", "yellow"),
    Severity.WRONG: ("wrong", "red"),
}


def doctor(
    configuration: Annotated[
        str | None,
        typer.Option(
            "--configuration",
            envvar="OPENSSL_CONF",
            metavar="FILE",
            help="Configuration of OpenSSL to check, instead of the system's.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Check OpenSSL's provider: module, configuration, versions, policy, and whether a message reaches the device.

    Like any program, it loads the system's libcrypto, which reads its configuration, and encrypts messages; the
    device's job counter before and after shows whether the device has done them.

    Example:

      OPENSSL_CONF=/etc/outwork/openssl.cnf outwork doctor
    """
    from rich.text import Text

    console = messages.console()
    findings = setup.examine(configuration)
    for finding in findings:
        console.print(Text.assemble(MARKS[finding.severity], f"  {finding.text}"), highlight=False, soft_wrap=True)
        if finding.remedy:
            console.print(f"       → {finding.remedy}", highlight=False, soft_wrap=True)
    if any(finding.severity is Severity.WRONG for finding in findings):
        raise typer.Exit(ExitCode.FAILED)
