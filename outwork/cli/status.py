# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork status`: shows the device's capabilities and counters."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from outwork import algorithms, engines, messages, spec
from outwork.choice import process_statistics
from outwork.cli import options
from outwork.cli.options import DEFAULT_BOARD
from outwork.device.board import Board
from outwork.engines import selftest as known_answer_test
from outwork.engines.accelerator import AcceleratorEngine
from outwork.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

OPCODES_WIDTH: Final = 16  # bits of the field that has one for each opcode; algorithms are listed by name instead


def status(board: options.BoardName = DEFAULT_BOARD, counters: options.Counters = None) -> None:
    """Show the board's capabilities, key slots, counters and reasons for falling back to software.

    Each command has a simulated board of its own, which starts from reset, so the counters shown are those of a short
    exercise: the self-test. For one run of encrypt or decrypt, give that command --stats. With --counters: only the
    counters of programs that use a plug-in.

    Example:

      outwork status --board zcu102
      outwork status --counters /run/outwork
    """
    console = messages.console()
    if counters is not None:
        view = processes_table(counters)
        console.print(view, highlight=False, soft_wrap=True)
        if not view.row_count:
            messages.note(
                f"no program has left counters in {counters}: `outwork doctor` says whether programs use a device"
            )
        return
    engine = engines.open_engine("accelerator", board)
    assert isinstance(engine, AcceleratorEngine)
    with engine:
        for table in (_device(engine.board), _modes(engine)):
            console.print(table, highlight=False, soft_wrap=True)
            console.print()
        key = engine.load_key(algorithms.find_cipher(algorithms.DEFAULT_FILE_CIPHER), bytes(range(32)))
        runs = sum(result.runs for result in known_answer_test.run(engine))
        console.print(_key_slots(engine.board), highlight=False, soft_wrap=True)
        engine.drop_key(key)
        console.print(f"\nCounters after an exercise of {runs} jobs since reset (the self-test):", highlight=False)
        console.print(counters_table(engine), highlight=False, soft_wrap=True)
        for name, counted in fallbacks(engine):
            console.print(f"kept from the device, {name}: {counted}", highlight=False)


def processes_table(folder: Path) -> "Table":
    """Returns the table of processes that use a plug-in: what the device did, and what the CPU did and why."""
    from rich.table import Table

    view = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("process", "program", "plug-in", "algorithm"):
        view.add_column(title)
    for title in ("jobs", "bytes", "CPU requests", "CPU bytes"):
        view.add_column(title, justify="right")
    view.add_column("why the CPU")
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder: give the folder of counters from the plug-ins' configuration.")
    for process in process_statistics.read_all(folder):
        for opcode, row in process.rows.items():
            why = ", ".join(f"{reason}: {count}" for reason, count in row.cpu_requests.items() if count)
            numbers = (row.jobs, row.bytes, sum(row.cpu_requests.values()), row.cpu_bytes)
            name = process_statistics.opcode_name(opcode)
            view.add_row(str(process.pid), process.program, process.host, name, *map(str, numbers), why)
    return view


def _pairs(title: str) -> "Table":
    from rich.table import Table

    view = Table(box=None, show_header=False, pad_edge=False, title=title, title_justify="left", title_style="bold")
    view.add_column()
    view.add_column()
    return view


def _device(board: Board) -> "Table":
    has = board.capabilities
    view = _pairs(f"Board {board.profile.name} (simulated)")
    view.add_row("profile", f"{board.profile.description} ({board.profile.path.name})")
    view.add_row("interface version", f"{has.version_major}.{has.version_minor}.{has.version_patch}")
    view.add_row("clock", ", ".join(filter(None, (board.clock, board.profile.clock_source))))
    view.add_row("data bus", f"{has.bus_bytes * 8} bits")
    view.add_row("queues", f"{has.queues}, rings of up to {1 << has.ring_log2_max} jobs, {has.windows} windows each")
    view.add_row("jobs in flight", str(has.streams))
    names = [engine.name.lower() for engine in spec.Engine if has.engines >> engine & 1]
    view.add_row("engines", ", ".join(names))
    with_mac = {entry.function for entry in algorithms.MACS.values()}
    hashes = [entry for entry in algorithms.HASHES.values() if board.supports(entry.opcode, False)]
    for title, has_mac in (("hashes, and MACs of them", True), ("hashes without MACs", False)):
        functions = [entry.name for entry in hashes if (entry.function in with_mac) == has_mac]
        if functions:
            view.add_row(title, ", ".join(functions))
    for name in names:
        fields = [
            f"{field.replace('_', ' ')} {board.capability(register, field)}"
            for engine, register, field, _, width in spec.CAPABILITY_FIELDS
            if engine == name and width < OPCODES_WIDTH
        ]
        if fields:
            view.add_row(name, ", ".join(fields))
    return view


def _modes(engine: AcceleratorEngine) -> "Table":
    view = _pairs("Modes")
    # An opcode serves all key lengths: the longest stands for them.
    for cipher in {entry.opcode: entry for entry in algorithms.CIPHERS.values()}.values():
        able = [str(operation) for operation in cipher.operations if engine.supports(cipher, operation)]
        view.add_row(cipher.mode or cipher.name, ", ".join(able) or "not in this build; software is used")
    return view


def _key_slots(board: Board) -> "Table":
    """Returns the table of key slots and what they may be used for; the keys themselves cannot be read."""
    view = _pairs(f"Key slots ({board.capabilities.key_slots})")
    empty = 0
    for slot in range(board.capabilities.key_slots):
        info = board.key_info(slot)
        if not info.valid:
            empty += 1
            continue
        allowed = info.properties
        uses = [name for name in ("encrypt", "decrypt", "mac") if getattr(allowed, name)]
        queues = [str(queue) for queue in range(board.capabilities.queues) if allowed.queues >> queue & 1]
        kind = f"{info.key_len * 8} bits" + (" twice (XTS)" if info.two_keys else "")
        lock = ", locked" if info.locked else ""
        view.add_row(f"slot {slot}", f"{kind}; {', '.join(uses)}; queues {', '.join(queues)}{lock}")
    view.add_row("empty", str(empty))
    return view


def counters_table(engine: AcceleratorEngine) -> "Table":
    view = _pairs(f"Queue {engine.queue.index}")
    for name, value in engine.queue.counters().items():
        view.add_row(name.replace("_", " "), str(value))
    return view


def fallbacks(engine: AcceleratorEngine) -> list[tuple[str, int]]:
    return [(name, counted) for name, counted in engine.queue.fallbacks().items() if counted] or [("any reason", 0)]
