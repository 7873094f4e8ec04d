# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What the timing diagrams show: each scene is played on the simulated board `reference`, and its waveform is read."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from outwork import spec
from outwork.device.board import Board
from outwork.device.memory import Memory as Buffer
from outwork.device.queues import Queue
from outwork.errors import OutworkError
from timing.lanes import Diagram, Lane
from timing.waveform import Waveform, outputs

BEAT_BYTES: Final = 16
STAGES: Final = 14  # AES rounds that the board of the figures unrolls
TEXT: Final = bytes(range(64))
KEY: Final = bytes(range(16))
IV_BYTES: Final = 12
PAGE: Final = spec.QUEUE_OFFSET  # of queue 0
INTERRUPT_AFTER: Final = 12  # cycles until software acknowledges the interrupt
ZEROISE_CYCLES: Final = 600  # after which all keys are erased on this board
REST: Final = 3000  # cycles after which the device does nothing more of its own: it erases its keys after a reset
Name = Callable[[int], str]


def number(value: int) -> str:
    return f"{value:x}"


class Scene:
    """A board with a waveform of what is done to it."""

    def __init__(self, board: Board, path: Path) -> None:
        self.board, self.path = board, path

    def record(self, cycles: int) -> None:
        if not self.board.c.ow_sim_trace_cycles(self.board.sim, str(self.path).encode(), cycles):
            raise OutworkError("This board cannot write waveforms: run `make timing`.")

    def run(self, cycles: int) -> None:
        self.board.c.ow_sim_run(self.board.sim, cycles)

    def read(self, register: int) -> int:
        platform = self.board.platform
        return int(platform.read32(platform.context, register))

    def read64(self, low: int) -> int:
        return self.read(low) | self.read(low + 4) << 32

    def write(self, register: int, value: int) -> None:
        platform = self.board.platform
        platform.write32(platform.context, register, value)

    def waveform(self) -> Waveform:
        while self.board.c.ow_sim_tracing(self.board.sim):
            self.run(1)
        if self.board.protocol_error():
            raise OutworkError(self.board.protocol_error())
        return Waveform(self.path)


@contextmanager
def scene() -> Iterator[Scene]:
    with Board("reference") as board, TemporaryDirectory() as folder:
        stages = int(board.c.ow_sim_aes_stages())
        if stages != STAGES:
            raise OutworkError(
                f"This board unrolls {stages} rounds of AES, not {STAGES}, and takes other times: run `make timing`."
            )
        yield Scene(board, Path(folder) / "scene.fst")


class View:
    """The cycles of a waveform from `begin` to before `end`, as lanes. `zero`: the cycle that has the number 0."""

    def __init__(self, waveform: Waveform, begin: int, end: int, zero: int) -> None:
        self.waveform, self.begin, self.end = waveform, begin, end
        self.number = begin - zero

    def _part(self, port: str) -> list[int]:
        return self.waveform[port][self.begin : self.end]

    def bit(self, port: str, index: int | None = None) -> Lane:
        values = [str(value >> (index or 0) & 1) for value in self._part(port)]
        name = port if index is None else f"{port}[{index}]"
        return Lane(name, values, is_output=port in outputs())

    def bus(self, port: str, name: Name) -> Lane:
        return Lane(port, [name(value) for value in self._part(port)], is_bus=True, is_output=port in outputs())

    def channel(self, prefix: str, payload: Mapping[str, Name]) -> list[Lane]:
        """Returns VALID, READY and those signals of a channel that are named, which mean something while VALID is
        high."""
        valid = self._part(f"{prefix}valid")
        lanes = [self.bit(f"{prefix}valid"), self.bit(f"{prefix}ready")]
        for signal, name in payload.items():
            port = prefix + signal
            texts = [name(value) if held else "" for value, held in zip(self._part(port), valid, strict=True)]
            lanes.append(Lane(port, texts, is_bus=True, is_output=port in outputs()))
        return lanes


