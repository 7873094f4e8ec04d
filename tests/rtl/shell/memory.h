// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The bench's AXI memory: random latencies and readiness, answers of different IDs in any order and
// with their beats interleaved, protocol checks, errors on request.
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
  bool frozen = false; // accepts and answers nothing
  uint64_t read_error_at = 0,
           write_error_at = 0; // the burst that holds this address is answered SLVERR
  std::function<void(uint64_t, unsigned, bool)> watch;

  static constexpr unsigned Ids = 4;
  uint64_t slow_latency = 0; // for addresses from `slow_at` on
  uint64_t slow_at = UINT64_MAX;
  struct Read {
    uint64_t address;
    unsigned beats;
    uint64_t due;
    bool error;
  };
  struct Write {
    uint64_t address;
    unsigned beats;
    unsigned id;
    bool error;
  };
  struct Answer {
    uint64_t due;
    bool error;
  };
  std::deque<Read> reads[Ids];
  std::deque<Write> writes;
  std::deque<Answer> answers[Ids];
  size_t reading = 0; // bursts
  uint64_t now = 0, read_beats = 0, write_beats = 0;

  Memory(size_t size, unsigned width, std::mt19937_64 &random)
      : bytes(size), width(width), random(random) {}
  bool lazy() { return frozen || (laziness && random() % 100 < laziness); }
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

  // Call before the rising edge: drives the inputs. Call after sampling the outputs: takes accepted
  // bursts and beats.
  template <class Top> void drive(Top &top) {
    top.m_axi_arready = reading < 32 && !lazy();
    top.m_axi_awready = writes.size() < 8 && !lazy();
    top.m_axi_wready = !writes.empty() && !lazy();
    if (!answer_held && !frozen)
      answer_held = choose(answers, answer_id);
    top.m_axi_bvalid = answer_held;
    if (answer_held) {
      top.m_axi_bid = answer_id;
      top.m_axi_bresp = answers[answer_id].front().error ? 2 : 0;
    }
    if (!read_held && !lazy())
      read_held = choose(reads, read_id);
    top.m_axi_rvalid = read_held;
    if (read_held) {
      Read &read = reads[read_id].front();
      std::memcpy(&top.m_axi_rdata, &bytes[read.address - Base], width);
      top.m_axi_rid = read_id;
      top.m_axi_rresp = read.error ? 2 : 0;
    }
  }
  bool read_held = false, answer_held = false;
  unsigned read_id = 0, answer_id = 0;

  // Chooses a random ID whose oldest entry is due.
  template <class Entry> bool choose(std::deque<Entry> (&entries)[Ids], unsigned &id) {
    unsigned first = unsigned(random() % Ids);
    for (unsigned i = 0; i < Ids; i++) {
      id = (first + i) % Ids;
      if (!entries[id].empty() && entries[id].front().due <= now)
        return true;
    }
    return false;
  }
  uint64_t due(uint64_t address) const {
    return now + (address >= slow_at ? slow_latency : latency);
  }

  template <class Top> void sample(Top &top) {
    now++;
    if (top.m_axi_rvalid && top.m_axi_rready) {
      read_beats++;
      read_held = false;
      Read &read = reads[read_id].front();
      read.address += width;
      if (--read.beats == 0)
        reads[read_id].pop_front(), reading--;
    }
    if (top.m_axi_bvalid && top.m_axi_bready)
      answers[answer_id].pop_front(), answer_held = false;
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
        answers[write.id].push_back({due(write.address - width), write.error});
        writes.pop_front();
      }
    }
    if (top.m_axi_arvalid && top.m_axi_arready) {
      check(top.m_axi_araddr, top.m_axi_arlen + 1u, false);
      bool error = read_error_at >= top.m_axi_araddr &&
                   read_error_at < top.m_axi_araddr + (top.m_axi_arlen + 1ull) * width;
      reads[top.m_axi_arid].push_back(
          {top.m_axi_araddr, top.m_axi_arlen + 1u, due(top.m_axi_araddr), error});
      reading++;
    }
    if (top.m_axi_awvalid && top.m_axi_awready) {
      check(top.m_axi_awaddr, top.m_axi_awlen + 1u, true);
      bool error = write_error_at >= top.m_axi_awaddr &&
                   write_error_at < top.m_axi_awaddr + (top.m_axi_awlen + 1ull) * width;
      writes.push_back({top.m_axi_awaddr, top.m_axi_awlen + 1u, top.m_axi_awid, error});
    }
  }
};
