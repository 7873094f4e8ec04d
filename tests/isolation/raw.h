// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Direct access to registers and rings of a simulated board, as hostile software has it, and checks
// of all its bursts.
//
// The driver's queues are not used: a test can write any descriptor and any register. Every area of
// memory lies between canaries. Every burst is compared with the windows that its queue has in the
// cycle in which the device offers the burst. The board checks the bus protocol.
#ifndef OUTWORK_TESTS_ISOLATION_RAW_H
#define OUTWORK_TESTS_ISOLATION_RAW_H

#include "outwork/outwork.h"
#include "outwork/sim.h"

#include <string>
#include <vector>

namespace isolation {

// Flags of a descriptor's control word.
constexpr uint32_t kDecrypt = OW_DESCRIPTOR_CONTROL_DECRYPT_MASK;
constexpr uint32_t kInline = OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK;
constexpr uint32_t kLoad = OW_DESCRIPTOR_CONTROL_LOAD_STATE_MASK;
constexpr uint32_t kSave = OW_DESCRIPTOR_CONTROL_SAVE_STATE_MASK;
constexpr uint32_t kSourceList = OW_DESCRIPTOR_CONTROL_SOURCE_LIST_MASK;
constexpr uint32_t kDestinationList = OW_DESCRIPTOR_CONTROL_DESTINATION_LIST_MASK;
constexpr uint32_t kAppend = OW_DESCRIPTOR_CONTROL_APPEND_TAG_MASK;
constexpr uint32_t kFence = OW_DESCRIPTOR_CONTROL_FENCE_MASK;
constexpr uint32_t key_slot(unsigned slot) {
  return slot << OW_DESCRIPTOR_CONTROL_KEY_SHIFT;
}
constexpr uint32_t tag_bytes(unsigned bytes) {
  return bytes << OW_DESCRIPTOR_CONTROL_TAG_LENGTH_SHIFT;
}
constexpr uint32_t page(unsigned queue) {
  return OW_QUEUE_OFFSET + queue * OW_QUEUE_STRIDE;
}
inline unsigned status_of(const ow_completion &record) {
  return record.result & OW_COMPLETION_RESULT_STATUS_MASK;
}

// Longest time of a queue's reset in cycles: 65,536 to write zeros, and time to settle.
constexpr uint64_t kResetBound = 70000;

// Registered memory, page-aligned. The pages before and after it are registered canaries, so that
// an access outside succeeds and is detected.
struct Area {
  uint8_t *bytes = nullptr;
  size_t size = 0;
  uint64_t at(size_t offset = 0) const { return reinterpret_cast<uintptr_t>(bytes) + offset; }
  ow_segment *list(size_t offset) const { return reinterpret_cast<ow_segment *>(bytes + offset); }
};

// The addresses that a queue may access, from first to last, both included.
struct Window {
  uint64_t first;
  uint64_t last;
  bool read = true;
  bool write = true;
};
inline Window whole(const Area &area) {
  return {area.at(), area.at(area.size - 1)};
}

class Rig {
public:
  // bytes on either side of an area
  static constexpr size_t kCanary = 4096;

  Rig() : Rig(defaults()) {}
  explicit Rig(const ow_sim_parameters &parameters);
  ~Rig();
  Rig(const Rig &) = delete;
  Rig &operator=(const Rig &) = delete;

  static ow_sim_parameters defaults();
  static ow_sim_parameters latency(uint32_t read, uint32_t write);

  ow_sim *sim = nullptr;
  // for the owner's calls: keys
  ow_device device{};

  uint32_t read(uint32_t offset) { return platform_.read32(platform_.context, offset); }
  void write(uint32_t offset, uint32_t value) {
    platform_.write32(platform_.context, offset, value);
  }
  void run(uint64_t cycles) { ow_sim_run(sim, cycles); }
  uint64_t now() const { return ow_sim_cycles(sim); }

