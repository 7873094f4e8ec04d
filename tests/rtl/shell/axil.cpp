// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The register port against a master that sends addresses, data and acceptances in any order: each
// write comes once, and no output follows an input within the cycle.
#include "Vow_axil.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

static constexpr unsigned Writes = 20000;
static constexpr unsigned Whole = 0xf;

static Vow_axil top;
static std::mt19937 generator(1);

static bool chance(unsigned percent) {
  return generator() % 100 < percent;
}

[[noreturn]] static void fail(const char *what, unsigned writes) {
  std::printf("after %u writes: %s\n", writes, what);
  std::exit(1);
}

static uint32_t outputs() {
  return uint32_t(top.s_axil_awready | top.s_axil_wready << 1 | top.s_axil_bvalid << 2 |
                  top.s_axil_arready << 3 | top.s_axil_rvalid << 4 | top.s_axil_bresp << 5);
}

static void rise() {
  top.clk_i = 1;
  top.eval();
  top.clk_i = 0;
  top.eval();
}

// What is written, or read, number by number.
static uint16_t address(unsigned number) {
  return uint16_t(number * 52 & 0x7ffc);
}
static uint32_t value(unsigned number) {
  return number * 2654435761u;
}
static unsigned strobes(unsigned number) {
  return number % 5 == 3 ? number % 15 : Whole;
}

int main() {
  top.rst_ni = 0;
  rise();
  rise();
  top.rst_ni = 1;
  unsigned addresses = 0, words = 0, answers = 0, carried_out = 0; // of the writes
  unsigned asked = 0, read = 0;
  for (unsigned cycle = 0; answers < Writes; cycle++) {
    const uint32_t before = outputs();
    const unsigned likely = (cycle >> 8) % 3 * 40 + 20; // rarely, now and then, always
    top.ready_i = cycle >= 100;
    // What is offered stays until it is taken; the master is at most one write ahead on each side.
    top.s_axil_awvalid |= addresses <= answers && chance(likely);
    top.s_axil_wvalid |= words <= answers && chance(likely);
    top.s_axil_arvalid |= asked == read && chance(likely);
    top.s_axil_awaddr = top.s_axil_awvalid ? address(addresses) : uint16_t(generator());
    top.s_axil_wdata = top.s_axil_wvalid ? value(words) : uint32_t(generator());
    top.s_axil_wstrb = top.s_axil_wvalid ? uint8_t(strobes(words)) : uint8_t(generator() & Whole);
    top.s_axil_araddr = address(asked);
    top.s_axil_bready = chance(likely);
    top.s_axil_rready = chance(likely);
    const bool ready_before = cycle != 100;
    top.eval();
    if (ready_before && outputs() != before) {
      fail("an output follows an input within the cycle", answers);
    }
    if (top.write_o) {
      while (strobes(carried_out) != Whole) {
        carried_out++;
      }
      if (top.write_address_o != address(carried_out) || top.write_data_o != value(carried_out)) {
        fail("another write is carried out", answers);
      }
      carried_out++;
    }
    const bool aw = top.s_axil_awvalid && top.s_axil_awready;
    const bool w = top.s_axil_wvalid && top.s_axil_wready;
    const bool ar = top.s_axil_arvalid && top.s_axil_arready;
    if (!top.ready_i && (aw || w || ar)) {
      fail("an access is taken too soon", answers);
    }
    if (top.s_axil_bvalid && top.s_axil_bready) {
      if ((top.s_axil_bresp == 0) != (strobes(answers) == Whole)) {
        fail("a wrong answer", answers);
      }
      answers++;
      if (answers > addresses || answers > words) {
        fail("an answer before its write", answers);
      }
    }
    if (top.s_axil_rvalid && top.s_axil_rready && top.s_axil_rdata != value(read++)) {
      fail("a wrong word is read", answers);
    }
    const bool wants_word = top.read_o;
    if (wants_word && top.read_address_o != address(asked - 1)) {
      fail("another word is read", answers);
    }
    rise();
    top.read_data_i = wants_word ? value(asked - 1) : uint32_t(generator());
    top.eval();
    addresses += aw, words += w, asked += ar;
    top.s_axil_awvalid &= !aw, top.s_axil_wvalid &= !w, top.s_axil_arvalid &= !ar;
  }
  while (carried_out < Writes && strobes(carried_out) != Whole) {
    carried_out++;
  }
  if (carried_out != Writes) {
    fail("a write is lost", answers);
  }
  std::printf("%u writes, %u reads\n", answers, read);
  return 0;
}
