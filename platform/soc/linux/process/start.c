/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Start and end of a static program without a C library.
 */
#include "../system_calls.h"

_Noreturn void _exit(int status) {
  system_exit(status);
}

int main(int argc, char **argv);

/* The kernel has put the number of arguments and the arguments on the stack. */
__attribute__((used)) _Noreturn void process_begin(long *stack) {
  _exit(main((int)stack[0], (char **)&stack[1]));
}

__asm__(".globl _start\n"
        "_start:\n"
        ".option push\n"
        ".option norelax\n" /* the linker must not address gp by itself */
        "la gp, __global_pointer$\n"
        ".option pop\n"
        "mv a0, sp\n"
        "andi sp, sp, -16\n"
        "call process_begin\n");
