// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
#include "rig.h"

#include <cstdio>
#include <cstdlib>
#include <random>

#include "Voutwork_lite.h"
#include "verilated.h"

namespace {

Voutwork_lite *top; // never deleted: Verilator's context may be gone before
std::mt19937 numbers;
unsigned pause_percent;
uint64_t cycles;
uint64_t tamper_at;

bool ready() {
  return pause_percent == 0 || numbers() % 100 >= pause_percent;
}

void edge() {
  top->tamper |= cycles == tamper_at;
  top->eval();
  top->aclk = 1;
  top->eval();
  top->aclk = 0;
  if (cycles == tamper_at)
    top->tamper = 0;
  top->eval();
  cycles++;
}

// A channel on which the master sends: valid stays until it is accepted.
struct Sender {
  bool waits;
  bool valid = false;
  bool done(bool is_ready) {
    if (valid && is_ready) {
      valid = waits = false;
      return true;
    }
    return false;
  }
  void offer() { valid = valid || (waits && ready()); }
};

struct Write {
  uint32_t offset, value;
  uint8_t strobes;
};

// Makes a write, a read, or both, and returns when both have been answered.
void access(const Write *write, unsigned *response, const uint32_t *read, uint32_t *value) {
  Sender address{write != nullptr}, data{write != nullptr}, read_address{read != nullptr};
  bool write_waits = write != nullptr, read_waits = read != nullptr;
  const uint64_t limit = cycles + 100 * RIG_CYCLES_MAX;
  const uint64_t begin = cycles;
  while (write_waits || read_waits) {
    address.offer();
    data.offer();
    read_address.offer();
    top->s_axil_awvalid = address.valid;
    top->s_axil_awaddr = address.valid ? write->offset : numbers();
    top->s_axil_wvalid = data.valid;
    top->s_axil_wdata = data.valid ? write->value : numbers();
    top->s_axil_wstrb = data.valid ? write->strobes : numbers();
    top->s_axil_arvalid = read_address.valid;
    top->s_axil_araddr = read_address.valid ? *read : numbers();
    top->s_axil_bready = write_waits && ready();
    top->s_axil_rready = read_waits && ready();
    top->eval();
    const bool aw = top->s_axil_awready, w = top->s_axil_wready, ar = top->s_axil_arready;
    if (top->s_axil_bvalid && top->s_axil_bready) {
      *response = top->s_axil_bresp;
      write_waits = false;
    }
    if (top->s_axil_rvalid && top->s_axil_rready) {
      *value = top->s_axil_rdata;
      read_waits = false;
    }
    edge();
    address.done(aw);
    data.done(w);
    read_address.done(ar);
    if (cycles > limit || (pause_percent == 0 && cycles > begin + RIG_CYCLES_MAX)) {
      std::fprintf(stderr, "lite: an access does not end\n");
      std::exit(1);
    }
  }
  top->s_axil_awvalid = top->s_axil_wvalid = top->s_axil_arvalid = 0;
  top->s_axil_bready = top->s_axil_rready = 0;
  top->eval();
}

uint32_t read32(void *, uint32_t offset) {
  return rig_read(offset);
}

void write32(void *, uint32_t offset, uint32_t value) {
  rig_write(offset, value, 15);
}

} // namespace

extern "C" {

void rig_start(void) {
  top = new Voutwork_lite;
  cycles = 0;
  tamper_at = UINT64_MAX;
  pause_percent = 0;
  rig_reset();
}

void rig_reset(void) {
  top->aresetn = 0;
  rig_step(2);
  top->aresetn = 1;
}

const struct ow_platform *rig_platform(void) {
  static const struct ow_platform platform = [] {
    struct ow_platform filled = {};
    filled.read32 = read32;
    filled.write32 = write32;
    return filled;
  }();
  return &platform;
}

void rig_pauses(unsigned percent, uint32_t seed) {
  pause_percent = percent;
  numbers.seed(seed);
}

uint64_t rig_cycles(void) {
  return cycles;
}

void rig_step(unsigned count) {
  while (count-- > 0)
    edge();
}

void rig_tamper(bool high) {
  top->tamper = high;
}

void rig_tamper_in(unsigned delay) {
  tamper_at = cycles + delay;
}

bool rig_interrupt(void) {
  return top->irq;
}

unsigned rig_write(uint32_t offset, uint32_t value, uint8_t strobes) {
  const Write write = {offset, value, strobes};
  unsigned response = 0;
  access(&write, &response, nullptr, nullptr);
  return response;
}

uint32_t rig_read(uint32_t offset) {
  uint32_t value = 0;
  access(nullptr, nullptr, &offset, &value);
  return value;
}

uint32_t rig_both(uint32_t write_offset, uint32_t value, uint32_t read_offset) {
  const Write write = {write_offset, value, 15};
  unsigned response = 0;
  uint32_t result = 0;
  access(&write, &response, &read_offset, &result);
  return result;
}
}
