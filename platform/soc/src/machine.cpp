// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A cycle of the system. Outputs of the CPU's model depend on its registers only, so that one
// evaluation a cycle is enough: what they ask for is recorded, the inputs that answer it are set,
// and the clock rises.
#include "machine.h"

#include "Vsoc___024root.h"

#include <new>
#include <sys/mman.h>

namespace ow_soc_sim {

namespace {

constexpr size_t kConsole = 4096;
constexpr uint64_t kPeriod = ow_sim_board::Board::kRestPeriod;
constexpr uint64_t kLastLook = 4096; // longest time between looks at the device, in cycles
// SiFive's test device: what a program writes to end
constexpr uint32_t kPass = 0x5555, kFail = 0x3333;

} // namespace

Ram::Ram()
    : bytes_(static_cast<uint8_t *>(mmap(nullptr, kRamBytes, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {
  if (bytes_ == MAP_FAILED) {
    throw std::bad_alloc();
  }
}

Ram::~Ram() {
  munmap(bytes_, kRamBytes);
}

uint8_t *Ram::at(uint32_t address, uint32_t length) const {
  const uint32_t place = address - kRamBegin;
  return place < kRamBytes && length <= kRamBytes - place ? bytes_ + place : nullptr;
}

Machine::Machine(const ow_sim_parameters &parameters, bool coherent)
    : board_(parameters), top_(&board_.context()), coherent_(coherent) {
  top_.coherent_i = coherent;
  top_.register_way_i = static_cast<uint16_t>(parameters.mmio_latency);
  board_.bus.memory.offset = reinterpret_cast<uintptr_t>(ram.at(kRamBegin, 1)) - kRamBegin;
  board_.bus.memory.add(kRamBegin, kRamBytes);
  top_.rst_ni = 0;
  top_.clk_i = 0;
  top_.eval();
  for (int i = 0; i < 4; i++) {
    rise();
  }
  top_.rst_ni = 1;
  drive();
}

Machine::~Machine() {
  Verilated::threadContextp(&board_.context());
  board_.waveform().close(); // which reads this model too
  top_.final();
}

void Machine::run(uint64_t cycles) {
  for (uint64_t i = 0; i < cycles && !finished && console.size() < kConsole; i++) {
    step();
  }
  statistics.decode_errors = board_.bus.statistics.decode_errors;
  statistics.instruction_reads = fetch_.reads;
  statistics.data_reads = data_.reads;
}

void Machine::step() {
  if (statistics.cycles == trace_from_) {
    begin_trace();
  }
  accept_memory(statistics.cycles);
  const bool awake = drive_device();
  if (board_.waveform().running()) {
    rise_traced();
    observe_device();
  } else {
    if (awake) {
      board_.step();
      observe_device();
    }
    observe();
    rise();
  }
  statistics.cycles++;
  drive();
}

// Evaluates both models in both halves of the cycle, as the waveform shows them.
void Machine::rise_traced() {
  top_.clk_i = 0;
  top_.eval();
  board_.begin_cycle();
  observe();
  top_.clk_i = 1;
  top_.eval();
  board_.end_cycle();
}

bool Machine::trace(const char *path, uint64_t from, uint32_t cycles) {
  if (!is_traceable_) {
    board_.waveform().add(top_);
    is_traceable_ = true;
  }
  if (from < statistics.cycles || !board_.waveform().prepare(path, cycles)) {
    return false;
  }
  trace_from_ = from;
  return true;
}

void Machine::begin_trace() {
  wake();
  board_.waveform().start(board_.bus.statistics.cycles - statistics.cycles);
}

// A rising edge. Verilator's own way has an evaluation of the falling edge too, at which nothing
// happens but that the gate of Outwork lite's clock takes its enable.
void Machine::rise() {
  Vsoc___024root &root = *top_.rootp;
  root.soc__DOT__u_lite__DOT__u_gate__DOT__enable_q =
      root.soc__DOT__u_lite__DOT__u_gate__DOT__enable_i;
  root.__Vtrigprevexpr___TOP__soc__DOT__u_lite__DOT__u_gate__DOT__clk_o__0 = 0;
  root.__Vtrigprevexpr___TOP__clk_i__0 = 0;
  top_.clk_i = 1;
  top_.eval();
}

void Machine::accept_memory(uint64_t cycle) {
  const uint64_t due = cycle + board_.bus.parameters.read_latency;
  if (top_.fetch_valid_o && top_.fetch_ready_i) {
    fetch_.begin(ram.at(top_.fetch_address_o & ~(kLineBytes - 1), kLineBytes), kLineBytes, due);
  }
  if (top_.memory_valid_o && top_.memory_ready_i) {
    if (top_.memory_write_o) {
      store();
    } else {
      const uint32_t bytes = top_.memory_line_o ? kLineBytes : kBeatBytes;
      data_.begin(ram.at(top_.memory_address_o & ~(bytes - 1), bytes), bytes, due);
    }
  }
}

// A write where there is no memory is lost, as a posted write is on a bus.
void Machine::store() {
  uint8_t *const word = ram.at(top_.memory_address_o & ~3u, 4);
  if (word == nullptr) {
    return;
  }
  if (top_.memory_mask_o == 0xf) {
    std::memcpy(word, &top_.memory_data_o, 4);
    return;
  }
  for (unsigned i = 0; i < 4; i++) {
    if ((top_.memory_mask_o >> i & 1) != 0) {
      word[i] = static_cast<uint8_t>(top_.memory_data_o >> 8 * i);
    }
  }
}

bool Machine::drive_device() {
  const bool access = top_.m_axil_awvalid || top_.m_axil_wvalid || top_.m_axil_arvalid;
  // A read travels the bus twice before its answer; a write once, and nobody waits for its answer.
  const uint32_t way = board_.bus.parameters.mmio_latency * (top_.m_axil_arvalid ? 2 : 1);
  const bool arrived = access && access_wait_ >= way;
  access_wait_ = access && !arrived ? access_wait_ + 1 : arrived ? access_wait_ : 0;
  device_used_ = device_used_ || access;
  if (at_rest_) {
    if (!arrived) {
      rest_cycles_++;
      return false;
    }
    wake();
  }
  statistics.device_cycles++;
  ow_sim_board::Top &device = board_.pins();
  device.s_axil_awvalid = arrived && top_.m_axil_awvalid;
  device.s_axil_wvalid = arrived && top_.m_axil_wvalid;
  device.s_axil_arvalid = arrived && top_.m_axil_arvalid;
  device.s_axil_bready = top_.m_axil_bready;
  device.s_axil_rready = top_.m_axil_rready;
  if (arrived) {
    device.s_axil_awaddr = top_.m_axil_awaddr;
    device.s_axil_wdata = top_.m_axil_wdata;
    device.s_axil_wstrb = top_.m_axil_wstrb;
    device.s_axil_araddr = top_.m_axil_araddr;
    board_.settle();
  }
  top_.m_axil_awready = arrived && device.s_axil_awready;
  top_.m_axil_wready = arrived && device.s_axil_wready;
  top_.m_axil_arready = arrived && device.s_axil_arready;
  top_.m_axil_bvalid = device.s_axil_bvalid;
  top_.m_axil_bresp = device.s_axil_bresp;
  top_.m_axil_rvalid = device.s_axil_rvalid;
  top_.m_axil_rresp = device.s_axil_rresp;
  top_.m_axil_rdata = device.s_axil_rdata;
  top_.outwork_irq_i = static_cast<uint8_t>(board_.interrupts());
  if (access || device.s_axil_bvalid || device.s_axil_rvalid) {
    quiet_cycles_ = 0;
    next_look_ = kPeriod;
  }
  if (quiet_cycles_ == next_look_) {
    board_.remember();
  }
  return true;
}

// Plays the cycles that a device at rest has left out.
void Machine::wake() {
  if (at_rest_) {
    board_.skip(rest_cycles_ / kPeriod);
    board_.run(rest_cycles_ % kPeriod);
    at_rest_ = false;
    rest_cycles_ = 0;
  }
}

void Machine::observe_device() {
  if (++quiet_cycles_ == next_look_ + kPeriod) {
    at_rest_ = board_.at_rest();
    next_look_ += std::min(next_look_, kLastLook);
  }
  if (coherent_ && board_.writes().finished) {
    drop(board_.writes().finished_address, board_.writes().finished_end);
  }
}

// Tells the data cache of a burst's lines, one in each of the coming cycles: long before the CPU
// can have read from memory the completion record that the accelerator writes after them.
void Machine::drop(uint64_t begin, uint64_t end) {
  for (uint64_t line = begin & ~uint64_t{kLineBytes - 1}; line < end; line += kLineBytes) {
    dropped_.push_back(static_cast<uint32_t>(line));
  }
}

void Machine::count(const Profile &profile) {
  profiles_.push_back(profile);
  count_from_here();
}

// Records what the CPU shows to the outside.
void Machine::observe() {
  statistics.waiting_cycles += top_.waiting_o;
  if (top_.retire_valid_o) {
    statistics.instructions++;
    statistics.pc = top_.retire_pc_o;
    for (const Profile &profile : profiles_) {
      const size_t place = (top_.retire_pc_o - profile.begin) / 2;
      if (place < profile.counts_len) {
        profile.counts[place] += statistics.cycles - counted_;
        break;
      }
    }
    count_from_here();
  }
  statistics.lite_results += top_.lite_result_o;
  if (top_.console_valid_o) {
    console.push_back(static_cast<char>(top_.console_data_o));
  }
  if (top_.console_valid_i && top_.console_ready_o) {
    typed = -1;
  }
  if (top_.finish_valid_o) {
    finish(top_.finish_data_o);
  }
}

void Machine::finish(uint32_t word) {
  const uint32_t kind = word & 0xffff;
  if (kind == kPass || kind == kFail) {
    finished = true;
    status = kind == kPass ? 0 : word >> 16;
  }
}

// Sets the inputs of the coming cycle.
void Machine::drive() {
  uint8_t valid = 0, last = 0, error = 0;
  uint64_t data = 0;
  fetch_.drive(statistics.cycles, valid, last, error, data);
  top_.fetch_answer_i = valid;
  top_.fetch_error_i = error;
  top_.fetch_data_i = data;
  top_.fetch_ready_i = fetch_.ready();
  valid = error = 0;
  data_.drive(statistics.cycles, valid, last, error, data);
  top_.memory_answer_i = valid;
  top_.memory_last_i = last;
  top_.memory_error_i = error;
  top_.memory_data_i = data;
  top_.memory_ready_i = data_.ready();
  top_.drop_valid_i = !dropped_.empty();
  if (!dropped_.empty()) {
    top_.drop_address_i = dropped_.front();
    dropped_.pop_front();
  }
  top_.console_valid_i = typed >= 0;
  top_.console_data_i = static_cast<uint8_t>(typed);
}

} // namespace ow_soc_sim
