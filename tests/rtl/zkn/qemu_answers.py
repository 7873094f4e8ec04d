# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes known_answers.txt: what QEMU's CPU computes for random operands, with the instruction words of the GNU assembler.

It needs qemu-system-riscv32 and riscv64-unknown-elf-gcc. Each line: mnemonic, instruction word, rs1, rs2, rd.
"""

import random
import subprocess
import tempfile
from pathlib import Path

from zkn_model import ENCODINGS, OP_IMM

SEED = 11
ANSWERS = Path(__file__).parent / "known_answers.txt"
COMPILER = ["riscv64-unknown-elf-gcc", "-march=rv32i_zkn", "-mabi=ilp32", "-nostdlib", "-Wl,-Ttext=0x80000000"]
# The UART of QEMU's board `virt`, and the register that ends it.
PROGRAM = """
.globl _start
_start:
{steps}
  li t0, 0x100000
  li t1, 0x5555
  sw t1, 0(t0)
end: j end
word: li t0, 0x10000000  # prints t1 and a space
  li t2, 28
digit: srl t3, t1, t2
  andi t3, t3, 15
  addi t3, t3, 48
  li t4, 58
  blt t3, t4, send
  addi t3, t3, 39
send: sb t3, 0(t0)
  addi t2, t2, -4
  bgez t2, digit
  li t3, 32
  sb t3, 0(t0)
  ret
"""
STEP = """
  li a0, 0x{rs1:08x}
  li a1, 0x{rs2:08x}
  .option push
  .option norvc
{number}: {text}
  .option pop
  la t1, {number}b
  lw t1, 0(t1)
  jal word
  mv t1, a2
  jal word
"""


def cases(per_instruction: int) -> list[tuple[str, str, int, int]]:
    """Returns mnemonic, a line of assembly and the operands."""
    source = random.Random(SEED)
    found = []
    for name, bits in ENCODINGS.items():
        for n in range(per_instruction):
            if name.startswith("aes32"):
                text = f"{name} a2, a0, a1, {n % 4}"
            elif name == "rori":
                text = f"rori a2, a0, {source.randrange(32)}"
            elif bits.endswith(OP_IMM):
                text = f"{name} a2, a0"
            else:
                text = f"{name} a2, a0, a1"
            rs1, rs2 = source.getrandbits(32), source.getrandbits(32)
            if name == "xperm8":
                rs2 &= 0x07070707  # half of the choices are in range
            found.append((name, text, rs1, rs2))
    return found


def run(program: str) -> list[str]:
    """Returns the words that a program prints on QEMU."""
    with tempfile.TemporaryDirectory() as folder:
        source, image = Path(folder, "answers.s"), Path(folder, "answers")
        source.write_text(program, encoding="utf-8")
        subprocess.run(
            [*COMPILER, "-o", image, source],
            check=True,
        )
        cpu = "rv32,zkne=true,zknd=true,zknh=true,zbkb=true,zbkc=true,zbkx=true"
        command = ["qemu-system-riscv32", "-M", "virt", "-cpu", cpu, "-bios", "none", "-display", "none"]
        done = subprocess.run(
            [*command, "-serial", "stdio", "-monitor", "none", "-kernel", image],
            check=True,
            capture_output=True,
            text=True,
            timeout=60,
        )
    return done.stdout.split()


def main() -> None:
    listed = cases(8)
    steps = "".join(
        STEP.format(number=number, text=text, rs1=rs1, rs2=rs2) for number, (_, text, rs1, rs2) in enumerate(listed, 1)
    )
    words = run(PROGRAM.format(steps=steps))
    lines = [
        f"{name} {word} {rs1:08x} {rs2:08x} {rd}"
        for (name, _, rs1, rs2), word, rd in zip(listed, words[::2], words[1::2], strict=True)
    ]
    ANSWERS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
