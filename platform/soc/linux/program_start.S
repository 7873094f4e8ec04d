/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * From the kernel to main: the program moves into the device's memory, then takes its stack there.
 */
  .section .start, "ax"
  .globl _start
_start:
  .option push
  .option norelax /* the linker must not address gp by itself */
  la gp, __global_pointer$
  .option pop
  call program_move
  fence.i /* the instructions have been written as data */
  la sp, stack_top
  la tp, tls_begin /* the only thread's variables are where the linker put them */
  li a0, 0
  li a1, 0
  call main
  call soc_exit
