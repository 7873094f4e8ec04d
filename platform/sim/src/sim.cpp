// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The C interface of the simulated board: one call at a time; measures the time of each.
#include "outwork/sim.h"
#include "board.h"
#include "own_stack.h"
#include "parameters.h"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <unistd.h>

using ow_sim_board::Board;
using ow_sim_board::on_own_stack;

struct ow_sim {
  explicit ow_sim(const ow_sim_parameters &parameters) : board(parameters) {}
  mutable std::mutex mutex;
  Board board;
};

namespace {

// Locks the board for one call, and adds the call's duration to the simulation time.
class LockedBoard {
public:
  explicit LockedBoard(void *context)
      : sim_(*static_cast<ow_sim *>(context)), lock_(sim_.mutex), begin_(Clock::now()) {}
  ~LockedBoard() {
    const auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin_);
    sim_.board.bus.statistics.host_nanoseconds += static_cast<uint64_t>(spent.count());
  }
  Board *operator->() { return &sim_.board; }

private:
  using Clock = std::chrono::steady_clock;
  ow_sim &sim_;
  std::lock_guard<std::mutex> lock_;
  Clock::time_point begin_;
};

uint64_t address_of(const void *memory) {
  return reinterpret_cast<uintptr_t>(memory);
}

uint32_t read32(void *context, uint32_t offset) {
  return LockedBoard(context)->read32(offset);
}

void write32(void *context, uint32_t offset, uint32_t value) {
  LockedBoard(context)->write32(offset, value);
}

bool map(void *context, uint64_t *address, void *memory, size_t length, ow_direction) {
  *address = address_of(memory);
  ow_sim &sim = *static_cast<ow_sim *>(context);
  const std::lock_guard<std::mutex> lock(sim.mutex);
  return sim.board.bus.memory.holds(*address, length);
}

void barrier(void *) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void relax(void *context) {
  LockedBoard board(context);
  board->run(board->bus.parameters.relax_cycles);
}

bool wait_interrupt(void *context, unsigned queue, uint32_t microseconds) {
  LockedBoard board(context);
  const uint64_t cycles = microseconds * board->bus.parameters.clock_hz / 1000000;
  return board->wait_interrupt(queue, cycles);
}

uint64_t microseconds(void *context) {
  LockedBoard board(context);
  return board->bus.statistics.cycles * 1000000 / board->bus.parameters.clock_hz;
}

bool entropy(void *, uint8_t *bytes, size_t length) {
  return getentropy(bytes, length) == 0;
}

// The first throw of a thread takes memory for libstdc++'s data of it, and glibc ends the program
// where there is none. So they are made while there is enough.
bool can_throw() {
  constexpr size_t kEnough = 65536;
  void *volatile memory = std::malloc(kEnough);
  std::free(memory);
  return memory != nullptr && std::uncaught_exceptions() >= 0;
}

// Returns the result of a call, or `refused` if memory is short: no exception may reach C.
template <class Answer, class Call> Answer attempt(Answer refused, Call call) noexcept {
  if (!can_throw()) {
    return refused;
  }
  try {
    return call();
  } catch (...) {
    return refused;
  }
}

struct Opening {
  const ow_sim_parameters *parameters;
  ow_sim *sim;
};

void open_board(void *argument) {
  Opening &opening = *static_cast<Opening *>(argument);
  opening.sim = attempt<ow_sim *>(nullptr, [&] { return new ow_sim(*opening.parameters); });
}

} // namespace

void ow_sim_defaults(ow_sim_parameters *parameters) {
  *parameters = {};
  parameters->clock_hz = 100000000;
  parameters->data_width = OW_BOARD_WIDTH;
  parameters->read_latency = 40;
  parameters->write_response = 20;
  parameters->read_beats_per_100 = 100;
  parameters->write_beats_per_100 = 100;
  parameters->reads_outstanding = 16;
  parameters->writes_outstanding = 16;
  parameters->relax_cycles = 32;
}

