// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The write side of the memory model: writes each beat to memory at once; the response follows
// after its latency, in order for each ID.
#ifndef OUTWORK_SIM_WRITE_CHANNEL_H
#define OUTWORK_SIM_WRITE_CHANNEL_H

#include "bus.h"

#include <bit>
#include <cstring>

namespace ow_sim_board {

class WriteChannel {
public:
  WriteChannel(Top &top, Bus &bus, Budget *budget) : top_(top), bus_(bus), budget_(budget) {}

  uint64_t finished_address = 0; // of the burst that ended in the last sample
  uint64_t finished_end = 0;     // after its last byte
  bool finished = false;

  void reset() {
    ring_.reset();
    answering_ = nullptr;
    filling_ = 0;
    beat_ = 0;
    reserved_ = stalled_ = false;
    held_ = {};
    top_.m_axi_bvalid = 0;
    top_.m_axi_wready = 0;
  }

  bool idle() const { return ring_.size() == 0 && !held_.stalled; }

  void sample(uint64_t cycle) {
    finished = false;
    const bool valid = top_.m_axi_awvalid != 0;
    const bool ready = top_.m_axi_awready != 0;
    if (valid || held_.stalled) {
      held_.check(bus_, valid, ready, top_.m_axi_awaddr, top_.m_axi_awlen);
    }
    if (top_.m_axi_wvalid || stalled_) {
      check_held();
    }
    if (top_.m_axi_wvalid && top_.m_axi_wready) {
      take_beat(cycle);
      reserved_ = false;
    } else if (reserved_) {
      budget_->give_back();
      reserved_ = false;
    }
    if (valid && ready) {
      accept();
    }
    if (top_.m_axi_bvalid && top_.m_axi_bready) {
      ring_.finish(*answering_);
      answering_ = nullptr;
    }
  }

  void drive(uint64_t cycle) {
    top_.m_axi_awready =
        ring_.size() < bus_.parameters.writes_outstanding && !bus_.faults.stuck_write_address;
    bool take = filling_ != ring_.tail() && !bus_.faults.stuck_write_data;
    if (take && budget_ != nullptr) {
      take = reserved_ = budget_->take();
    }
    top_.m_axi_wready = take;
    if (answering_ == nullptr) {
      answering_ = ring_.first(filling_, [cycle](const Burst &b) { return cycle >= b.due; });
    }
    top_.m_axi_bvalid = answering_ != nullptr;
    if (answering_ != nullptr) {
      top_.m_axi_bid = answering_->id;
      top_.m_axi_bresp = answering_->response;
    }
  }

  // Answers from now on what a fault has stopped.
  void release(uint64_t cycle) {
    for (uint32_t i = ring_.head(); i != ring_.tail(); i++) {
      if (ring_.at(i).due == UINT64_MAX) {
        ring_.at(i).due = cycle;
      }
      ring_.at(i).silent = false;
    }
  }

  void forget(const Region &region) {
    last_ = {};
    for (uint32_t i = filling_; i != ring_.tail(); i++) {
      Burst &burst = ring_.at(i);
      if (burst.address < region.end && burst.address + burst.beats * kBytes > region.begin) {
        burst.whole = false; // every byte is looked up again
      }
    }
  }

private:
  struct Burst {
    uint64_t address; // of the first beat, aligned to the bus
    uint64_t due;     // cycle of the response
    uint64_t delay;
    uint64_t first; // first byte written
    uint64_t end;   // after the last byte written
    uint8_t beats;
    uint8_t response;
    uint8_t id;
    bool whole;
    bool over;
    bool refused; // because of a fault: nothing is written
    bool silent;
  };

  void accept() {
    const uint64_t address = top_.m_axi_awaddr;
    Burst &burst = ring_.push(top_.m_axi_awid);
    bus_.check_address(address, top_.m_axi_awlen, top_.m_axi_awsize, top_.m_axi_awburst);
    burst.address = address & ~uint64_t{kBytes - 1};
    burst.beats = static_cast<uint8_t>((top_.m_axi_awlen & (kBeatsMax - 1)) + 1);
    const uint64_t end = burst.address + burst.beats * kBytes;
    if (!last_.holds(burst.address, end)) {
      last_ = bus_.memory.find(burst.address);
    }
    burst.whole = last_.holds(burst.address, end);
    if (bus_.faults.any) {
      const BurstFault fault = bus_.faults.burst(true, burst.address, end - burst.address);
      burst.delay = fault.delay;
      burst.silent = fault.silent;
      burst.response = fault.response;
      burst.refused = fault.response != 0;
    }
    bus_.statistics.write_bursts++;
    bus_.watched(held_.since, address, end, true, burst.id);
  }

