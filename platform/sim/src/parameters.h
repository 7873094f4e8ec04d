// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Checks the parameters of a board.
#ifndef OUTWORK_SIM_PARAMETERS_H
#define OUTWORK_SIM_PARAMETERS_H

#include "bus.h"

namespace ow_sim_board {

inline bool between(uint32_t value, uint32_t low, uint32_t high) {
  return value >= low && value <= high;
}

// Returns what is wrong with the parameters; nullptr: nothing.
inline const char *parameter_error(const ow_sim_parameters &parameters) {
  if (parameters.data_width != 0 && parameters.data_width != OW_BOARD_WIDTH) {
    return "this library has another data width";
  }
  if (parameters.clock_hz == 0 || parameters.clock_hz > 10000000000u) {
    return "clock_hz must be 1 to 10,000,000,000";
  }
  if (parameters.read_latency == 0 || parameters.write_response == 0) {
    return "read_latency and write_response must be at least 1";
  }
  if (!between(parameters.read_beats_per_100, 1, 100) ||
      !between(parameters.write_beats_per_100, 1, 100)) {
    return "beats per 100 cycles must be 1 to 100";
  }
  if (!between(parameters.reads_outstanding, 1, kRing) ||
      !between(parameters.writes_outstanding, 1, kRing)) {
    return "outstanding bursts must be 1 to 64";
  }
  return parameters.relax_cycles == 0 ? "relax_cycles must be at least 1" : nullptr;
}

} // namespace ow_sim_board

#endif
