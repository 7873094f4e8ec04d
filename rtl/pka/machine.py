# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The sequencer, multiplier and adder of the public-key engine, word by word, with exact cycles.

Times are cycles. An instruction that issues in cycle t starts its unit in t + 1. `Machine` also checks what a program must
keep: every product below R, no result lost to the top of an operand, no multiplication on top of a wide operand.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache

from pka import isa, rom
from pka.schedule import CHAIN_WORDS, TO_ACCUMULATOR, schedule

W = isa.WORD_BITS
MASK = (1 << W) - 1


@cache
def _constants() -> tuple[list[int], list[int]]:
    return rom.constants()


class ProgramError(Exception):
    """A program broke a rule of the machine."""


@dataclass
class Multiplication:
    """In flight: from `start`, the cycle of the first slot, to `last`, that of the last one."""

    d: int
    sources: tuple[int, ...]
    wide: bool
    start: int
    last: int
    writes: list[int]  # cycles in which it has the write port
    words: int


@dataclass
class Step:
    """The adder's work: `reads` from the cycle after `issued`; cycles in which the multiplier writes do not count."""

    d: int | None
    sources: tuple[int, ...]
    issued: int
    reads: int


@dataclass
class Machine:
    words: list[int]
    payload: bytes = b""
    parameters: list[int] = field(default_factory=lambda: [0] * 8)
    passes: int = 1

    def __post_init__(self) -> None:
        self.constants, self.bases = _constants()
        self.memory = [0] * isa.WORDS
        self.counters = [0] * 8
        self.stack: list[int] = []
        self.n = self.log = 0
        self.two = False
        self.modulus = 0
        self.flag = False
        self.idx = 0
        self.status = 0
        self.position = 0
        self.pc = 0
        self.output = b""
        self.now = 0
        self.decoded = 0  # when the present instruction was; before `now` if bytes were on their way then
        self.multiplications: list[Multiplication] = []  # the last two
        self.steps: list[Step] = []  # the last two
        self.bytes_cycles = 0  # that the converter takes for the number of the present instruction
        self.frozen: set[int] = set()  # cycles in which the multiplier writes
        self.issued: dict[str, int] = {}
        self.waited: dict[int, int] = {}
        self.busy = 0

    # ---- Operands

    def address(self, slot: int) -> int:
        return slot << self.log & isa.WORDS - 1

    def read(self, slot: int, words: int | None = None, skip: int = 0) -> int:
        base = self.address(slot) + skip
        value = 0
        for i in range((self.n if words is None else words) - 1, -1, -1):
            value = value << W | self.memory[(base + i) % isa.WORDS]
        return value

    def write(self, slot: int, value: int, words: int | None = None) -> None:
        for i in range(self.n if words is None else words):
            self.memory[(self.address(slot) + i) % isa.WORDS] = value >> W * i & MASK

    @property
    def strict(self) -> bool:
        """With `size two` programs work modulo a power of two; a job that has failed works with anything."""
        return not (self.two or self.status)

    # ---- Time

    def _free(self, start: int, count: int) -> int:
        """The cycle of the count-th one from `start` on in which the adder may go on."""
        cycle = start
        while True:
            if cycle not in self.frozen:
                count -= 1
                if count == 0:
                    return cycle
            cycle += 1

    def _last_read(self, step: Step) -> int:
        return self._free(step.issued + 1, step.reads)

    def _written(self, step: Step) -> int:
        """The cycle of a step's last write."""
        return self._free(self._last_read(step) + 1, 2)

    def _multiplier_free(self) -> int:
        return self.multiplications[-1].last + self.passes - 1 if self.multiplications else 0

    @property
    def tail(self) -> int:
        """Cycles from a multiplication's last slot to where others may start on its result."""
        return TO_ACCUMULATOR + self.passes - 1

    def _settle(self, multiplier: bool = True) -> None:
        """Waits until both units, or only the adder, are idle and all is written, which is known a cycle later."""
        times = [m.last + self.tail + 2 for m in self.multiplications if multiplier]
        self._wait(max([self.decoded, *times, *(self._written(s) for s in self.steps)]) + 1)

    def _wait(self, cycle: int) -> None:
        if cycle > self.now:
            self.waited[self.pc] = self.waited.get(self.pc, 0) + cycle - self.now
            self.now = cycle

    def _after_multiplier(self, writes: Collection[int], sources: tuple[int, ...], chain: bool) -> int:
        """When a unit that reads `sources` and may write one of `writes` may touch what multiplications in flight use."""
        times = [0]
        for m in self.multiplications:
            ready = m.last + self.tail
            if m.wide:
                times.append(ready)
            elif m.d in sources or m.d in writes:
                times.append(m.last if chain and m.words >= CHAIN_WORDS else ready)
            if any(d in m.sources for d in writes):
                times.append(m.last)
        return max(times)

    def _after_adder(self, d: int, sources: tuple[int, ...]) -> int:
        times = [0]
        for s in self.steps:
            if s.d is not None and (s.d in sources or s.d == d):
                times.append(self._written(s))
            if d in s.sources:
                times.append(self._last_read(s))
        return max(times)

    # ---- Units

    def _multiply(self, i: isa.Instruction) -> None:
        wide = i.operation.name == "mulw"
        sources = (i.a, i.b) if wide else (i.a, i.b, self.modulus, self.modulus + 1)
        self._wait(self._multiplier_free())
        self._wait(max(self._after_multiplier((i.d,), sources, chain=True), self._after_adder(i.d, sources)))
        if wide:
            self._wait(max([self._written(s) for s in self.steps], default=0))
        a, b = self.read(i.a), self.read(i.b)
        if wide:
            if i.d in (i.a, i.b):
                raise ProgramError("mulw cannot write what it reads")
            self.write(i.d, a * b, 2 * self.n)
        else:
            m, r = self.read(self.modulus), W * self.n
            inverse = self.memory[self.address(self.modulus + 1)]
            # What product scanning makes of q, word by word: the q of the literature if n0 is right.
            total = a * b
            for c in range(self.n):
                total += ((total >> W * c & MASK) * inverse & MASK) * m << W * c
            result = total >> r
            self.bounds(i, a, b, m, result)
            self.write(i.d, result)
        times = schedule(self.n, i.a == i.b, not wide, self.passes)
        start = self.now + 1
        writes = [start + s * self.passes + TO_ACCUMULATOR + self.passes for s in times.writes]
        if len(self.frozen) > 256:
            past = min([s.issued for s in self.steps], default=self.now)
            self.frozen = {c for c in self.frozen if c > past}
        self.frozen.update(writes)
        last = start + (times.slots - 1) * self.passes
        self.multiplications = [
            *self.multiplications[-1:],
            Multiplication(i.d, sources, wide, start, last, writes, self.n),
        ]
        self.busy += times.slots

    def bounds(self, i: isa.Instruction, a: int, b: int, m: int, result: int) -> None:
        if result >> W * self.n and self.strict:
            raise ProgramError(f"a product does not fit: {a * b / (m or 1) / (1 << W * self.n):.2f} m")

    def _accesses(self, i: isa.Instruction) -> tuple[int | None, tuple[int, ...], int]:
        """The slot that a step writes, those that it reads, and the number of its reads."""
        name = i.operation.name
        d = i.d + (self.counters[i.c] if name == "put" else 0) if i.operation.writes else None
        slots = {"a": i.a, "b": i.b}
        sources = tuple(slots[o] for o in i.operation.operands if o in slots)
        if name in ("ldc", "getc"):
            sources = ()
        elif name == "get":
            sources = tuple(range(i.a, i.a + isa.TABLE))
        elif name == "subk":
            sources = (i.a, i.b, self.modulus + 2)
        return d, sources, i.operation.reads * (1 if name in ("fidx", "bit") else self.n)

    def _step(self, i: isa.Instruction, d: int | None, sources: tuple[int, ...], reads: int) -> None:
        if self.steps:
            self._wait(self._last_read(self.steps[-1]))
        writes: Collection[int] = () if d is None else (d,)
        if i.operation.name == "put":  # the sequencer does not know in time which entry of its table
            writes = range(i.d, i.d + isa.TABLE)
        self._wait(self._after_multiplier(writes, sources, chain=False))
        self.steps = [*self.steps[-1:], Step(d, sources, self.now, reads)]
        getattr(self, "_do_" + i.operation.name)(i)

    def _do_add(self, i: isa.Instruction) -> None:
        total = self.read(i.a) + self.read(i.b)
        if total >> W * self.n and self.strict:
            raise ProgramError("a sum does not fit")
        self.write(i.d, total)

    def _do_sub(self, i: isa.Instruction) -> None:
        a, b = self.read(i.a), self.read(i.b)
        self.flag = a < b
        self.write(i.d, a - b)

    def _do_subk(self, i: isa.Instruction) -> None:
        total = self.read(i.a) - self.read(i.b) + self.read(self.modulus + 2)
        if total >> W * self.n and self.strict:
            raise ProgramError("a difference is negative or does not fit")
        self.write(i.d, total)

    def _do_sel(self, i: isa.Instruction) -> None:
        self.write(i.d, self.read(i.a if self.flag else i.b))

    def _do_mov(self, i: isa.Instruction) -> None:
        self.write(i.d, self.read(i.a))

    def _do_high(self, i: isa.Instruction) -> None:
        self.write(i.d, self.read(i.a, skip=self.n))

    def _do_get(self, i: isa.Instruction) -> None:
        self.write(i.d, self.read(i.a + self.idx))

    def _constant(self, item: int) -> int:
        base = self.bases[self.parameters[1] & 7] + item * self.n
        return sum(self.constants[(base + i) % len(self.constants)] << W * i for i in range(self.n))

    def _do_getc(self, i: isa.Instruction) -> None:
        self.write(i.d, self._constant(i.a + self.idx))

    def _do_put(self, i: isa.Instruction) -> None:
        if not 0 <= self.counters[i.c] < isa.TABLE:
            raise ProgramError("put writes to an entry that its table does not have")
        self.write(i.d + self.counters[i.c], self.read(i.a))

    def _do_ldc(self, i: isa.Instruction) -> None:
        self.write(i.d, self._constant(i.a))

    def _do_ldi(self, i: isa.Instruction) -> None:
        self.write(i.d, i.immediate)

    def _do_ldcnt(self, i: isa.Instruction) -> None:
        self.write(i.d, self.counters[i.c] & 0x3FFF)

    def _do_hot(self, i: isa.Instruction) -> None:
        self.write(i.d, 1 << self.counters[i.c])

    def _do_cmp(self, i: isa.Instruction) -> None:
        self.flag = self.read(i.a) < self.read(i.b)

    def _do_differ(self, i: isa.Instruction) -> None:
        self.flag = self.read(i.a) != self.read(i.b)

    def _do_bit(self, i: isa.Instruction) -> None:
        position = self.counters[i.c]
        word = self.memory[(self.address(i.a) + position // W) % isa.WORDS]
        self.idx = (self.idx << 1 | word >> position % W & 1) & isa.TABLE - 1
        self.counters[i.c] = _counter(position - 1)

    def _do_fidx(self, i: isa.Instruction) -> None:
        self.flag = (self.idx, self.idx & 1, (self.idx ^ self.idx >> 1) & 1)[i.f] == 0

    # ---- Control

    def _count(self, i: isa.Instruction) -> None:
        c, name = self.counters[i.c], isa.COUNTS[i.f][0]
        # Programs of RSA, whose second parameter is a length, do not use those of a curve.
        curve = self.parameters[1] & 7
        every = self.parameters + (rom.PARAMETERS[curve] if curve < len(rom.PARAMETERS) else [])
        self.counters[i.c] = _counter(
            {
                "set": lambda: i.signed,
                "par": lambda: every[i.immediate],
                "plus": lambda: c + i.signed,
                "from": lambda: self.counters[i.immediate],
                "max": lambda: max(c, self.counters[i.immediate]),
                "nibbles": lambda: c | 3,
                "bytes": lambda: c + 7 >> 3,
                "gap": lambda: W * self.n - c,
            }[name]()
        )

    def _size(self, i: isa.Instruction) -> None:
        self._settle()
        name, words = isa.SIZES[i.f][0], isa.words_of(self.counters[i.c])
        self.two = name == "two"
        if name in ("both", "words"):
            self.n = words
        if name == "both":
            self.log = (words - 1).bit_length()
        elif name == "two":
            self.n = 2
        elif name == "double":
            self.log += 1
        elif name == "halve":
            self.log -= 1

    def _in(self, i: isa.Instruction) -> None:
        self._settle()
        count = self.counters[i.c]
        data = self.payload[self.position : self.position + count]
        self.position += count
        if len(data) < count:
            raise ProgramError("the payload is too short")
        self.write(i.d, int.from_bytes(data, "big"), 1 << self.log)
        self.bytes_cycles = 1 + count + (1 << self.log) - -(-count // (W // 8))

    def _out(self, i: isa.Instruction) -> None:
        self._settle()
        count = self.counters[i.c]
        value = 0 if self.status else self.read(i.a, 1 << self.log) & (1 << 8 * count) - 1
        self.output += value.to_bytes(count, "big")
        self.bytes_cycles = 1 + count + 2 * -(-count // (W // 8))

    def run(self, start: int, limit: int = 1 << 24) -> None:
        self.pc = start
        self.now = self.decoded = 1  # the first instruction has been read before
        for _ in range(limit):
            i = isa.decode(self.words[self.pc])
            if i.operation.name == "end":
                self._settle()
                return
            self._one(i)
            self.issued[i.operation.name] = self.issued.get(i.operation.name, 0) + 1
            self.decoded = self.now + 1
            self.now = self.decoded + self.bytes_cycles
            self.bytes_cycles = 0
        raise ProgramError("the program does not end")

    def _one(self, i: isa.Instruction) -> None:
        name, after = i.operation.name, self.pc + 1
        if name in ("mul", "mulw"):
            self._multiply(i)
        elif i.operation.reads:
            self._step(i, *self._accesses(i))
        elif name in ("fail", "failn"):
            self._settle(multiplier=False)
            if self.flag == (name == "fail") and not self.status:
                self.status = i.immediate
        elif name == "jmp":
            after = i.immediate
        elif name == "call":
            self.stack.append(after)
            if len(self.stack) > 4:
                raise ProgramError("calls are too deep")
            after = i.immediate
        elif name == "ret":
            after = self.stack.pop()
        elif name == "loop":
            after = i.immediate if self.counters[i.c] >= 0 else after
        elif name == "jbit":
            self._settle(multiplier=False)
            after = after if self.idx & 1 else i.immediate
        elif name == "mod":
            self.modulus = i.a
        else:
            {"count": self._count, "size": self._size, "in": self._in, "out": self._out}[name](i)
        if name in ("jmp", "call", "ret") or after != self.pc + 1:
            self.now += 1  # the instruction behind a jump has been read already, and is dropped
        self.pc = after


def _counter(value: int) -> int:
    return ((value & 0x3FFF) ^ 0x2000) - 0x2000
