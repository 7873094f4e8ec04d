/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * From the kernel to main, of a process with picolibc that stays where the kernel has put it.
 */
  .section .start, "ax"
  .globl _start
_start:
  .option push
  .option norelax /* the linker must not address gp by itself */
  la gp, __global_pointer$
  .option pop
  la tp, tls_begin /* the only thread's variables are where the linker put them */
  lw a0, 0(sp)
  addi a1, sp, 4
  andi sp, sp, -16
  call main
  call soc_exit
