# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, told to a person: one exception whose text is a sentence that says what to do, and the exit codes."""

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


class NotAuthenticError(OutworkError):
    """Wrong password or key, or damaged data: nothing of it has been let out."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, ExitCode.NOT_AUTHENTIC)


class NoDeviceError(OutworkError):
    """There is no board to open, or the device does not answer."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, ExitCode.NO_DEVICE)
