// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Accesses registers and rings of a simulated board as hostile software can, and checks all bursts.
#include "raw.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace isolation {

namespace {

constexpr uint8_t kPattern = 0xc5; // of the canaries
// The preferred address of areas, so that a replay has the same addresses.
constexpr uintptr_t kBase = 0x200000000000;

[[noreturn]] void die(const char *what) {
  std::fprintf(stderr, "cannot run: %s\n", what);
  std::exit(2);
}

// Gives the same bytes in each run, so that a replay is exact.
bool entropy(void *, uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    bytes[i] = static_cast<uint8_t>(73 * i + 11);
  }
  return true;
}

} // namespace

ow_sim_parameters Rig::defaults() {
  ow_sim_parameters parameters;
  ow_sim_defaults(&parameters);
  return parameters;
}

ow_sim_parameters Rig::latency(uint32_t read, uint32_t write) {
  ow_sim_parameters parameters = defaults();
  parameters.read_latency = read;
  parameters.write_response = write;
  return parameters;
}

Rig::Rig(const ow_sim_parameters &parameters) {
  const char *why = nullptr;
  sim = ow_sim_open(&parameters, &why);
  if (sim == nullptr) {
    die(why);
  }
  ow_sim_platform(sim, &platform_);
  platform_.entropy = entropy;
  if (ow_device_open(&device, &platform_) != OW_OK) {
    die("no device");
  }
  ow_sim_watch(sim, watch, this);
}

Rig::~Rig() {
  ow_sim_close(sim);
  for (const Area &area : areas_) {
    munmap(area.bytes - kCanary, area.size + 2 * kCanary);
  }
}

Area Rig::area(size_t bytes) {
  const size_t size = (bytes + kCanary - 1) / kCanary * kCanary;
  const uintptr_t hint =
      areas_.empty() ? kBase : areas_.back().at(areas_.back().size + 2 * kCanary);
  void *all = mmap(reinterpret_cast<void *>(hint), size + 2 * kCanary, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || ow_sim_register(sim, all, size + 2 * kCanary) == 0) {
    die("no memory");
  }
  std::memset(all, kPattern, kCanary);
  std::memset(static_cast<uint8_t *>(all) + kCanary + size, kPattern, kCanary);
  areas_.push_back({static_cast<uint8_t *>(all) + kCanary, size});
  return areas_.back();
}

void Rig::grant(unsigned queue, const std::vector<Window> &windows, uint32_t watchdog,
                bool priority) {
  revoke(queue);
  ow_grant grant{};
  grant.priority = priority;
  grant.watchdog_cycles = watchdog;
  for (const Window &window : windows) {
    granted_.push_back({window, queue, UINT64_MAX});
    grant.windows[grant.windows_len++] = {window.first, window.last, window.read, window.write};
  }
  if (ow_queue_grant(&device, queue, &grant) != OW_OK) {
    die("no grant");
  }
}

void Rig::revoke(unsigned queue) {
  ow_queue_revoke(&device, queue);
  for (Granted &granted : granted_) {
    if (granted.queue == queue && granted.until == UINT64_MAX) {
      granted.until = now();
    }
  }
  // Bursts that were offered long ago have been accepted: drop their windows.
  std::erase_if(granted_, [this](const Granted &granted) {
    return granted.until != UINT64_MAX && granted.until + 1000000 < now();
  });
}

bool Rig::reset(unsigned queue, uint64_t bound) {
  ask_reset(queue);
  return reset_ends(queue, bound);
}

bool Rig::reset_ends(unsigned queue, uint64_t bound) {
  for (const uint64_t end = now() + bound; resetting(queue); run(16)) {
    if (now() > end) {
      return false;
    }
  }
  return true;
}

bool Rig::covered(const ow_sim_burst &burst) {
  const uint64_t beat = ow_sim_data_width() / 8;
  const uint64_t end = burst.address + burst.length;
  for (const Granted &granted : granted_) {
    // A read takes whole beats; so does a write's burst on the bus, its strobes are checked by the
    // canaries.
    const uint64_t first = granted.window.first / beat * beat;
    const uint64_t last = granted.window.last / beat * beat + beat;
    if (burst.id == granted.queue && burst.address >= first && end <= last && end > burst.address &&
        (burst.write != 0 ? granted.window.write : granted.window.read) &&
        burst.offered <= granted.until) {
      bursts_[granted.queue]++;
      return true;
    }
  }
  return false;
}