  static uint32_t strobes(const Top &top) { return top.m_axi_wstrb; }

  // Checks that offered data does not change until it is accepted.
  void check_held() {
    const bool valid = top_.m_axi_wvalid != 0;
    if (stalled_ && (!valid || strobes(top_) != held_strobes_ || top_.m_axi_wlast != held_last_ ||
                     std::memcmp(held_data_, &top_.m_axi_wdata, kBytes) != 0)) {
      bus_.broken("write data changed or was withdrawn before it was accepted", 0);
    }
    stalled_ = valid && !top_.m_axi_wready;
    if (stalled_) {
      held_strobes_ = strobes(top_);
      held_last_ = top_.m_axi_wlast;
      std::memcpy(held_data_, &top_.m_axi_wdata, kBytes);
    }
  }

  // Checks that the bytes of a burst have no gap: only whole beats between the first and the last.
  void check_strobes(const Burst &burst, uint32_t bits) {
    constexpr uint32_t kAll = (uint64_t{1} << kBytes) - 1;
    const uint32_t filled = bits | (bits - 1);
    const bool gap = bits != 0 && ((filled + 1) & bits & kAll) != 0;
    const bool starts = beat_ == 0 || (bits & 1) != 0;
    const bool reaches = beat_ + 1 == burst.beats || (bits >> (kBytes - 1)) != 0;
    if (gap || !starts || !reaches || bits == 0) {
      bus_.broken("the strobes of a write burst have a gap", burst.address);
    }
  }

  void take_beat(uint64_t cycle) {
    constexpr uint32_t kAll = (uint64_t{1} << kBytes) - 1;
    Burst &burst = ring_.at(filling_);
    const uint64_t address = burst.address + beat_ * kBytes;
    const uint32_t bits = strobes(top_);
    const bool last = beat_ + 1 == burst.beats;
    if ((top_.m_axi_wlast != 0) != last) {
      bus_.broken("WLAST is not on the last beat", burst.address);
    }
    if (bits == kAll && burst.whole && !burst.refused) {
      std::memcpy(bus_.memory.at(address), &top_.m_axi_wdata, kBytes);
    } else {
      check_strobes(burst, bits);
      write_bytes(burst, address, bits);
    }
    if (beat_ == 0) {
      burst.first = address + static_cast<unsigned>(std::countr_zero(bits));
    }
    bus_.statistics.write_beats++;
    beat_++;
    if (last) {
      burst.end = address + static_cast<unsigned>(std::bit_width(bits));
      burst.due = burst.silent ? UINT64_MAX : cycle + bus_.parameters.write_response + burst.delay;
      bus_.record(burst.first, static_cast<uint32_t>(burst.end - burst.first), true);
      finished = true;
      finished_address = burst.address;
      finished_end = burst.end;
      filling_++;
      beat_ = 0;
    }
  }

  void write_bytes(Burst &burst, uint64_t address, uint32_t bits) {
    const uint8_t *data = reinterpret_cast<const uint8_t *>(&top_.m_axi_wdata);
    for (unsigned i = 0; i < kBytes; i++) {
      if ((bits >> i & 1) == 0 || burst.refused) {
        continue;
      }
      if (burst.whole || bus_.memory.holds(address + i, 1)) {
        *bus_.memory.at(address + i) = data[i];
      } else if (burst.response == 0) {
        burst.response = kDecodeError;
        bus_.statistics.decode_errors++;
      }
    }
  }

  Top &top_;
  Bus &bus_;
  Budget *budget_;
  Ring<Burst> ring_;
  Burst *answering_ = nullptr; // the burst whose response is offered
  uint32_t filling_ = 0;       // the burst whose beats are coming
  uint32_t beat_ = 0;
  bool reserved_ = false; // a beat of the budget is reserved for the next cycle
  Held held_;
  bool stalled_ = false;
  uint32_t held_strobes_ = 0;
  uint8_t held_last_ = 0;
  uint8_t held_data_[kBytes] = {};
  Region last_;
};

} // namespace ow_sim_board

#endif
