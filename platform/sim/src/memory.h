// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The process's memory as the device sees it: only registered regions, to the byte, at their own
// addresses unless `offset` is set.
#ifndef OUTWORK_SIM_MEMORY_H
#define OUTWORK_SIM_MEMORY_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ow_sim_board {

struct Region {
  uint64_t begin = 0;
  uint64_t end = 0; // first byte after the region

  // A burst that wraps around the address space is in no region.
  bool holds(uint64_t from, uint64_t to) const { return from >= begin && from < to && to <= end; }
};

class Memory {
public:
  // of the process's address from the device's
  uintptr_t offset = 0;

  uint8_t *at(uint64_t address) const { return reinterpret_cast<uint8_t *>(address + offset); }

  // Adds a region. Returns false if it overlaps another one.
  bool add(uint64_t begin, uint64_t length) {
    const Region region{begin, begin + length};
    auto after = above(begin);
    if (length == 0 || region.end < region.begin) {
      return false;
    }
    if (after != regions_.end() && after->begin < region.end) {
      return false;
    }
    if (after != regions_.begin() && std::prev(after)->end > begin) {
      return false;
    }
    regions_.insert(after, region);
    return true;
  }

  // Removes and returns the region that begins here; empty: none.
  Region remove(uint64_t begin) {
    auto after = above(begin);
    if (after == regions_.begin() || std::prev(after)->begin != begin) {
      return {};
    }
    const Region region = *std::prev(after);
    regions_.erase(std::prev(after));
    return region;
  }

  // Returns the region that contains an address; empty: none.
  Region find(uint64_t address) const {
    auto after = std::upper_bound(regions_.begin(), regions_.end(), address, less);
    if (after != regions_.begin() && std::prev(after)->end > address) {
      return *std::prev(after);
    }
    return {};
  }

  bool holds(uint64_t address, uint64_t length) const {
    return length != 0 && find(address).holds(address, address + length);
  }

private:
  static bool less(uint64_t address, const Region &region) { return address < region.begin; }
  std::vector<Region>::iterator above(uint64_t address) {
    return std::upper_bound(regions_.begin(), regions_.end(), address, less);
  }

  std::vector<Region> regions_; // sorted by address, without overlap
};

} // namespace ow_sim_board

#endif