void Rig::watch(void *context, const ow_sim_burst *burst) {
  Rig &rig = *static_cast<Rig *>(context);
  if (!rig.covered(*burst) && rig.stray_.empty()) {
    char text[160];
    std::snprintf(text, sizeof text,
                  "cycle %" PRIu64 ": a %s of %u bytes at 0x%" PRIx64
                  " for queue %u lies in none of its windows",
                  burst->offered, burst->write != 0 ? "write" : "read", burst->length,
                  burst->address, burst->id);
    rig.stray_ = text;
  }
  if (burst->address <= rig.spy_last_ && burst->address + burst->length > rig.spy_first_) {
    rig.spied++;
    rig.spied_offered = burst->offered;
  }
}

std::string Rig::breach() {
  if (!stray_.empty()) {
    return stray_;
  }
  if (const char *rule = ow_sim_protocol_error(sim)) {
    return rule;
  }
  uint8_t canary[kCanary];
  std::memset(canary, kPattern, kCanary);
  for (const Area &area : areas_) {
    if (std::memcmp(area.bytes - kCanary, canary, kCanary) != 0 ||
        std::memcmp(area.bytes + area.size, canary, kCanary) != 0) {
      return "a canary was overwritten";
    }
  }
  return {};
}

Ring::Ring(Rig &rig, unsigned queue, const Area &area, unsigned log2)
    : rig_(rig), queue_(queue), log2_(log2),
      descriptors_(reinterpret_cast<ow_descriptor *>(area.bytes)),
      records_(reinterpret_cast<ow_completion *>(area.bytes + (size_t{64} << log2))) {}

void Ring::open() {
  std::memset(static_cast<void *>(descriptors_), 0, bytes(log2_));
  written_ = taken_ = 0;
  const uint64_t ring = reinterpret_cast<uintptr_t>(descriptors_);
  const uint64_t done = reinterpret_cast<uintptr_t>(records_);
  rig_.write(page(queue_) + OW_QUEUE_CONTROL_OFFSET, 0);
  rig_.write(page(queue_) + OW_QUEUE_RING_LOW_OFFSET, static_cast<uint32_t>(ring));
  rig_.write(page(queue_) + OW_QUEUE_RING_HIGH_OFFSET, static_cast<uint32_t>(ring >> 32));
  rig_.write(page(queue_) + OW_QUEUE_DONE_LOW_OFFSET, static_cast<uint32_t>(done));
  rig_.write(page(queue_) + OW_QUEUE_DONE_HIGH_OFFSET, static_cast<uint32_t>(done >> 32));
  rig_.write(page(queue_) + OW_QUEUE_RING_SIZE_OFFSET, log2_);
  rig_.write(page(queue_) + OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_ENABLE_MASK);
}

bool Ring::reopen(uint64_t bound) {
  if (!rig_.reset(queue_, bound)) {
    return false;
  }
  open();
  return true;
}

ow_descriptor &Ring::push(const ow_descriptor &descriptor) {
  ow_descriptor &place = descriptors_[written_++ % size()];
  place = descriptor;
  return place;
}

const ow_completion *Ring::take() {
  const ow_completion &record = records_[taken_ % size()];
  const uint32_t phase = (taken_ >> log2_ & 1) == 0 ? OW_COMPLETION_RESULT_PHASE_MASK : 0;
  if ((record.result & OW_COMPLETION_RESULT_PHASE_MASK) != phase) {
    return nullptr;
  }
  taken_++;
  return &record;
}

const ow_completion *Ring::wait(uint64_t cycles, unsigned step) {
  const uint64_t end = rig_.now() + cycles;
  for (;;) {
    if (const ow_completion *record = take()) {
      return record;
    }
    if (rig_.now() >= end) {
      return nullptr;
    }
    rig_.run(step);
  }
}

int Ring::run(const ow_descriptor &descriptor, uint64_t cycles) {
  push(descriptor);
  ring();
  const ow_completion *record = wait(cycles);
  return record == nullptr ? -1 : static_cast<int>(status_of(*record));
}

unsigned step_of(int argc, char **argv) {
  const int step = argc > 1 ? std::atoi(argv[1]) : 1;
  return step > 0 ? static_cast<unsigned>(step) : 1;
}

bool Report::expect(bool truth, const char *format, ...) {
  checks_++;
  if (!truth && failures_++ < 5) {
    va_list arguments;
    va_start(arguments, format);
    std::printf("FAIL ");
    std::vprintf(format, arguments);
    std::printf("\n");
    va_end(arguments);
  }
  return truth;
}

int Report::finish() {
  std::printf("%s: %u of %u checks failed: %s\n", failures_ == 0 ? "PASS" : "FAIL", failures_,
              checks_, promise_);
  return failures_ == 0 ? 0 : 1;
}

} // namespace isolation