uint32_t ow_sim_data_width(void) {
  return OW_BOARD_WIDTH;
}
uint32_t ow_sim_aes_stages(void) {
  return OW_BOARD_STAGES;
}
uint32_t ow_sim_can_trace(void) {
  return ow_sim_board::Waveform::kAvailable ? 1 : 0;
}

ow_sim *ow_sim_open(const ow_sim_parameters *parameters, const char **error) {
  const char *wrong = ow_sim_board::parameter_error(*parameters);
  ow_sim *sim = nullptr;
  if (wrong == nullptr) {
    Opening opening = {parameters, nullptr};
    on_own_stack(open_board, &opening);
    sim = opening.sim;
    wrong = sim == nullptr ? "there is not enough memory" : nullptr;
  }
  if (error != nullptr) {
    *error = wrong;
  }
  return sim;
}

void ow_sim_close(ow_sim *sim) {
  delete sim;
}

void ow_sim_platform(ow_sim *sim, ow_platform *platform) {
  *platform = {};
  platform->context = sim;
  platform->read32 = read32;
  platform->write32 = write32;
  platform->map = map;
  platform->barrier = barrier;
  platform->relax = relax;
  platform->wait_interrupt = wait_interrupt;
  platform->microseconds = microseconds;
  platform->entropy = entropy;
}

void ow_sim_reset(ow_sim *sim) {
  LockedBoard(sim)->reset();
}

int ow_sim_register(ow_sim *sim, void *memory, size_t length) {
  return attempt(
      0, [&] { return LockedBoard(sim)->bus.memory.add(address_of(memory), length) ? 1 : 0; });
}

int ow_sim_unregister(ow_sim *sim, void *memory) {
  LockedBoard board(sim);
  const ow_sim_board::Region region = board->bus.memory.remove(address_of(memory));
  board->forget(region);
  return region.end != 0 ? 1 : 0;
}

void ow_sim_run(ow_sim *sim, uint64_t cycles) {
  LockedBoard(sim)->run(cycles);
}
uint64_t ow_sim_cycles(const ow_sim *sim) {
  return sim->board.bus.statistics.cycles;
}
uint32_t ow_sim_interrupts(const ow_sim *sim) {
  return sim->board.interrupts();
}
void ow_sim_tamper(ow_sim *sim, int level) {
  LockedBoard(sim)->tamper(level != 0);
}

void ow_sim_statistics(const ow_sim *sim, struct ow_sim_statistics *statistics) {
  const std::lock_guard<std::mutex> lock(sim->mutex);
  *statistics = sim->board.bus.statistics;
}

const char *ow_sim_protocol_error(const ow_sim *sim) {
  return sim->board.bus.error[0] == 0 ? nullptr : sim->board.bus.error;
}

void ow_sim_log(ow_sim *sim, ow_sim_access *accesses, size_t accesses_len) {
  LockedBoard board(sim);
  board->bus.log = accesses;
  board->bus.log_room = accesses_len;
  board->bus.log_count = 0;
}

size_t ow_sim_log_count(const ow_sim *sim) {
  return sim->board.bus.log_count;
}

void ow_sim_watch(ow_sim *sim, ow_sim_watcher watcher, void *context) {
  LockedBoard board(sim);
  board->bus.watcher = watcher;
  board->bus.watcher_context = context;
}

int ow_sim_trace(ow_sim *sim, const char *path, uint32_t jobs) {
  return attempt(0, [&] { return LockedBoard(sim)->waveform().arm(path, jobs) ? 1 : 0; });
}

int ow_sim_trace_cycles(ow_sim *sim, const char *path, uint32_t cycles) {
  return attempt(0, [&] { return LockedBoard(sim)->waveform().begin(path, cycles) ? 1 : 0; });
}

int ow_sim_tracing(const ow_sim *sim) {
  const std::lock_guard<std::mutex> lock(sim->mutex);
  return sim->board.waveform().wanted() ? 1 : 0;
}

int ow_sim_inject(ow_sim *sim, const ow_sim_fault *fault) {
  return attempt(0, [&] { return LockedBoard(sim)->bus.faults.arm(*fault) ? 1 : 0; });
}

void ow_sim_mend(ow_sim *sim) {
  LockedBoard(sim)->remove_faults();
}
