// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Sends instructions to zkn and prints the results.
//
//   bench LIST SEED PERCENT
//
// PERCENT of the cycles offer an instruction, and accept a result. Each line of LIST: what the port
// carries of the instruction, rs1, rs2; hexadecimal. Prints the number of cycles from the first
// instruction to the last result, then the results, a line each.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Vzkn.h"
#include "verilated.h"

struct Instruction {
  unsigned function, rs1, rs2;
};

int main(int argc, char **argv) {
  std::ifstream list(argv[1]);
  std::mt19937 random(std::stoul(argv[2]));
  const unsigned percent = std::stoul(argv[3]);
  std::vector<Instruction> instructions;
  list >> std::hex;
  for (Instruction next; list >> next.function >> next.rs1 >> next.rs2;)
    instructions.push_back(next);
  auto top = std::make_unique<Vzkn>();
  auto edge = [&] {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
  };
  top->cmd_valid_i = 0;
  top->rsp_ready_i = 0;
  top->rst_ni = 0;
  edge();
  top->rst_ni = 1;
  std::vector<uint32_t> results;
  const size_t limit = 1000 + 100 * instructions.size();
  size_t sent = 0, cycles = 0;
  for (; results.size() < instructions.size() && cycles < limit; cycles++) {
    // An offer stays until it is accepted, as the CPU's does.
    top->cmd_valid_i = sent < instructions.size() && (top->cmd_valid_i || random() % 100 < percent);
    const Instruction &now = instructions[sent < instructions.size() ? sent : 0];
    // Without an offer the ports carry noise.
    top->cmd_function_i = top->cmd_valid_i ? now.function : random();
    top->cmd_rs1_i = top->cmd_valid_i ? now.rs1 : random();
    top->cmd_rs2_i = top->cmd_valid_i ? now.rs2 : random();
    top->rsp_ready_i = random() % 100 < percent;
    top->eval();
    if (top->rsp_valid_o && top->rsp_ready_i)
      results.push_back(top->rsp_result_o);
    const bool taken = top->cmd_valid_i && top->cmd_ready_o;
    edge();
    sent += taken;
    if (taken)
      top->cmd_valid_i = 0;
  }
  std::cout << std::dec << cycles << '\n' << std::hex;
  for (uint32_t result : results)
    std::cout << result << '\n';
  return 0;
}
