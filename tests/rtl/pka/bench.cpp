// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Plays jobs on the verilated core of the public-key engine and checks status, result and cycles.
//
//   bench LIST
//
// Each line of LIST is
//   entry p0 .. p7 payload status result cycles [flip-cycle copy address bit]
// with payload and result in hexadecimal ("-" for none), cycles -1 for any, and optionally a bit of
// operand memory to flip in a cycle of the job: copy 0, 1, 2 for one copy, 3 for all. With a flip a
// result other than zeros that differs is the only failure.
//
// Prints "job NUMBER STATUS CYCLES" for each and "seconds N"; exits 1 at the first difference.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "Vpka_core.h"
#include "Vpka_core___024root.h"
#include "verilated.h"

static Vpka_core *top;

static void tick() {
  top->clk_i = 0;
  top->eval();
  top->clk_i = 1;
  top->eval();
}

static void clear() {
  top->clear_i = 1;
  for (int i = 0; i < 1024; i++)
    tick();
  top->clear_i = 0;
}

static std::vector<uint8_t> bytes_of(const std::string &hex) {
  std::vector<uint8_t> bytes;
  if (hex != "-")
    for (size_t i = 0; i < hex.size(); i += 2)
      bytes.push_back(std::stoul(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

#ifdef OUTWORK_GATES
static void flip(int, int, int) {
  std::printf("FAIL: a netlist has no names of memories\n");
  std::exit(1);
}
#else
static void flip(int copy, int address, int bit) {
  auto *root = top->rootp;
  auto at = [&](auto &memory) { memory[address][bit / 32] ^= 1u << (bit % 32); };
  if (copy == 0 || copy == 3)
    at(root->pka_core__DOT__u_memory__DOT__a_q);
  if (copy == 1 || copy == 3)
    at(root->pka_core__DOT__u_memory__DOT__b_q);
  if (copy == 2 || copy == 3)
    at(root->pka_core__DOT__u_memory__DOT__c_q);
}
#endif

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
  top = new Vpka_core;
  top->rst_ni = 0;
  for (int i = 0; i < 4; i++)
    tick();
  top->rst_ni = 1;
  clear();

  std::ifstream list(argv[1]);
  std::string line;
  const clock_t begin = clock();
  for (long number = 0; std::getline(list, line); number++) {
    std::istringstream fields(line);
    unsigned entry, parameter[8], status;
    std::string payload_hex, result_hex;
    long cycles, flip_cycle = -1;
    int copy = 0, address = 0, bit = 0;
    fields >> entry;
    for (unsigned &p : parameter)
      fields >> p;
    fields >> payload_hex >> status >> result_hex >> cycles >> flip_cycle >> copy >> address >> bit;
    const bool flipped = !fields.fail();
    const std::vector<uint8_t> payload = bytes_of(payload_hex), expected = bytes_of(result_hex);
    std::vector<uint8_t> result;

    for (int i = 0; i < 4; i++)
      top->parameter_i[i] = parameter[2 * i] | parameter[2 * i + 1] << 16;
    top->entry_i = entry;
    top->start_i = 1;
    tick();
    top->start_i = 0;
    size_t given = 0;
    long cycle = 0;
    for (;; cycle++) {
      if (flipped && cycle == flip_cycle)
        flip(copy, address, bit);
      // Outputs of this cycle.
      top->clk_i = 0;
      top->byte_valid_i = given < payload.size();
      top->byte_i = given < payload.size() ? payload[given] : 0;
      top->byte_take_i = 1;
      top->eval();
      if (top->end_o || cycle > 20000000)
        break;
      if (top->byte_take_o && top->byte_valid_i)
        given++;
      if (top->byte_valid_o)
        result.push_back(top->byte_o);
      top->clk_i = 1;
      top->eval();
    }
    tick();
    std::printf("job %ld %u %ld\n", number, top->status_o, cycle);
    const char *why = nullptr;
    const bool blank = result == std::vector<uint8_t>(result.size(), 0);
    if (flipped) {
      if (result != expected && !(blank && top->status_o))
        why = "a wrong result left";
    } else {
      if (given != payload.size())
        why = "payload left";
      if (top->status_o != status)
        why = "status";
      else if (result != expected)
        why = "result";
      else if (cycles >= 0 && cycle != cycles)
        why = "cycles";
    }
    if (why) {
      std::printf("FAIL job %ld: %s: status %u, %ld cycles, expected %u, %ld\n", number, why,
                  top->status_o, cycle, status, cycles);
      for (uint8_t b : result)
        std::printf("%02x", b);
      std::printf("\n");
      return 1;
    }
    clear();
  }
  std::printf("seconds %.3f\n", double(clock() - begin) / CLOCKS_PER_SEC);
  return 0;
}
