// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The bench's AXI memory: random latencies and readiness, protocol checks, errors on request.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <random>
#include <vector>

struct Memory {
  static constexpr uint64_t Base = 0x123450000000ull;
  std::vector<uint8_t> bytes;
  unsigned width; // bytes of the bus
  std::mt19937_64 &random;
  unsigned laziness = 0; // percent of cycles in which a channel is not ready
  unsigned latency = 10;
  uint64_t read_error_at = 0,
           write_error_at = 0; // the burst that holds this address is answered SLVERR
  std::function<void(uint64_t, unsigned, bool)> watch;

  struct Read {
    uint64_t address;
    unsigned beats;
    uint64_t due;
    bool error;
  };
  struct Write {
    uint64_t address;
    unsigned beats;
    bool error;
  };
  std::deque<Read> reads;
  std::deque<Write> writes;
  std::deque<std::pair<uint64_t, bool>> answers;
  uint64_t now = 0, read_beats = 0, write_beats = 0;

  Memory(size_t size, unsigned width, std::mt19937_64 &random)
      : bytes(size), width(width), random(random) {}
  bool lazy() { return laziness && random() % 100 < laziness; }
  [[noreturn]] void fail(const char *what, uint64_t address) {
    std::printf("FAIL %s at 0x%llx, cycle %llu\n", what, (unsigned long long)address,
                (unsigned long long)now);
    std::exit(1);
  }
  void check(uint64_t address, unsigned beats, bool write) {
    uint64_t size = uint64_t(beats) * width;
    if (beats > 16)
      fail("burst longer than 16 beats", address);
    if (address % width)
      fail("address not aligned to the bus", address);
    if ((address & ~4095ull) != ((address + size - 1) & ~4095ull))
      fail("burst crosses 4 KiB", address);
    if (address < Base || address + size > Base + bytes.size())
      fail(write ? "write outside" : "read outside", address);
    if (watch)
      watch(address, unsigned(size), write);
  }

  // Before the rising edge: drive the inputs. After sampling the outputs: take what was accepted.
  template <class Top> void drive(Top &top) {
    top.m_axi_arready = reads.size() < 32 && !lazy();
    top.m_axi_awready = writes.size() < 8 && !lazy();
    top.m_axi_wready = !writes.empty() && !lazy();
    top.m_axi_bvalid = !answers.empty() && answers.front().first <= now;
    top.m_axi_bresp = top.m_axi_bvalid && answers.front().second ? 2 : 0;
    if (!reads.empty() && reads.front().due <= now && !read_held && !lazy())
      read_held = true;
    top.m_axi_rvalid = read_held;
    if (read_held) {
      std::memcpy(&top.m_axi_rdata, &bytes[reads.front().address - Base], width);
      top.m_axi_rresp = reads.front().error ? 2 : 0;
    }
  }
  bool read_held = false;

  template <class Top> void sample(Top &top) {
    now++;
    if (top.m_axi_rvalid && top.m_axi_rready) {
      read_beats++;
      read_held = false;
      reads.front().address += width;
      if (--reads.front().beats == 0)
        reads.pop_front();
    }
    if (top.m_axi_bvalid && top.m_axi_bready)
      answers.pop_front();
    if (top.m_axi_wvalid && top.m_axi_wready) {
      write_beats++;
      Write &write = writes.front();
      const uint8_t *data = reinterpret_cast<const uint8_t *>(&top.m_axi_wdata);
      for (unsigned i = 0; i < width; i++) {
        if (top.m_axi_wstrb >> i & 1)
          bytes[write.address - Base + i] = data[i];
      }
      write.address += width;
      bool last = --write.beats == 0;
      if (last != bool(top.m_axi_wlast))
        fail("WLAST is wrong", write.address);
      if (last) {
        answers.push_back({now + latency, write.error});
        writes.pop_front();
      }
    }
    if (top.m_axi_arvalid && top.m_axi_arready) {
      check(top.m_axi_araddr, top.m_axi_arlen + 1u, false);
      bool error = read_error_at >= top.m_axi_araddr &&
                   read_error_at < top.m_axi_araddr + (top.m_axi_arlen + 1ull) * width;
      reads.push_back({top.m_axi_araddr, top.m_axi_arlen + 1u, now + latency, error});
    }
    if (top.m_axi_awvalid && top.m_axi_awready) {
      check(top.m_axi_awaddr, top.m_axi_awlen + 1u, true);
      bool error = write_error_at >= top.m_axi_awaddr &&
                   write_error_at < top.m_axi_awaddr + (top.m_axi_awlen + 1ull) * width;
      writes.push_back({top.m_axi_awaddr, top.m_axi_awlen + 1u, error});
    }
  }
};
