/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The firmware below a kernel: what the RISC-V SBI specification asks of machine mode on one hart,
 * as far as a kernel without multiprocessing uses it.
 *
 * Base, timer and system reset (SBI 0.2), and the console of SBI 0.1, which is all that Linux's
 * hvc0 knows. All exceptions but these calls are the kernel's: the CPU delegates them, or, where it
 * cannot, this firmware passes them on.
 */
#include <stdint.h>

#include "soc_map.h"

/* Extensions and errors of the specification. */
#define SBI_SET_TIMER     0x00u
#define SBI_PUT           0x01u
#define SBI_GET           0x02u
#define SBI_SHUTDOWN      0x08u
#define SBI_BASE          0x10u
#define SBI_TIMER         0x54494d45u
#define SBI_RESET         0x53525354u
#define SBI_NOT_SUPPORTED (-2)

#define SBI_VERSION           2u /* 0.2 */
#define SBI_IMPLEMENTATION_ID 0x6f77u

#define CAUSE_CALL      9u
#define MIE_TIMER       (1u << 7)
#define MIP_TIMER_BELOW (1u << 5) /* the timer interrupt of supervisor mode */

/* Exceptions of user mode, page faults, and wrong instructions and accesses of both; not calls. */
#define DELEGATED_EXCEPTIONS 0xb1ffu
/* Software, timer and external interrupts of supervisor mode. */
#define DELEGATED_INTERRUPTS 0x222u

/* Of mstatus: interrupts of supervisor mode, and what they were before a trap; the mode before a
 * trap into supervisor mode (0: user mode), and into machine mode. */
#define STATUS_ENABLE     (1u << 1)
#define STATUS_ENABLE_OLD (1u << 5)
#define STATUS_MODE       (1u << 8)
#define STATUS_MODE_BITS  (3u << 11)
#define STATUS_SUPERVISOR (1u << 11)
#define STATUS_MACHINE    (3u << 11)

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define CONSOLE(offset)   (*(volatile uint8_t *)(SOC_CONSOLE_BASE + (offset)))
#define COMPARE_LOW       REGISTER(SOC_CLINT_BASE + 0x4000u)
#define COMPARE_HIGH      REGISTER(SOC_CLINT_BASE + 0x4004u)

#define CSR_WRITE(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"(value))
#define CSR_SET(name, value)   __asm__ volatile("csrs " #name ", %0" ::"r"(value))
#define CSR_CLEAR(name, value) __asm__ volatile("csrc " #name ", %0" ::"r"(value))
#define CSR_READ(name)                                                                             \
  __extension__({                                                                                  \
    uint32_t csr_value;                                                                            \
    __asm__ volatile("csrr %0, " #name : "=r"(csr_value));                                         \
    csr_value;                                                                                     \
  })

/* The registers that start.S saves: a0 to a7. */
struct call {
  uint32_t arguments[6];
  uint32_t function;
  uint32_t extension;
};

static void put(char character) {
  CONSOLE(0) = (uint8_t)character;
}

/* In the code of SiFive's test device. */
static _Noreturn void end(uint32_t status) {
  REGISTER(SOC_FINISHER_BASE) = status == 0u ? 0x5555u : status << 16 | 0x3333u;
  for (;;) {
  }
}

/* The kernel's timer interrupt is pending from this time on. start.S raises it. */
static void set_timer(uint32_t low, uint32_t high) {
  COMPARE_HIGH = UINT32_MAX; /* no early interrupt between the two halves */
  COMPARE_LOW = low;
  COMPARE_HIGH = high;
  CSR_CLEAR(mip, MIP_TIMER_BELOW);
  CSR_SET(mie, MIE_TIMER);
}

static uint32_t get(void) {
  return (CONSOLE(5) & 1u) != 0u ? CONSOLE(0) : UINT32_MAX;
}

static uint32_t base(uint32_t function, uint32_t argument) {
  switch (function) {
  case 0:
    return SBI_VERSION;
  case 1:
    return SBI_IMPLEMENTATION_ID;
  case 2:
    return 1; /* of this implementation */
  case 3:
    return argument <= SBI_GET || argument == SBI_SHUTDOWN || argument == SBI_BASE ||
           argument == SBI_TIMER || argument == SBI_RESET;
  default: /* vendor, architecture and implementation of the hart: not told */
    return 0;
  }
}

/* Called by start.S before the kernel. */
void sbi_prepare(void) {
  COMPARE_HIGH = UINT32_MAX;
  CSR_WRITE(medeleg, DELEGATED_EXCEPTIONS);
  CSR_WRITE(mideleg, DELEGATED_INTERRUPTS);
  CSR_WRITE(mstatus, STATUS_SUPERVISOR);
}

/* Does what the CPU would have done, had it delegated the exception. */
static void pass_on(uint32_t cause) {
  const uint32_t old = CSR_READ(mstatus);
  if ((old & STATUS_MODE_BITS) == STATUS_MACHINE) {
    end(125); /* a fault in here */
  }
  CSR_WRITE(scause, cause);
  CSR_WRITE(sepc, CSR_READ(mepc));
  CSR_WRITE(stval, CSR_READ(mtval));
  CSR_WRITE(mepc, CSR_READ(stvec));
  uint32_t status = old & ~(STATUS_ENABLE | STATUS_ENABLE_OLD | STATUS_MODE | STATUS_MODE_BITS);
  status |= (old & STATUS_ENABLE) != 0u ? STATUS_ENABLE_OLD : 0u;
  status |= (old & STATUS_MODE_BITS) == STATUS_SUPERVISOR ? STATUS_MODE : 0u;
  CSR_WRITE(mstatus, status | STATUS_SUPERVISOR);
}

/* Answers the kernel. Calls of version 0.1 answer in a0 only. */
static void answer(struct call *call) {
  uint32_t *const a = call->arguments;
  switch (call->extension) {
  case SBI_SET_TIMER:
    set_timer(a[0], a[1]);
    a[0] = 0;
    break;
  case SBI_PUT:
    put((char)a[0]);
    a[0] = 0;
    break;
  case SBI_GET:
    a[0] = get();
    break;
  case SBI_SHUTDOWN:
    end(0);
  case SBI_BASE:
    a[1] = base(call->function, a[0]);
    a[0] = 0;
    break;
  case SBI_TIMER:
    set_timer(a[0], a[1]);
    a[0] = 0;
    break;
  case SBI_RESET: /* its reason: 0, or 1 after a failure of the system */
    end(a[1]);
  default:
    a[0] = (uint32_t)SBI_NOT_SUPPORTED;
  }
}

/* Called by start.S. */
void sbi_exception(struct call *call) {
  const uint32_t cause = CSR_READ(mcause);
  if (cause == CAUSE_CALL) {
    CSR_WRITE(mepc, CSR_READ(mepc) + 4u);
    answer(call);
  } else {
    pass_on(cause);
  }
}
