// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The read side of the memory model: accepts one address per cycle; beats follow after the latency,
// in order for each ID.
#ifndef OUTWORK_SIM_READ_CHANNEL_H
#define OUTWORK_SIM_READ_CHANNEL_H

#include "bus.h"

#include <cstring>

namespace ow_sim_board {

class ReadChannel {
public:
  ReadChannel(Top &top, Bus &bus, Budget *budget) : top_(top), bus_(bus), budget_(budget) {}

  void reset() {
    ring_.reset();
    offering_ = nullptr;
    beat_ = 0;
    offered_ = false;
    held_ = {};
    top_.m_axi_rvalid = 0;
  }

  bool idle() const { return ring_.size() == 0 && !held_.stalled; }

  // Records the handshakes of a cycle from its settled outputs.
  void sample(uint64_t cycle) {
    const bool valid = top_.m_axi_arvalid != 0;
    const bool ready = top_.m_axi_arready != 0;
    if (valid || held_.stalled) {
      held_.check(bus_, valid, ready, top_.m_axi_araddr, top_.m_axi_arlen);
      if (valid && ready) {
        accept(cycle);
      }
    }
    if (offered_ && top_.m_axi_rready) {
      bus_.statistics.read_beats++;
      offered_ = false;
      if (++beat_ == offering_->beats) {
        beat_ = 0;
        ring_.finish(*offering_);
        offering_ = nullptr;
      }
    }
  }

  // Sets the inputs of the next cycle.
  void drive(uint64_t cycle) {
    top_.m_axi_arready =
        ring_.size() < bus_.parameters.reads_outstanding && !bus_.faults.stuck_read_address;
    if (offered_) {
      return; // must not change
    }
    if (offering_ == nullptr) {
      offering_ = ring_.first(ring_.tail(), [cycle](const Burst &b) { return cycle >= b.due; });
    }
    if (offering_ != nullptr && (budget_ == nullptr || budget_->take())) {
      offer(*offering_);
    } else {
      top_.m_axi_rvalid = 0;
    }
  }

  // Answers from now on what a fault has stopped.
  void release(uint64_t cycle) {
    for (uint32_t i = ring_.head(); i != ring_.tail(); i++) {
      if (ring_.at(i).due == UINT64_MAX) {
        ring_.at(i).due = cycle;
      }
    }
  }

  // Removes memory: reads from it that are in progress get an error.
  void forget(const Region &region) {
    last_ = {};
    for (uint32_t i = ring_.head(); i != ring_.tail(); i++) {
      Burst &burst = ring_.at(i);
      if (burst.address < region.end && burst.address + burst.beats * kBytes > region.begin) {
        burst.response = kDecodeError;
      }
    }
  }

private:
  struct Burst {
    uint64_t address; // of the first beat, aligned to the bus
    uint64_t due;     // cycle of the first beat
    uint8_t beats;
    uint8_t response;
    uint8_t id;
    bool whole; // every byte is registered
    bool over;
  };

  void accept(uint64_t cycle) {
    const uint64_t address = top_.m_axi_araddr;
    Burst &burst = ring_.push(top_.m_axi_arid);
    bus_.check_address(address, top_.m_axi_arlen, top_.m_axi_arsize, top_.m_axi_arburst);
    burst.address = address & ~uint64_t{kBytes - 1};
    burst.beats = static_cast<uint8_t>((top_.m_axi_arlen & (kBeatsMax - 1)) + 1);
    burst.due = cycle + bus_.parameters.read_latency;
    burst.response = 0;
    const uint64_t end = burst.address + burst.beats * kBytes;
    if (!last_.holds(burst.address, end)) {
      last_ = bus_.memory.find(burst.address);
    }
    burst.whole = last_.holds(burst.address, end);
    if (!burst.whole && !every_beat_touches(burst)) {
      burst.response = kDecodeError;
      bus_.statistics.decode_errors++;
    }
    if (bus_.faults.any) {
      const BurstFault fault = bus_.faults.burst(false, burst.address, end - burst.address);
      burst.due = fault.silent ? UINT64_MAX : burst.due + fault.delay;
      burst.response = fault.response != 0 ? fault.response : burst.response;
    }
    bus_.statistics.read_bursts++;
    bus_.record(address, static_cast<uint32_t>(end - address), false);
    bus_.watched(held_.since, address, end, false, burst.id);
  }

  bool every_beat_touches(const Burst &burst) const {
    for (unsigned beat = 0; beat < burst.beats; beat++) {
      bool touches = false;
      for (unsigned i = 0; i < kBytes; i++) {
        touches |= bus_.memory.holds(burst.address + beat * kBytes + i, 1);
      }
      if (!touches) {
        return false;
      }
    }
    return true;
  }

  void offer(const Burst &burst) {
    const uint64_t address = burst.address + beat_ * kBytes;
    uint8_t *data = reinterpret_cast<uint8_t *>(&top_.m_axi_rdata);
    if (burst.response != 0) {
      std::memset(data, 0, kBytes);
    } else if (burst.whole) {
      std::memcpy(data, bus_.memory.at(address), kBytes);
    } else {
      for (unsigned i = 0; i < kBytes; i++) {
        data[i] = bus_.memory.holds(address + i, 1) ? *bus_.memory.at(address + i) : kPoison;
      }
    }
    if (bus_.faults.any) {
      const int bit = bus_.faults.flip();
      if (bit >= 0) {
        const unsigned place = static_cast<unsigned>(bit) % (8 * kBytes);
        data[place / 8] = static_cast<uint8_t>(data[place / 8] ^ (1u << place % 8));
      }
    }
    top_.m_axi_rid = burst.id;
    top_.m_axi_rresp = burst.response;
    top_.m_axi_rlast = beat_ + 1 == burst.beats;
    top_.m_axi_rvalid = 1;
    offered_ = true;
  }

  Top &top_;
  Bus &bus_;
  Budget *budget_; // nullptr: a beat every cycle
  Ring<Burst> ring_;
  Burst *offering_ = nullptr; // the burst whose beats are being sent
  uint32_t beat_ = 0;         // its current beat
  bool offered_ = false;
  Held held_;
  Region last_; // the region of the last burst
};

} // namespace ow_sim_board

#endif
