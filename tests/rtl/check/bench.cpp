// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Plays the job of check_bench.sv with a fault: bench FAULT. An assertion that fails ends the
// program.
#include <cstdlib>

#include "Vcheck_bench.h"
#include "verilated.h"

int main(int argc, char **argv) {
  Vcheck_bench top;
  top.fault_i = argc > 1 ? std::atoi(argv[1]) : 0;
  for (int cycle = 0; cycle < 20; cycle++) {
    top.rst_ni = cycle >= 2;
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
  }
  return 0;
}
