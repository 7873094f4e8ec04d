/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * From reset to the kernel, in supervisor mode without translation: a0 is the hart, a1 the device tree. And machine mode's traps:
 * mscratch has the end of its stack while the kernel runs.
 */
#include "soc_map.h"

#define MIE_TIMER       0x80
#define MIP_TIMER_BELOW 0x20

  .section .start, "ax"
  .globl _start
_start:
  la sp, stack_top
  csrw mscratch, sp
  la t0, trap_entry
  csrw mtvec, t0
  call sbi_prepare
  li t0, SOC_KERNEL
  csrw mepc, t0
  csrr a0, mhartid
  li a1, SOC_DEVICE_TREE
  mret

  .section .text.trap_entry, "ax"
  .balign 4
trap_entry:
  csrrw sp, mscratch, sp
  addi sp, sp, -64
  sw t0, 0(sp)
  csrr t0, mcause
  bgez t0, exception
  /* The timer's interrupt, the only one of machine mode: the kernel gets it, and sets the next time. */
  li t0, MIE_TIMER
  csrc mie, t0
  li t0, MIP_TIMER_BELOW
  csrs mip, t0
  j 1f
exception:
  sw t1, 8(sp)
  sw ra, 4(sp)
  sw t2, 12(sp)
  sw t3, 16(sp)
  sw t4, 20(sp)
  sw t5, 24(sp)
  sw t6, 28(sp)
  sw a0, 32(sp)
  sw a1, 36(sp)
  sw a2, 40(sp)
  sw a3, 44(sp)
  sw a4, 48(sp)
  sw a5, 52(sp)
  sw a6, 56(sp)
  sw a7, 60(sp)
  addi a0, sp, 32
  call sbi_exception
  lw ra, 4(sp)
  lw t1, 8(sp)
  lw t2, 12(sp)
  lw t3, 16(sp)
  lw t4, 20(sp)
  lw t5, 24(sp)
  lw t6, 28(sp)
  lw a0, 32(sp)
  lw a1, 36(sp)
  lw a2, 40(sp)
  lw a3, 44(sp)
  lw a4, 48(sp)
  lw a5, 52(sp)
  lw a6, 56(sp)
  lw a7, 60(sp)
1:
  lw t0, 0(sp)
  addi sp, sp, 64
  csrrw sp, mscratch, sp
  mret