def reset() -> Diagram:
    with scene() as stage:
        stage.record(30)
        stage.board.c.ow_sim_reset(stage.board.sim)
        stage.read(spec.GLOBAL_ID_OFFSET)
        waveform = stage.waveform()
    view = View(waveform, 0, waveform.first("s_axil_rvalid") + 3, waveform.first("aresetn") - 1)
    groups = [
        [view.bit("aresetn")],
        view.channel("s_axil_ar", {"addr": number}),
        view.channel("s_axil_r", {"data": number}),
    ]
    return Diagram("Reset and the first register access", groups, view.number, numbered_from=1)


def registers() -> Diagram:
    with scene() as stage:
        stage.board.queue(0)
        stage.record(20)
        stage.run(2)
        stage.write(PAGE + spec.QUEUE_IRQ_TIME_OFFSET, 0x200)
        stage.run(1)
        stage.read(PAGE + spec.QUEUE_IRQ_TIME_OFFSET)
        waveform = stage.waveform()
    begin = waveform.first("s_axil_awvalid")
    view = View(waveform, begin - 1, waveform.first("s_axil_rvalid") + 2, begin)
    groups = [
        view.channel("s_axil_aw", {"addr": number}),
        view.channel("s_axil_w", {"data": number, "strb": number}),
        view.channel("s_axil_b", {"resp": number}),
        view.channel("s_axil_ar", {"addr": number}),
        view.channel("s_axil_r", {"data": number, "resp": number}),
    ]
    return Diagram("A register is written and read back", groups, view.number)


class Memory:
    """Names of addresses and of beats: a value that is none of them is an error."""

    def __init__(self) -> None:
        self._places: dict[int, str] = {}
        self._beats: dict[int, str] = {}

    def add(self, name: str, letter: str, address: int, content: bytes) -> None:
        self._places[address] = name
        for place in range(0, len(content), BEAT_BYTES):
            beat = int.from_bytes(content[place : place + BEAT_BYTES], "little")
            self._beats[beat] = f"{letter}{place // BEAT_BYTES}"

    def place(self, address: int) -> str:
        return self._places[address]

    def beat(self, value: int) -> str:
        return self._beats[value]


@dataclass
class Job:
    """A job of AES-128-GCM with the key in a slot, 64 bytes and no AAD, and a queue that raises an interrupt at its
    end."""

    queue: Queue
    work: Any
    source: Buffer
    destination: Buffer
    iv: Any  # kept as long as the job

    @classmethod
    def on(cls, board: Board) -> "Job":
        board.load_key(0, KEY)
        queue = board.queue(0)
        board.check(board.c.ow_queue_set_interrupts(queue.queue, True, 1, 0))
        job = cls(
            queue,
            board.ffi.new("struct ow_job[]", 1),
            board.memory(len(TEXT)),
            board.memory(len(TEXT)),
            board.ffi.new("uint8_t[]", IV_BYTES),
        )
        job.source.view[:] = TEXT
        (work,) = job.work
        work.opcode, work.tag_len, work.length = spec.Opcode.AES_GCM, BEAT_BYTES, len(TEXT)
        work.source, work.destination = board.pointer(job.source.address), board.pointer(job.destination.address)
        work.iv, work.iv_len = job.iv, IV_BYTES
        board.c.ow_sim_run(board.sim, REST)
        return job

    def submit(self) -> None:
        self.queue.submit(self.queue.pointers(self.work), 1)

    def finish(self) -> None:
        self.queue.wait()
        self.queue.board.check(self.work[0].status)

    def memory(self, scene: Scene) -> Memory:
        """Returns the names of what was read and written, while the job's slot of the rings is not used again."""
        rings, made = self.queue.rings, Memory()
        descriptor = scene.read64(PAGE + spec.QUEUE_RING_LOW_OFFSET)
        record = scene.read64(PAGE + spec.QUEUE_DONE_LOW_OFFSET)
        made.add("ring", "D", descriptor, bytes(rings.at(descriptor - rings.address, spec.DESCRIPTOR_SIZE)))
        made.add("src", "P", self.source.address, TEXT)
        made.add("dst", "C", self.destination.address, bytes(self.destination.view))
        made.add("done", "R", record, bytes(rings.at(record - rings.address, spec.COMPLETION_SIZE)))
        return made


