// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What the two directions of the memory model share: parameters, budget of beats, record of
// accesses, broken rules.
#ifndef OUTWORK_SIM_BUS_H
#define OUTWORK_SIM_BUS_H

#include "Voutwork_top.h"
#include "faults.h"
#include "memory.h"
#include "outwork/sim.h"

#include <cinttypes>
#include <cstdio>
#include <string>

namespace ow_sim_board {

using Top = Voutwork_top;

constexpr unsigned kBytes = OW_BOARD_WIDTH / 8;                                      // of a beat
constexpr unsigned kSize = OW_BOARD_WIDTH == 128 ? 4 : OW_BOARD_WIDTH == 64 ? 3 : 2; // AxSIZE
constexpr unsigned kBeatsMax = 16; // what an AXI3 port takes
constexpr unsigned kRing = 64;     // bursts that the model can hold; a power of 2
constexpr uint8_t kDecodeError = 3;
constexpr uint8_t kPoison = 0xa5; // what unregistered bytes of a registered beat read as

// Lets so many beats pass in 100 cycles.
class Budget {
public:
  explicit Budget(uint32_t beats_per_100) : rate_(beats_per_100), credit_(100) {}
  // What is left of a beat is kept, so that no rate is rounded down; idle time buys no burst.
  void refill() { credit_ = credit_ < 100 ? credit_ + rate_ : credit_; }
  bool take() {
    if (credit_ < 100) {
      return false;
    }
    credit_ -= 100;
    return true;
  }
  void give_back() { credit_ += 100; }

private:
  uint32_t rate_;
  uint32_t credit_;
};

struct Bus {
  ow_sim_parameters parameters{};
  struct ow_sim_statistics statistics = {};
  Memory memory;
  Faults faults;
  std::string error; // the first broken rule
  ow_sim_access *log = nullptr;
  size_t log_room = 0;
  size_t log_count = 0;

  void record(uint64_t address, uint32_t length, bool write) {
    if (log != nullptr) {
      if (log_count < log_room) {
        log[log_count] = {statistics.cycles, address, length, write ? 1u : 0u};
      }
      log_count++;
    }
  }

  void broken(const char *rule, uint64_t address) {
    statistics.protocol_errors++;
    if (error.empty()) {
      char text[200];
      std::snprintf(text, sizeof text, "cycle %" PRIu64 ", address 0x%" PRIx64 ": %s",
                    statistics.cycles, address, rule);
      error = text;
    }
  }

  // The rules for an address, of either direction.
  void check_address(uint64_t address, unsigned length, unsigned size, unsigned burst) {
    if (length >= kBeatsMax) {
      broken("a burst has more than 16 beats", address);
    }
    if (size != kSize || burst != 1) {
      broken("a burst is not incrementing, or its beats are not as wide as the bus", address);
    }
    if (((address & ~uint64_t{kBytes - 1}) & 4095) + (length + 1) * kBytes > 4096) {
      broken("a burst crosses a 4 KiB boundary", address);
    }
  }
};

// An address that has been offered must stay until it is taken.
struct Held {
  bool stalled = false;
  uint64_t address = 0;
  unsigned length = 0;

  void check(Bus &bus, bool valid, bool ready, uint64_t now_address, unsigned now_length) {
    if (stalled && (!valid || now_address != address || now_length != length)) {
      bus.broken("an address changed or went away before it was taken", address);
    }
    stalled = valid && !ready;
    if (stalled) {
      address = now_address;
      length = now_length;
    }
  }
};

} // namespace ow_sim_board

#endif
