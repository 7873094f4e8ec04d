// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The board: the verilated accelerator, memory on its AXI4 port, and a bus master on its registers,
// with one clock.
// A cycle has these steps: the inputs of the register port are set; where these matter, the model
// is evaluated with a low clock, which settles all outputs; completed handshakes are recorded;
// memory sets its inputs of the next cycle (board.sv); the model is evaluated with a high clock.
#ifndef OUTWORK_SIM_BOARD_H
#define OUTWORK_SIM_BOARD_H

#include "bus.h"
#include "read_channel.h"
#include "waveform.h"
#include "write_channel.h"

namespace ow_sim_board {

// Uses only the caller's thread. Verilator's default is a pool of threads, which this model would
// not use, and which a process that may start no thread cannot create.
struct Context : VerilatedContext {
  Context() { threads(1); }
};

class Board {
public:
  explicit Board(const ow_sim_parameters &parameters);
  ~Board();

  Bus bus;

  void reset();
  // Those cycles of a long run in which the device is at rest are not computed.
  void run(uint64_t cycles) { play(cycles, 0); }
  uint32_t read32(uint32_t offset);
  void write32(uint32_t offset, uint32_t value);

  // Returns the interrupt lines as the CPU sees them.
  uint32_t interrupts() const {
    if (bus.faults.lost_interrupt || bus.faults.stuck_interrupt) {
      return bus.faults.lost_interrupt ? 0 : 0xf;
    }
    return top_.irq_o;
  }
  // Runs until the line is high. Returns false after `cycles` cycles.
  bool wait_interrupt(unsigned queue, uint64_t cycles);
  void tamper(bool level) {
    top_.tamper_i = level;
    settle(); // for the clock gates
  }
  void forget(const Region &region);

  // For a bus master that shares the clock and drives the pins of the register port itself.
  Top &pins() { return top_; }
  // Plays a cycle.
  void step() {
    begin_cycle();
    end_cycle();
  }
  // The two halves of a cycle: the clock is low at the end of the first one, and high at the end of
  // the second. A model that shares the waveform is brought there before each of them.
  void begin_cycle();
  void end_cycle();
  // The model's, for another model that shares the waveform.
  Context &context() { return context_; }
  // Computes the outputs for the inputs of this cycle, which the handshake of the register port
  // needs. Also checks that no output follows these in the same cycle.
  void settle();
  // A device at rest repeats itself: what looks at streams or queues in turn is back where it was
  // after this many cycles. Then it stays so until a register is accessed.
  static constexpr uint64_t kRestPeriod = 64;
  // Begins a period.
  void remember();
  // Returns whether the period that ends now has changed nothing but the counter of cycles.
  bool at_rest();
  // Stands for so many periods of a device at rest.
  void skip(uint64_t periods);
  const WriteChannel &writes() const { return write_; }
  // Removes all faults; what they have stopped continues.
  void remove_faults();
  Waveform &waveform() { return waveform_; }
  const Waveform &waveform() const { return waveform_; }

private:
  // A register that has not answered after this time never will.
  static constexpr unsigned kAnswerCycles = 1000;

  // cycles from the start of a run to the first look whether the device is at rest; a look costs as
  // much time as some 50 cycles
  static constexpr uint64_t kFirstLook = 512;

  // cycles between two checks that outputs do not depend on inputs
  static constexpr unsigned kLook = 64;

  // Outputs of both ports, which no input may change within a cycle.
  struct Outputs {
    uint8_t arvalid, rready, awvalid, wvalid, wlast, bready;
    uint8_t axil_arready, axil_rvalid, axil_awready, axil_wready, axil_bvalid;
    bool operator==(const Outputs &) const = default;
  };

  // Plays cycles until one of these interrupt lines is high. Returns whether one is.
  bool play(uint64_t cycles, uint32_t lines);
  bool quiet() const;
  void drive_memory(uint64_t cycle);
  void rise();
  Outputs outputs() const;
  void sample_registers();
  // Runs until sample_registers has recorded this handshake.
  bool run_until(const bool &taken);

  Context context_;
  Top top_;
  Budget read_budget_;
  Budget write_budget_;
  bool throttled_;
  ReadChannel read_;
  WriteChannel write_;
  Waveform waveform_;

  bool registers_busy_ = false; // an access is in progress
  bool address_taken_ = false;
  bool data_taken_ = false;
  bool answer_taken_ = false;
  bool answer_error_ = false;
  uint32_t answer_ = 0;

  std::vector<uint64_t> before_; // the model's state when the period began; empty: it was busy
  // A copy of the cycle counter in the state: a word, or the half of one from this bit on.
  enum Half : unsigned { kLow = 0, kHigh = 32, kWhole = 64 };
  struct Counter {
    size_t word;
    Half half;
  };
  std::vector<Counter> counters_;
  uint64_t remembered_ = 0; // cycle in which the period began
  uint64_t counted_ = 0;    // the device's counter then
};

} // namespace ow_sim_board

#endif
