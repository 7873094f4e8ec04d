/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * From reset to main on a Cortex-M or a RISC-V: stack, data, bss. Its result stays in main_result.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bounds of the sections, from link.ld. */
extern char stack_top[], data_image[], data_first[], data_end[], bss_first[], bss_end[];

int main(void);
void reset(void);
void start(void);

/* For a debugger: -1 while main runs. */
volatile int main_result;

__attribute__((used, noreturn)) void start(void) {
  memcpy(data_first, data_image, (size_t)(data_end - data_first));
  memset(bss_first, 0, (size_t)(bss_end - bss_first));
  main_result = -1;
  main_result = main();
  for (;;) {
  }
}

#if defined(__riscv)
/* The CPU begins at the first word of the flash, without a stack. */
__attribute__((naked, section(".reset"))) void reset(void) {
  __asm__(".option push\n"
          ".option norelax\n" /* the linker must not address gp by itself */
          "la gp, __global_pointer$\n"
          ".option pop\n"
          "la sp, stack_top\n"
          "tail start\n");
}
#elif defined(__arm__)
/* The CPU takes its stack and its first address from the first two words of the flash. */
__attribute__((used, section(".reset"))) static void (*const vectors[])(void) = {
    (void (*)(void))(uintptr_t)stack_top, reset};

void reset(void) {
  start();
}
#else
#error "startup.c knows RISC-V and Cortex-M: add how your CPU begins"
#endif
