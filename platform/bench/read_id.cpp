// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// First contact, as in docs/bring-up.md: resets outwork_axi, reads its first registers, and fails
// if one is not as it must be.
#include <cstdint>
#include <cstdio>

#include "Voutwork_axi.h"
#include "outwork/spec.h"

namespace {

constexpr int ResetEdges = 4;
constexpr int AnswerEdges = 100; // more than any register needs

void edge(Voutwork_axi &device) {
  device.aclk = 1;
  device.eval();
  device.aclk = 0;
  device.eval();
}

// Reads a register over AXI4-Lite. Returns false if no answer comes or it is an error.
bool read(Voutwork_axi &device, uint32_t offset, uint32_t &value) {
  device.s_axil_araddr = static_cast<uint16_t>(offset);
  device.s_axil_arvalid = 1;
  device.s_axil_rready = 1;
  for (int i = 0; i < AnswerEdges; ++i) {
    const bool accepted = device.s_axil_arvalid && device.s_axil_arready;
    const bool answered = device.s_axil_rvalid;
    value = device.s_axil_rdata;
    const bool good = device.s_axil_rresp == 0;
    edge(device);
    if (accepted) {
      device.s_axil_arvalid = 0;
    }
    if (answered) {
      return good;
    }
  }
  return false;
}

bool expect(Voutwork_axi &device, const char *name, uint32_t offset, uint32_t mask,
            uint32_t wanted) {
  uint32_t value = 0;
  const bool answered = read(device, offset, value);
  const bool right = answered && (value & mask) == wanted;
  std::printf("%-10s 0x%08x  %s\n", name, value, right ? "ok" : answered ? "WRONG" : "NO ANSWER");
  return right;
}

} // namespace

int main() {
  Voutwork_axi device;
  device.aresetn = 0;
  for (int i = 0; i < ResetEdges; ++i) {
    edge(device);
  }
  device.aresetn = 1;
  bool right = expect(device, "id", OW_GLOBAL_ID_OFFSET, ~0u, OW_GLOBAL_ID_RESET);
  right &= expect(device, "version", OW_GLOBAL_VERSION_OFFSET, ~0u, OW_GLOBAL_VERSION_RESET);
  right &= expect(device, "bus bytes", OW_GLOBAL_SHELL_OFFSET, OW_GLOBAL_SHELL_BUS_BYTES_MASK,
                  uint32_t{sizeof device.m_axi_wdata} << OW_GLOBAL_SHELL_BUS_BYTES_SHIFT);
  uint32_t before = 0;
  uint32_t after = 0;
  const bool runs = read(device, OW_GLOBAL_CYCLE_LOW_OFFSET, before) &&
                    read(device, OW_GLOBAL_CYCLE_LOW_OFFSET, after) && after > before;
  std::printf("cycle_low  %u, then %u  %s\n", before, after, runs ? "ok" : "WRONG");
  return right && runs ? 0 : 1;
}
