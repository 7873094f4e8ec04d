# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Errors for users: exceptions whose text is a sentence that says what to do, and the exit codes."""

from collections.abc import Iterable
from difflib import get_close_matches
from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of `outwork`. A wrong command line gives 2; a signal gives 128 plus its number."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NOT_AUTHENTIC = 3
    NO_DEVICE = 4


class OutworkError(Exception):
    """Ends the command; the user sees only its text."""

    def __init__(self, sentence: str, exit_code: ExitCode = ExitCode.FAILED) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


class UsageError(OutworkError):
    """The request is not valid, whatever the data."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, ExitCode.USAGE)


def nearest(name: str, known: Iterable[str]) -> str:
    """Returns the known name that is most similar; empty: none is. Of similar ones that with the same letters in another
    order is preferred."""
    close = get_close_matches(name, sorted(known), n=3)
    return next((each for each in close if sorted(each) == sorted(name)), next(iter(close), ""))


def unknown_name(what: str, name: str, known: Iterable[str], more: str = "") -> UsageError:
    """Returns the error for an unknown name, with all known names and the most similar one. what: for example "cipher"."""
    names = list(known)
    return unlisted_name(what, name, names, f"There are: {', '.join(names) or 'none'}{more}")


def unlisted_name(what: str, name: str, known: Iterable[str], remedy: str) -> UsageError:
    """Returns the error for an unknown name, with the most similar one. remedy: says where the names are, where they are too
    many to list."""
    close = nearest(name.lower(), known)
    guess = f" Did you mean '{close}'?" if close else ""
    return UsageError(f"There is no {what} '{name}'.{guess} {remedy}.")


class NotAuthenticError(OutworkError):
    """Wrong password or key, or damaged data. No unauthenticated data has been returned."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, ExitCode.NOT_AUTHENTIC)


class NoDeviceError(OutworkError):
    """There is no board to open, or the device does not respond."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, ExitCode.NO_DEVICE)
