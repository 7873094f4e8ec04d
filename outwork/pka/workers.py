# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The workers on public keys, by name."""

from outwork.errors import unknown_name
from outwork.pka.base import Worker
from outwork.pka.device import DeviceWorker
from outwork.pka.software import SoftwareWorker


def open_worker(name: str, board: str) -> Worker:
    if name == DeviceWorker.name:
        return DeviceWorker(board)
    if name == SoftwareWorker.name:
        return SoftwareWorker()
    raise unknown_name("engine", name, [DeviceWorker.name, SoftwareWorker.name])
