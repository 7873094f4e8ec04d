# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, told to a person: one exception whose text is a sentence that says what to do, and the exit codes."""

from collections.abc import Iterable
from difflib import get_close_matches
from enum import IntEnum


class ExitCode(IntEnum):
    """How `outwork` ends. 2 is what a wrong command line gives too; a signal gives 128 and its number."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NOT_AUTHENTIC = 3
    NO_DEVICE = 4


class OutworkError(Exception):
    """Ends the command; its text is all that the user sees."""

    def __init__(self, sentence: str, exit_code: ExitCode = ExitCode.FAILED) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


class UsageError(OutworkError):
    """The request makes no sense, whatever the data."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, ExitCode.USAGE)


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that is most like this one; empty if none is."""
    return next(iter(get_close_matches(name, sorted(known), n=1)), "")


def unknown_name(what: str, name: str, known: Iterable[str], more: str = "") -> UsageError:
    """What there is instead of `name`, and which of it was probably meant. `what`: "cipher", say."""
    names = list(known)
    close = nearest(name.lower(), names)
    guess = f" Did you mean '{close}'?" if close else ""
    return UsageError(f"There is no {what} '{name}'.{guess} There are: {', '.join(names) or 'none'}{more}.")


class NotAuthenticError(OutworkError):
    """Wrong password or key, or damaged data: nothing of it has been let out."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, ExitCode.NOT_AUTHENTIC)


class NoDeviceError(OutworkError):
    """There is no board to open, or the device does not answer."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, ExitCode.NO_DEVICE)
