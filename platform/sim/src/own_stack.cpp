// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Runs a call on a stack of its own, with a page below it that cannot be written.
#include "own_stack.h"

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace ow_sim_board {

namespace {

constexpr size_t kBytes = size_t{1} << 20;

struct Start {
  void (*call)(void *);
  void *argument;
};

// makecontext() passes ints: the pointer comes in two halves.
void enter(unsigned high, unsigned low) {
  const Start *start =
      reinterpret_cast<const Start *>(uintptr_t{uint64_t{high} << 32 | uint64_t{low}});
  start->call(start->argument);
}

} // namespace

bool on_own_stack(void (*call)(void *), void *argument) {
  const size_t guard = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void *const memory =
      mmap(nullptr, guard + kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return false;
  }
  ucontext_t caller;
  ucontext_t context;
  const bool ready = mprotect(memory, guard, PROT_NONE) == 0 && getcontext(&context) == 0;
  if (ready) {
    const Start start = {call, argument};
    const uint64_t address = reinterpret_cast<uintptr_t>(&start);
    context.uc_stack.ss_sp = static_cast<uint8_t *>(memory) + guard;
    context.uc_stack.ss_size = kBytes;
    context.uc_link = &caller;
    makecontext(&context, reinterpret_cast<void (*)()>(enter), 2,
                static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
    swapcontext(&caller, &context);
  }
  munmap(memory, guard + kBytes);
  return ready;
}

} // namespace ow_sim_board