def job_parts() -> dict[str, Diagram]:
    with scene() as stage:
        job = Job.on(stage.board)
        stage.record(400)
        stage.run(2)
        job.submit()
        platform = stage.board.platform
        platform.wait_interrupt(platform.context, 0, 100)
        stage.run(INTERRUPT_AFTER)
        stage.write(PAGE + spec.QUEUE_IRQ_OFFSET, spec.QUEUE_IRQ_PENDING_MASK)
        waveform, memory = stage.waveform(), job.memory(stage)
        job.finish()
    doorbell = waveform.first("s_axil_awvalid")
    result = waveform.first("m_axi_awvalid")
    answered = waveform.first("m_axi_bvalid")
    record = waveform.first("m_axi_awvalid", answered)
    acknowledged = waveform.first("s_axil_awvalid", record)
    text_read = max(cycle for cycle in range(result) if waveform["m_axi_rvalid"][cycle])
    return {
        "job-read": _job_read(View(waveform, doorbell - 1, text_read + 2, doorbell), memory),
        "job-result": _job_result(View(waveform, result - 1, answered + 2, doorbell), memory),
        "job-record": _job_record(View(waveform, record - 1, acknowledged + 4, doorbell), memory),
    }


def _job_read(view: View, memory: Memory) -> Diagram:
    groups = [
        view.channel("s_axil_aw", {"addr": number}),
        view.channel("s_axil_w", {"data": number}),
        view.channel("m_axi_ar", {"addr": memory.place, "len": number}),
        view.channel("m_axi_r", {"data": memory.beat, "last": number}),
    ]
    return Diagram("A job: doorbell, descriptor and text", groups, view.number)


def _job_result(view: View, memory: Memory) -> Diagram:
    groups = [
        view.channel("m_axi_aw", {"addr": memory.place, "len": number}),
        view.channel("m_axi_w", {"data": memory.beat, "strb": number, "last": number}),
        view.channel("m_axi_b", {"resp": number}),
    ]
    return Diagram("A job: its result is written", groups, view.number)


def _job_record(view: View, memory: Memory) -> Diagram:
    groups = [
        view.channel("m_axi_aw", {"addr": memory.place, "len": number}),
        view.channel("m_axi_w", {"data": memory.beat, "last": number}),
        view.channel("m_axi_b", {}),
        [view.bit("irq", 0)],
        view.channel("s_axil_aw", {"addr": number}),
        view.channel("s_axil_b", {}),
    ]
    return Diagram("A job: completion record, interrupt and acknowledgement", groups, view.number)


def tamper() -> Diagram:
    with scene() as stage:
        board = stage.board
        board.load_key(0, KEY)
        stage.run(REST)
        stage.record(ZEROISE_CYCLES + 60)
        stage.run(1)
        board.c.ow_sim_tamper(board.sim, 1)
        stage.run(3)
        board.c.ow_sim_tamper(board.sim, 0)
        stage.read(spec.GLOBAL_STATUS_OFFSET)
        stage.run(ZEROISE_CYCLES)
        stage.read(spec.GLOBAL_STATUS_OFFSET)
        waveform = stage.waveform()
    begin = waveform.first("tamper")
    last = waveform.first("s_axil_rvalid", ZEROISE_CYCLES)
    view = View(waveform, begin - 1, last + 2, begin)
    groups = [
        [view.bit("tamper"), view.bus("irq", number)],
        view.channel("s_axil_ar", {"addr": number}),
        view.channel("s_axil_r", {"data": number}),
    ]
    return Diagram("Tamper: keys are zeroised", groups, view.number)


def diagrams() -> dict[str, Diagram]:
    """Returns all diagrams by the names of their files."""
    return {"reset": reset(), "registers": registers(), **job_parts(), "tamper": tamper()}
