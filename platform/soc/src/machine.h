// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The system: the verilated CPU with its peripherals, the verilated accelerator of platform/sim,
// and memory for both, on one clock.
//
// They are two models, so that the accelerator of each width is compiled once, for the simulated
// board, and costs no time while it is at rest (Board::at_rest). All that passes between them
// in a cycle is AXI4-Lite and four interrupt lines.
#ifndef OUTWORK_SOC_MACHINE_H
#define OUTWORK_SOC_MACHINE_H

#include "Vsoc.h"
#include "board.h"
#include "line_port.h"
#include "outwork/soc.h"

#include <deque>
#include <string>
#include <vector>

namespace ow_soc_sim {

constexpr uint32_t kRamBegin = 0x80000000; // as in soc_pkg.sv
constexpr uint32_t kRamBytes = 0x04000000;

// Pages that the system zeroes when they are first used.
class Ram {
public:
  Ram();
  ~Ram();
  uint8_t *at(uint32_t address, uint32_t length) const;

private:
  uint8_t *bytes_;
};

// Cycles by instruction: counts[n] belongs to the one at begin + 2 n.
struct Profile {
  uint32_t begin;
  uint64_t *counts;
  size_t counts_len;
};

class Machine {
public:
  // coherent: the data cache drops lines that the accelerator writes.
  Machine(const ow_sim_parameters &parameters, bool coherent);
  ~Machine();

  // Runs until the program ends, the console is full, or `cycles` have passed.
  void run(uint64_t cycles);

  Ram ram;
  std::string console;
  bool finished = false;
  uint32_t status = 0;
  int typed = -1; // the next character to read; -1: none
  struct ow_soc_statistics statistics = {};

  // Counts cycles by instruction from now on. A cycle belongs to the first profile with the
  // instruction.
  void count(const Profile &profile);

  const ow_sim_board::Bus &bus() const { return board_.bus; }

  // Writes a waveform of CPU, peripherals and accelerator from a cycle on, of so many cycles.
  // Returns false if this library cannot, or the file cannot be written.
  bool trace(const char *path, uint64_t from, uint32_t cycles);

  // The state of everything. Empty if a register of the accelerator has been accessed.
  std::vector<uint8_t> save();
  // Takes the state of a system with the same parameters over. This one has not run yet. Returns
  // false if the bytes are no state.
  bool restore(const uint8_t *bytes, size_t bytes_len);

private:
  void step();
  void accept_memory(uint64_t cycle);
  void store();
  // Sets what the device sees in this cycle. Returns whether it has to be evaluated.
  bool drive_device();
  void observe_device();
  void wake();
  void drop(uint64_t begin, uint64_t end);
  void observe();
  void count_from_here() { counted_ = statistics.cycles; }
  void finish(uint32_t word);
  void drive();
  void rise();
  void rise_traced();
  void begin_trace();

  ow_sim_board::Board board_; // first: it has the context of both models
  Vsoc top_;
  const bool coherent_;
  LinePort fetch_, data_;
  std::deque<uint32_t> dropped_; // lines that the data cache is still to be told of

  uint32_t access_wait_ = 0; // cycles that the access to a register has been on its way
  bool device_used_ = false; // since reset
  bool at_rest_ = false;
  uint64_t rest_cycles_ = 0;  // left out so far
  uint64_t quiet_cycles_ = 0; // since a register was accessed
  // value of quiet_cycles_ at which to look whether the device is at rest
  uint64_t next_look_ = ow_sim_board::Board::kRestPeriod;
  uint64_t trace_from_ = UINT64_MAX;
  bool is_traceable_ = false; // the waveform's file knows this model
  std::vector<Profile> profiles_;
  uint64_t counted_ = 0; // the profiles have what was before this cycle
};

} // namespace ow_soc_sim

#endif