  Area area(size_t bytes);
  void grant(unsigned queue, const std::vector<Window> &windows, uint32_t watchdog = 0,
             bool priority = false);
  void grant(unsigned queue, const Area &area, uint32_t watchdog = 0) {
    grant(queue, std::vector<Window>{whole(area)}, watchdog);
  }
  // Revokes a grant with one register write; after its response the device may start no burst for
  // the queue.
  void revoke(unsigned queue);
  // Resets a queue and waits. Returns false if it has not ended after `bound` cycles.
  bool reset(unsigned queue, uint64_t bound = kResetBound);
  bool reset_ends(unsigned queue, uint64_t bound = kResetBound);
  void ask_reset(unsigned queue) {
    write(page(queue) + OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_RESET_MASK);
  }
  bool resetting(unsigned queue) {
    return (read(page(queue) + OW_QUEUE_CONTROL_OFFSET) & OW_QUEUE_CONTROL_RESET_MASK) != 0;
  }
  bool busy() { return (read(OW_GLOBAL_STATUS_OFFSET) & OW_GLOBAL_STATUS_BUSY_MASK) != 0; }
  unsigned halt(unsigned queue) {
    return read(page(queue) + OW_QUEUE_STATUS_OFFSET) >> OW_QUEUE_STATUS_HALT_SHIFT & 0xff;
  }

  // Returns the bursts inside a queue's windows; spy() counts those to [first, last].
  uint64_t bursts(unsigned queue) const { return bursts_[queue]; }
  void spy(uint64_t first, uint64_t last) {
    spy_first_ = first;
    spy_last_ = last;
    spied = 0;
  }
  // bursts to [first, last] of the last spy()
  uint64_t spied = 0;
  // when the last of them was first offered
  uint64_t spied_offered = 0;

  // Returns the first violation: a burst outside all windows, a changed canary, or an AXI rule.
  // Empty: none.
  std::string breach();

private:
  struct Granted {
    Window window;
    unsigned queue;
    // cycle of the response to the revocation
    uint64_t until;
  };

  static void watch(void *context, const ow_sim_burst *burst);
  bool covered(const ow_sim_burst &burst);

  ow_platform platform_{};
  std::vector<Area> areas_;
  std::vector<Granted> granted_;
  std::string stray_;
  uint64_t bursts_[OW_QUEUE_COUNT] = {};
  uint64_t spy_first_ = 1, spy_last_ = 0;
};

// A ring of descriptors and one of completion records at the start of an area.
class Ring {
public:
  Ring(Rig &rig, unsigned queue, const Area &area, unsigned log2);

  // Opens empty rings at position zero, as after a reset of the queue.
  void open();
  // Resets the queue and opens it again. Returns false if the reset does not end.
  bool reopen(uint64_t bound = kResetBound);
  ow_descriptor &push(const ow_descriptor &descriptor);
  void ring() { doorbell(written_); }
  void doorbell(unsigned count) {
    rig_.write(page(queue_) + OW_QUEUE_DOORBELL_OFFSET, count & 0xffff);
  }
  // Returns the next record; nullptr: it has not arrived.
  const ow_completion *take();
  // The same, but waits for up to `cycles` cycles.
  const ow_completion *wait(uint64_t cycles, unsigned step = 8);
  // Submits a descriptor and waits. Returns its status; -1: no record.
  int run(const ow_descriptor &descriptor, uint64_t cycles);

  unsigned queue() const { return queue_; }
  unsigned size() const { return 1u << log2_; }
  unsigned written() const { return written_; }
  unsigned taken() const { return taken_; }
  // Returns the bytes of both rings.
  static constexpr size_t bytes(unsigned log2) { return size_t{96} << log2; }

private:
  Rig &rig_;
  unsigned queue_, log2_;
  ow_descriptor *descriptors_;
  ow_completion *records_;
  unsigned written_ = 0, taken_ = 0;
};

inline ow_descriptor job(uint32_t opcode, uint32_t flags = 0) {
  ow_descriptor descriptor{};
  descriptor.control = opcode | flags;
  return descriptor;
}

// Returns the step between the moments of an attack that a program takes: its argument, or 1.
unsigned step_of(int argc, char **argv);

// Counts failures and prints the first ones. `finish` returns the exit status.
class Report {
public:
  explicit Report(const char *promise) : promise_(promise) {}
  [[gnu::format(printf, 3, 4)]] bool expect(bool truth, const char *format, ...);
  int finish();
  bool hopeless() const { return failures_ >= 5; } // too many failures to continue

private:
  const char *promise_;
  unsigned checks_ = 0, failures_ = 0;
};

} // namespace isolation

#endif
