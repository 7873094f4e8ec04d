/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * From reset to main: stack, bss, thread-local variables, traps. What main returns is the exit status.
 */
  .section .start, "ax"
  .globl _start
_start:
  .option push
  .option norelax /* the linker must not address gp by itself */
  la gp, __global_pointer$
  .option pop
  la sp, stack_top
  la t0, trap_entry
  csrw mtvec, t0
  la a0, bss_begin
  la a1, bss_end
1:
  bgeu a0, a1, 2f
  sw zero, 0(a0)
  addi a0, a0, 4
  j 1b
2:
  la tp, tls_begin /* the only thread's variables are where the linker put them */
  li a0, 0
  li a1, 0
  call main
  call soc_exit

/* Saves what C may change and calls soc_trap(cause, address of the instruction, value), which returns where to go on. */
  .section .text.trap_entry, "ax"
  .globl trap_entry
  .balign 4
trap_entry:
  addi sp, sp, -64
  sw ra, 0(sp)
  sw t0, 4(sp)
  sw t1, 8(sp)
  sw t2, 12(sp)
  sw a0, 16(sp)
  sw a1, 20(sp)
  sw a2, 24(sp)
  sw a3, 28(sp)
  sw a4, 32(sp)
  sw a5, 36(sp)
  sw a6, 40(sp)
  sw a7, 44(sp)
  sw t3, 48(sp)
  sw t4, 52(sp)
  sw t5, 56(sp)
  sw t6, 60(sp)
  csrr a0, mcause
  csrr a1, mepc
  csrr a2, mtval
  call soc_trap
  csrw mepc, a0
  lw ra, 0(sp)
  lw t0, 4(sp)
  lw t1, 8(sp)
  lw t2, 12(sp)
  lw a0, 16(sp)
  lw a1, 20(sp)
  lw a2, 24(sp)
  lw a3, 28(sp)
  lw a4, 32(sp)
  lw a5, 36(sp)
  lw a6, 40(sp)
  lw a7, 44(sp)
  lw t3, 48(sp)
  lw t4, 52(sp)
  lw t5, 56(sp)
  lw t6, 60(sp)
  addi sp, sp, 64
  mret
