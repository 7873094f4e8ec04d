// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A cache's port to memory: one read at a time, its first beat after the memory's latency, then a
// beat a cycle.
#ifndef OUTWORK_SOC_LINE_PORT_H
#define OUTWORK_SOC_LINE_PORT_H

#include <cstdint>
#include <cstring>

namespace ow_soc_sim {

constexpr unsigned kLineBytes = 64;
constexpr unsigned kBeatBytes = 8;

class LinePort {
public:
  uint64_t reads = 0; // so far

  bool ready() const { return source_ == nullptr && !missing_; }

  // source: a line or a beat; nullptr: there is no memory, and every beat is an error.
  void begin(const uint8_t *source, unsigned bytes, uint64_t due) {
    source_ = source;
    missing_ = source == nullptr;
    due_ = due;
    beat_ = 0;
    beats_ = bytes / kBeatBytes;
    reads++;
  }

  // Sets what the memory answers in a cycle.
  void drive(uint64_t cycle, uint8_t &valid, uint8_t &last, uint8_t &error, uint64_t &data) {
    last = 0;
    valid = !ready() && cycle >= due_;
    if (!valid) {
      return;
    }
    error = missing_;
    if (!missing_) {
      std::memcpy(&data, source_ + beat_ * kBeatBytes, kBeatBytes);
    }
    if (++beat_ == beats_) {
      last = 1;
      source_ = nullptr;
      missing_ = false;
    }
  }

  // What a checkpoint keeps of the port; `place` counts from the beginning of RAM.
  struct State {
    uint64_t reads, due, place;
    uint32_t beat, beats;
    uint8_t reading, missing;
  };
  State state(const uint8_t *ram) const {
    const bool reading = source_ != nullptr;
    return {reads,
            due_,
            reading ? static_cast<uint64_t>(source_ - ram) : 0,
            beat_,
            beats_,
            static_cast<uint8_t>(reading),
            static_cast<uint8_t>(missing_)};
  }
  void restore(const State &state, const uint8_t *ram) {
    reads = state.reads;
    due_ = state.due;
    source_ = state.reading != 0 ? ram + state.place : nullptr;
    beat_ = state.beat;
    beats_ = state.beats;
    missing_ = state.missing != 0;
  }

private:
  const uint8_t *source_ = nullptr;
  bool missing_ = false;
  uint64_t due_ = 0;
  unsigned beat_ = 0, beats_ = 0;
};

} // namespace ow_soc_sim

#endif
