// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The C interface of the simulated system on chip.
#include "outwork/soc.h"
#include "machine.h"
#include "parameters.h"

#include <algorithm>
#include <chrono>
#include <new>

struct ow_soc : ow_soc_sim::Machine {
  using Machine::Machine;
  std::vector<uint8_t> saved;
};

uint32_t ow_soc_ram(void) {
  return ow_soc_sim::kRamBegin;
}
uint32_t ow_soc_ram_bytes(void) {
  return ow_soc_sim::kRamBytes;
}

ow_soc *ow_soc_open(const ow_sim_parameters *parameters, int coherent, const char **error) {
  const char *wrong = ow_sim_board::parameter_error(*parameters);
  ow_soc *soc = nullptr;
  if (wrong == nullptr) {
    try {
      soc = new ow_soc(*parameters, coherent != 0);
    } catch (const std::bad_alloc &) { // no exception may reach C
      wrong = "there is not enough memory";
    }
  }
  if (error != nullptr) {
    *error = wrong;
  }
  return soc;
}

void ow_soc_close(ow_soc *soc) {
  delete soc;
}

// Returns the place of RAM at an address, if all the bytes are in it.
static uint8_t *place_of(ow_soc *soc, uint32_t address, size_t bytes_len) {
  const bool fits = bytes_len <= ow_soc_sim::kRamBytes;
  return fits ? soc->ram.at(address, static_cast<uint32_t>(bytes_len)) : nullptr;
}

int ow_soc_load(ow_soc *soc, uint32_t address, const void *bytes, size_t bytes_len) {
  uint8_t *const place = place_of(soc, address, bytes_len);
  if (place != nullptr) {
    std::memcpy(place, bytes, bytes_len);
  }
  return place != nullptr ? 1 : 0;
}

int ow_soc_read(ow_soc *soc, void *bytes, uint32_t address, size_t bytes_len) {
  const uint8_t *const place = place_of(soc, address, bytes_len);
  if (place != nullptr) {
    std::memcpy(bytes, place, bytes_len);
  }
  return place != nullptr ? 1 : 0;
}

int ow_soc_run(ow_soc *soc, uint64_t cycles) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  soc->run(cycles);
  const auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin);
  soc->statistics.host_nanoseconds += static_cast<uint64_t>(spent.count());
  return soc->finished ? 1 : 0;
}

uint32_t ow_soc_status(const ow_soc *soc) {
  return soc->status;
}

size_t ow_soc_console(ow_soc *soc, char *text, size_t text_len) {
  const size_t taken = std::min(text_len, soc->console.size());
  std::memcpy(text, soc->console.data(), taken);
  soc->console.erase(0, taken);
  return taken;
}

int ow_soc_type(ow_soc *soc, char character) {
  if (soc->typed >= 0) {
    return 0;
  }
  soc->typed = static_cast<uint8_t>(character);
  return 1;
}

int ow_soc_trace(ow_soc *soc, const char *path, uint64_t from, uint32_t cycles) {
  return soc->trace(path, from, cycles) ? 1 : 0;
}

uint32_t ow_soc_can_trace(void) {
  return ow_sim_board::Waveform::kAvailable ? 1 : 0;
}

const uint8_t *ow_soc_save(ow_soc *soc, size_t *bytes_len) {
  try {
    soc->saved = soc->save();
  } catch (const std::bad_alloc &) {
    soc->saved.clear();
  }
  *bytes_len = soc->saved.size();
  return soc->saved.empty() ? nullptr : soc->saved.data();
}

int ow_soc_restore(ow_soc *soc, const uint8_t *bytes, size_t bytes_len) {
  try {
    return soc->restore(bytes, bytes_len) ? 1 : 0;
  } catch (const std::bad_alloc &) {
    return 0;
  }
}

void ow_soc_statistics(const ow_soc *soc, struct ow_soc_statistics *statistics) {
  *statistics = soc->statistics;
}

const char *ow_soc_protocol_error(const ow_soc *soc) {
  return soc->bus().error[0] == 0 ? nullptr : soc->bus().error;
}

void ow_soc_profile(ow_soc *soc, uint32_t begin, uint64_t *counts, size_t counts_len) {
  soc->count({begin, counts, counts_len});
}
