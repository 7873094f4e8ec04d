// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Faults that tests inject: which bursts they change, and which signals they hold.
#ifndef OUTWORK_SIM_FAULTS_H
#define OUTWORK_SIM_FAULTS_H

#include "outwork/sim.h"

#include <cstdint>
#include <vector>

namespace ow_sim_board {

// What the faults do to one burst.
struct BurstFault {
  uint64_t delay = 0;
  uint8_t response = 0;
  bool silent = false; // it is never answered
};

class Faults {
public:
  static constexpr size_t kMax = 16;

  // Checked in every cycle; the other members only if it is set.
  bool any = false;
  bool stuck_read_address = false;
  bool stuck_write_address = false;
  bool stuck_write_data = false;
  bool lost_interrupt = false;
  bool stuck_interrupt = false;
  bool dead_registers = false;

  bool arm(const ow_sim_fault &fault) {
    if (armed_.size() == kMax) {
      return false;
    }
    armed_.push_back(fault);
    any = true;
    settle();
    return true;
  }

  void clear() { *this = Faults(); }

  // Returns the faults of a read or write burst that has been accepted.
  BurstFault burst(bool write, uint64_t address, uint64_t length) {
    BurstFault result;
    for (ow_sim_fault &fault : armed_) {
      if (concerns(fault.kind, write) && hit(fault, address, length)) {
        apply(result, fault);
      }
    }
    settle();
    return result;
  }

  // Returns the bit to invert in the read beat that is sent next; -1: none.
  int flip() {
    int bit = -1;
    for (ow_sim_fault &fault : armed_) {
      if (fault.kind == OW_SIM_FLIP_READ && fault.at-- == 0) {
        bit = static_cast<int>(fault.value);
        fault.kind = kSpent;
      }
    }
    settle();
    return bit;
  }

private:
  static constexpr ow_sim_fault_kind kSpent = static_cast<ow_sim_fault_kind>(0);

  static bool concerns(ow_sim_fault_kind kind, bool write) {
    switch (kind) {
    case OW_SIM_LATE_READ:
    case OW_SIM_READ_ERROR:
    case OW_SIM_READ_ERROR_ADDRESS:
    case OW_SIM_NO_READ_RESPONSE:
    case OW_SIM_STUCK_READ_ADDRESS:
      return !write;
    case OW_SIM_LATE_WRITE:
    case OW_SIM_WRITE_ERROR:
    case OW_SIM_WRITE_ERROR_ADDRESS:
    case OW_SIM_NO_WRITE_RESPONSE:
    case OW_SIM_STUCK_WRITE_ADDRESS:
    case OW_SIM_STUCK_WRITE_DATA:
      return write;
    default:
      return false;
    }
  }

  static bool stays(ow_sim_fault_kind kind) {
    return kind == OW_SIM_NO_READ_RESPONSE || kind == OW_SIM_NO_WRITE_RESPONSE ||
           kind == OW_SIM_STUCK_READ_ADDRESS || kind == OW_SIM_STUCK_WRITE_ADDRESS ||
           kind == OW_SIM_STUCK_WRITE_DATA;
  }

  // Returns whether a fault is for this burst; if not, counts it.
  static bool hit(ow_sim_fault &fault, uint64_t address, uint64_t length) {
    if (fault.kind == OW_SIM_READ_ERROR_ADDRESS || fault.kind == OW_SIM_WRITE_ERROR_ADDRESS) {
      return fault.address >= address && fault.address - address < length;
    }
    if (fault.at != 0) {
      fault.at--;
      return false;
    }
    return true;
  }

  static void apply(BurstFault &result, ow_sim_fault &fault) {
    switch (fault.kind) {
    case OW_SIM_LATE_READ:
    case OW_SIM_LATE_WRITE:
      result.delay += fault.value;
      break;
    case OW_SIM_NO_READ_RESPONSE:
    case OW_SIM_NO_WRITE_RESPONSE:
      result.silent = true;
      break;
    case OW_SIM_READ_ERROR:
    case OW_SIM_WRITE_ERROR:
    case OW_SIM_READ_ERROR_ADDRESS:
    case OW_SIM_WRITE_ERROR_ADDRESS:
      result.response = static_cast<uint8_t>(fault.value & 3);
      break;
    default:
      break;
    }
    if (!stays(fault.kind)) {
      fault.kind = kSpent;
    }
  }

  // Drops faults that are used up, and sets the switches of those that are due.
  void settle() {
    std::erase_if(armed_, [](const ow_sim_fault &fault) { return fault.kind == kSpent; });
    for (const ow_sim_fault &fault : armed_) {
      stuck_read_address |= fault.kind == OW_SIM_STUCK_READ_ADDRESS && fault.at == 0;
      stuck_write_address |= fault.kind == OW_SIM_STUCK_WRITE_ADDRESS && fault.at == 0;
      stuck_write_data |= fault.kind == OW_SIM_STUCK_WRITE_DATA && fault.at == 0;
      lost_interrupt |= fault.kind == OW_SIM_LOST_INTERRUPT;
      stuck_interrupt |= fault.kind == OW_SIM_STUCK_INTERRUPT;
      dead_registers |= fault.kind == OW_SIM_DEAD_REGISTERS;
    }
    any = !armed_.empty();
  }

  std::vector<ow_sim_fault> armed_;
};

} // namespace ow_sim_board

#endif
