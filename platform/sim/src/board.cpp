// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The board's clock, reset, and register accesses.
#include "board.h"

#include "clock_edge.h"

#if VM_COVERAGE
#include <atomic>
#include <cstdlib>
#include <string>
#include <unistd.h>
#endif

namespace ow_sim_board {

namespace {

Budget *budget_of(bool limited, Budget &budget) {
  return limited ? &budget : nullptr;
}

} // namespace

Board::Board(const ow_sim_parameters &parameters)
    : top_(&context_), read_budget_(parameters.read_beats_per_100),
      write_budget_(parameters.write_beats_per_100),
      throttled_(parameters.shared_bandwidth != 0 || parameters.read_beats_per_100 < 100 ||
                 parameters.write_beats_per_100 < 100),
      read_(top_, bus, budget_of(throttled_, read_budget_)),
      write_(
          top_, bus,
          budget_of(throttled_, parameters.shared_bandwidth != 0 ? read_budget_ : write_budget_)),
      waveform_(top_) {
  bus.parameters = parameters;
  before_.reserve(sizeof(*top_.rootp) / sizeof(uint64_t)); // no look may run out of memory
  counters_.reserve(64);
#if VM_TRACE_FST
  context_.traceEverOn(true);
#endif
  top_.eval(); // makes the outputs valid: `settle` must not compare with what they were before
  reset();
}

// A board that records coverage writes it to a new file in the folder OUTWORK_COVERAGE_FOLDER.
Board::~Board() {
  // Removes the model's scopes from the right context: the thread's may be that of a later board.
  Verilated::threadContextp(&context_);
  top_.final();
#if VM_COVERAGE
  static std::atomic<unsigned> number{0};
  if (const char *folder = std::getenv("OUTWORK_COVERAGE_FOLDER")) {
    const std::string name = std::to_string(getpid()) + "-" + std::to_string(number++);
    context_.coveragep()->write((std::string(folder) + "/" + name + ".dat").c_str());
  }
#endif
}

void Board::reset() {
  top_.rst_ni = 0;
  top_.s_axil_awvalid = top_.s_axil_wvalid = top_.s_axil_arvalid = 0;
  top_.s_axil_bready = top_.s_axil_rready = 1;
  for (int i = 0; i < 4; i++) {
    read_.reset();
    write_.reset();
    settle();
    step();
  }
  read_.reset();
  write_.reset();
  top_.rst_ni = 1;
  settle();
  step();
}

// Evaluates a rising clock edge in one call (clock_edge.h).
void Board::rise() {
  clock_edge(top_);
}

void Board::settle() {
  const Outputs before = outputs();
  top_.clk_i = 0;
  top_.eval();
  if (!(outputs() == before)) {
    bus.broken("an output depends on an input in the same cycle", 0);
  }
}

Board::Outputs Board::outputs() const {
  return {top_.m_axi_arvalid,  top_.m_axi_rready,  top_.m_axi_awvalid,  top_.m_axi_wvalid,
          top_.m_axi_wlast,    top_.m_axi_bready,  top_.s_axil_arready, top_.s_axil_rvalid,
          top_.s_axil_awready, top_.s_axil_wready, top_.s_axil_bvalid};
}

void Board::begin_cycle() {
  const uint64_t cycle = bus.statistics.cycles;
  const bool dump = waveform_.running();
  if (registers_busy_ || dump || cycle % kLook == 0) {
    settle();
  }
  if (dump) {
    waveform_.dump(2 * cycle);
  }
  read_.sample(cycle);
  write_.sample(cycle);
  if (registers_busy_) {
    sample_registers();
  }
  drive_memory(cycle + 1);
}

void Board::end_cycle() {
  uint64_t &cycle = bus.statistics.cycles;
  if (waveform_
          .running()) { // only Verilator's own evaluation tells its waveform what may have changed
    top_.clk_i = 1;
    top_.eval();
    waveform_.dump(2 * cycle + 1);
    if (write_.finished) {
      waveform_.wrote(write_.finished_address, bus.parameters.write_response);
    }
    waveform_.end_cycle();
  } else {
    rise();
  }
  cycle++;
}

namespace {

const uint64_t *words(Top &top) {
  return reinterpret_cast<const uint64_t *>(top.rootp);
}

} // namespace

bool Board::quiet() const {
  return read_.idle() && write_.idle() && !waveform_.wanted();
}

void Board::remember() {
  remembered_ = bus.statistics.cycles;
  before_.clear();
  if (quiet() && cycle_counter(top_) != nullptr) {
    before_.assign(words(top_), words(top_) + sizeof(*top_.rootp) / sizeof(uint64_t));
    counted_ = *cycle_counter(top_);
  }
}

bool Board::at_rest() {
  counters_.clear();
  if (before_.empty() || !quiet() || bus.statistics.cycles != remembered_ + kRestPeriod) {
    return false;
  }
  const uint64_t *const state = words(top_);
  for (size_t i = 0; i < before_.size(); i++) {
    if (before_[i] == counted_ && state[i] == counted_ + kRestPeriod) {
      counters_.push_back({i, kWhole});
    } else if (state[i] != before_[i]) {
      // Two variables of 32 bits may share a word: one or both copies of the counter's lower half.
      for (const Half half : {kLow, kHigh}) {
        const uint32_t then = static_cast<uint32_t>(before_[i] >> half);
        const uint32_t now = static_cast<uint32_t>(state[i] >> half);
        if (then == static_cast<uint32_t>(counted_) &&
            now == static_cast<uint32_t>(counted_ + kRestPeriod)) {
          counters_.push_back({i, half});
        } else if (now != then && !is_age(top_, halves(*top_.rootp) + 2 * i + half / kHigh)) {
          return false;
        }
      }
    }
  }
  return true;
}

void Board::skip(uint64_t periods) {
  uint64_t *const state = reinterpret_cast<uint64_t *>(top_.rootp);
  const uint64_t cycles = periods * kRestPeriod;
  for (const Counter &counter : counters_) {
    uint64_t &word = state[counter.word];
    if (counter.half == kWhole) {
      word += cycles;
    } else {
      const uint32_t counted = static_cast<uint32_t>((word >> counter.half) + cycles);
      word = (word & ~(uint64_t{UINT32_MAX} << counter.half)) | (uint64_t{counted} << counter.half);
    }
  }
  bus.statistics.cycles += cycles;
  bus.statistics.rest_cycles += cycles;
}

// Sets what memory drives in a cycle. The registers in board.sv take it at the clock edge before.
void Board::drive_memory(uint64_t cycle) {
  if (throttled_) {
    read_budget_.refill();
    write_budget_.refill();
    if (cycle % 2 != 0) { // reads and writes take turns to use a shared budget first
      write_.drive(cycle);
      read_.drive(cycle);
      return;
    }
  }
  read_.drive(cycle);
  write_.drive(cycle);
}

void Board::sample_registers() {
  if ((top_.s_axil_arvalid && top_.s_axil_arready) ||
      (top_.s_axil_awvalid && top_.s_axil_awready)) {
    address_taken_ = true;
  }
  if (top_.s_axil_wvalid && top_.s_axil_wready) {
    data_taken_ = true;
  }
  if (top_.s_axil_rvalid && top_.s_axil_rready) {
    answer_taken_ = true;
    answer_ = top_.s_axil_rdata;
    answer_error_ = top_.s_axil_rresp != 0;
  }
  if (top_.s_axil_bvalid && top_.s_axil_bready) {
    answer_taken_ = true;
    answer_error_ = top_.s_axil_bresp != 0;
  }
}

bool Board::run_until(const bool &taken) {
  for (unsigned i = 0; i < kAnswerCycles; i++) {
    step();
    // VALID may fall only after the handshake.
    if (address_taken_) {
      top_.s_axil_arvalid = 0;
      top_.s_axil_awvalid = 0;
    }
    if (data_taken_) {
      top_.s_axil_wvalid = 0;
    }
    if (taken) {
      return !answer_error_;
    }
  }
  top_.s_axil_arvalid = top_.s_axil_awvalid = top_.s_axil_wvalid = 0;
  settle();
  return false;
}

uint32_t Board::read32(uint32_t offset) {
  bus.statistics.mmio_reads++;
  run(bus.parameters.mmio_latency);
  if (bus.faults.dead_registers) {
    return UINT32_MAX;
  }
  address_taken_ = data_taken_ = answer_taken_ = answer_error_ = false;
  registers_busy_ = true;
  top_.s_axil_araddr = offset & 0x7fff;
  top_.s_axil_arvalid = 1;
  const bool answered = run_until(answer_taken_);
  registers_busy_ = false;
  run(bus.parameters.mmio_latency); // the way back
  if (!answered) {
    bus.statistics.mmio_errors++;
    return UINT32_MAX;
  }
  return answer_;
}

void Board::write32(uint32_t offset, uint32_t value) {
  bus.statistics.mmio_writes++;
  run(bus.parameters.mmio_latency);
  if (bus.faults.dead_registers) {
    return;
  }
  waveform_.write(offset, value);
  address_taken_ = data_taken_ = answer_taken_ = answer_error_ = false;
  registers_busy_ = true;
  top_.s_axil_awaddr = offset & 0x7fff;
  top_.s_axil_awvalid = 1;
  top_.s_axil_wdata = value;
  top_.s_axil_wstrb = 0xf;
  top_.s_axil_wvalid = 1;
  if (!run_until(answer_taken_)) {
    bus.statistics.mmio_errors++;
  }
  registers_busy_ = false;
}

bool Board::play(uint64_t cycles, uint32_t lines) {
  const uint64_t end = bus.statistics.cycles + cycles;
  uint64_t wait = kFirstLook;
  uint64_t look = bus.statistics.cycles + wait;
  while (bus.statistics.cycles != end) {
    if ((interrupts() & lines) != 0) {
      return true;
    }
    const uint64_t now = bus.statistics.cycles;
    if (now == look && end - now > kRestPeriod) {
      remember();
    } else if (now == look + kRestPeriod) {
      if (at_rest()) {
        skip((end - now) / kRestPeriod);
        look = end; // enough looked
        continue;
      }
      wait *= 2;
      look = now + wait;
    }
    step();
  }
  return (interrupts() & lines) != 0;
}

bool Board::wait_interrupt(unsigned queue, uint64_t cycles) {
  return play(cycles, 1u << queue);
}

void Board::forget(const Region &region) {
  read_.forget(region);
  write_.forget(region);
}

void Board::remove_faults() {
  bus.faults.clear();
  read_.release(bus.statistics.cycles);
  write_.release(bus.statistics.cycles);
}

} // namespace ow_sim_board
