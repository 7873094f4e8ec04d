// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What both directions of the memory model share: parameters, budget of beats, record of accesses,
// violations of AXI rules.
#ifndef OUTWORK_SIM_BUS_H
#define OUTWORK_SIM_BUS_H

#include "Vboard.h"
#include "faults.h"
#include "memory.h"
#include "outwork/sim.h"

#include <cinttypes>
#include <cstdio>

namespace ow_sim_board {

using Top = Vboard;

constexpr unsigned kBytes = OW_BOARD_WIDTH / 8;                                      // in a beat
constexpr unsigned kSize = OW_BOARD_WIDTH == 128 ? 4 : OW_BOARD_WIDTH == 64 ? 3 : 2; // AxSIZE
constexpr unsigned kBeatsMax = 16; // the most that an AXI3 port accepts
constexpr unsigned kRing = 64;     // bursts that the model can hold; a power of 2
// AXI IDs of the device; bursts of one ID are answered in order
constexpr unsigned kIds = 4;
constexpr uint8_t kDecodeError = 3;
// value of unregistered bytes in a beat that is partly registered
constexpr uint8_t kPoison = 0xa5;

// Limits the number of beats in 100 cycles.
class Budget {
public:
  explicit Budget(uint32_t beats_per_100) : rate_(beats_per_100), credit_(100) {}
  // Keeps fractions of a beat, so that no rate is rounded down; but idle cycles save up no beats.
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

// Bursts in the order in which they were accepted. Those of different IDs may be answered in any
// order.
template <class Burst> class Ring {
public:
  void reset() { *this = {}; }
  uint32_t size() const { return tail_ - head_; }
  Burst &push(unsigned id) {
    Burst &burst = entries_[tail_++ % kRing];
    burst = {};
    burst.id = static_cast<uint8_t>(id);
    waiting_[id]++;
    return burst;
  }
  // Returns the first burst that `ready` accepts and that has no earlier one of its ID; nullptr:
  // none. end: searches only before this place.
  template <class Ready> Burst *first(uint32_t end, Ready ready) {
    unsigned seen = 0; // a bit for each ID
    for (uint32_t i = head_; i != end; i++) {
      Burst &burst = entries_[i % kRing];
      if (!burst.over && (seen >> burst.id & 1) == 0) {
        if (ready(burst)) {
          return &burst;
        }
        seen |= 1u << burst.id;
        if (waiting_[burst.id] == size()) {
          return nullptr; // all are of one ID
        }
      }
    }
    return nullptr;
  }
  void finish(Burst &burst) {
    burst.over = true;
    while (head_ != tail_ && entries_[head_ % kRing].over) {
      waiting_[entries_[head_ % kRing].id]--;
      head_++;
    }
  }
  Burst &at(uint32_t place) { return entries_[place % kRing]; }
  uint32_t head() const { return head_; }
  uint32_t tail() const { return tail_; }

private:
  Burst entries_[kRing] = {};
  uint32_t waiting_[kIds] = {}; // entries of each ID
  uint32_t head_ = 0;
  uint32_t tail_ = 0;
};

struct Bus {
  ow_sim_parameters parameters{};
  struct ow_sim_statistics statistics = {};
  Memory memory;
  Faults faults;
  char error[200] = ""; // the first violation
  ow_sim_access *log = nullptr;
  size_t log_room = 0;
  size_t log_count = 0;
  ow_sim_watcher watcher = nullptr;
  void *watcher_context = nullptr;

  void watched(uint64_t offered, uint64_t address, uint64_t end, bool write, unsigned id) {
    if (watcher != nullptr) {
      const ow_sim_burst burst{offered,         statistics.cycles,
                               address,         static_cast<uint32_t>(end - address),
                               write ? 1u : 0u, id};
      watcher(watcher_context, &burst);
    }
  }

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
    if (error[0] == 0) {
      std::snprintf(error, sizeof error, "cycle %" PRIu64 ", address 0x%" PRIx64 ": %s",
                    statistics.cycles, address, rule);
    }
  }

  // Checks the rules for an address, in either direction.
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

// Checks that an offered address does not change until it is accepted.
struct Held {
  bool stalled = false;
  uint64_t address = 0;
  unsigned length = 0;
  uint64_t since = 0; // cycle in which it was first offered

  void check(Bus &bus, bool valid, bool ready, uint64_t now_address, unsigned now_length) {
    if (stalled && (!valid || now_address != address || now_length != length)) {
      bus.broken("an address changed or was withdrawn before it was accepted", address);
    }
    since = stalled ? since : bus.statistics.cycles;
    stalled = valid && !ready;
    if (stalled) {
      address = now_address;
      length = now_length;
    }
  }
};

} // namespace ow_sim_board

#endif
