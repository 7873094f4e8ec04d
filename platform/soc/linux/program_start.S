/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * From the kernel to main: the program's variables move into the device's memory, then its stack is there too.
 */
  .section .start, "ax"
  .globl _start
_start:
  .option push
  .option norelax /* the linker must not address gp by itself */
  la gp, __global_pointer$
  .option pop
  call program_move
  la sp, stack_top
  la tp, tls_begin /* the only thread's variables are where the linker put them */
  li a0, 0
  li a1, 0
  call main
  call soc_exit
