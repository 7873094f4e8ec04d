// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A waveform (FST), or the activity of every signal (SAIF), of a number of jobs (from a doorbell
// until their completion records are acknowledged) or of a number of cycles.
#ifndef OUTWORK_SIM_WAVEFORM_H
#define OUTWORK_SIM_WAVEFORM_H

#include "bus.h"
#include "outwork/spec.h"

#if VM_TRACE_FST
#include "verilated_fst_c.h"
#elif VM_TRACE_SAIF
#include "verilated_saif_c.h"
#endif

namespace ow_sim_board {

#if VM_TRACE_FST
using WaveformFile = VerilatedFstC;
#elif VM_TRACE_SAIF
using WaveformFile = VerilatedSaifC;
#endif

class Waveform {
public:
#if VM_TRACE
  static constexpr bool kAvailable = true;
#else
  static constexpr bool kAvailable = false;
#endif

  explicit Waveform(Top &top) : top_(top) {
#if VM_TRACE
    top.contextp()->traceEverOn(true);
#endif
  }
  ~Waveform() { close(); }

  // Returns whether the next cycle is written.
  bool running() const { return running_; }
  bool wanted() const { return armed_ || running_; }

  // Starts at the next doorbell, ends after `jobs` jobs. Returns false if the file cannot be
  // written.
  bool arm(const char *path, uint32_t jobs) {
    if (jobs == 0 || !open(path)) {
      return false;
    }
    jobs_ = jobs;
    origin_ = 0;
    armed_ = true;
    return true;
  }

  // Starts now, ends after `cycles` cycles. Returns false if the file cannot be written.
  bool begin(const char *path, uint32_t cycles) {
    if (!prepare(path, cycles)) {
      return false;
    }
    start(0);
    return true;
  }

  // Opens the file for `cycles` cycles, which start() begins. Returns false if it cannot be
  // written.
  bool prepare(const char *path, uint32_t cycles) {
    if (cycles == 0 || !open(path)) {
      return false;
    }
    jobs_ = 0;
    left_ = cycles - 1;
    return true;
  }
  // origin: the cycle that has the time 0 in the file.
  void start(uint64_t origin) {
    origin_ = origin;
    running_ = true;
  }

  // Writes another model of the same context too. Call before the first file is opened.
  template <typename Model> void add(Model &model) {
#if VM_TRACE
    model.trace(&file_, 99);
#else
    (void)model;
#endif
  }

  // Call before a register write: notes where the completion rings are, and starts at a doorbell.
  void write(uint32_t offset, uint32_t value) {
    if (offset < OW_QUEUE_OFFSET || offset >= OW_QUEUE_OFFSET + OW_QUEUE_COUNT * OW_QUEUE_STRIDE) {
      return;
    }
    Ring &ring = rings_[offset / OW_QUEUE_STRIDE - 1];
    switch (offset % OW_QUEUE_STRIDE) {
    case OW_QUEUE_DONE_LOW_OFFSET:
      ring.base = (ring.base & ~uint64_t{0xffffffff}) | value;
      break;
    case OW_QUEUE_DONE_HIGH_OFFSET:
      ring.base = (ring.base & 0xffffffff) | uint64_t{value} << 32;
      break;
    case OW_QUEUE_RING_SIZE_OFFSET:
      ring.bytes = uint64_t{OW_COMPLETION_SIZE} << (value & OW_QUEUE_RING_SIZE_LOG2_MASK);
      break;
    case OW_QUEUE_DOORBELL_OFFSET:
      running_ = running_ || armed_;
      armed_ = false;
      break;
    default:
      break;
    }
  }

  // Call after the last beat of a write burst: counts completion records.
  void wrote(uint64_t address, uint32_t response_cycles) {
    for (const Ring &ring : rings_) {
      if (running_ && jobs_ != 0 && address - ring.base < ring.bytes && --jobs_ == 0) {
        left_ = response_cycles + kMargin;
      }
    }
  }

  // Writes one half of a clock cycle.
  void dump(uint64_t time) {
#if VM_TRACE
    file_.dump(time - 2 * origin_);
#else
    (void)time;
#endif
  }

  void end_cycle() {
    if (jobs_ == 0 && left_-- == 0) {
      close();
    }
  }

  void close() {
#if VM_TRACE
    file_.close();
#endif
    armed_ = running_ = false;
  }

private:
  static constexpr uint32_t kMargin = 8; // cycles to show after the last job

  bool open(const char *path) {
#if VM_TRACE
    if (wanted()) {
      return false;
    }
    if (!attached_) {
      top_.trace(&file_, 99);
      attached_ = true;
    }
    file_.open(path);
    return file_.isOpen();
#else
    (void)path;
    return false;
#endif
  }

  struct Ring {
    uint64_t base = 0;
    uint64_t bytes = 0;
  };

  Top &top_;
#if VM_TRACE
  WaveformFile file_;
  bool attached_ = false;
#endif
  Ring rings_[OW_QUEUE_COUNT];
  uint64_t origin_ = 0;
  uint32_t jobs_ = 0;
  uint32_t left_ = 0;
  bool armed_ = false;
  bool running_ = false;
};

} // namespace ow_sim_board

#endif
