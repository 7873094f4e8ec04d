// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Saves the system and restores it: CPU and peripherals as Verilator serialises them, memory
// without its empty pages, and what this simulation keeps beside them.
//
// The accelerator is not written. As long as nobody has accessed its registers, it is what it is in
// a new system after as many cycles, and there it is brought into that state.
#include "machine.h"

#include "verilated_save.h"

#include <algorithm>

namespace ow_soc_sim {

namespace {

constexpr uint32_t kPage = 4096;
constexpr uint32_t kEnd = UINT32_MAX; // in place of a page's number

class Writer final : public VerilatedSerialize {
public:
  explicit Writer(std::vector<uint8_t> &bytes) : bytes_(bytes) { m_isOpen = true; }
  ~Writer() override { take(); }
  void flush() override { take(); }

private:
  void take() {
    bytes_.insert(bytes_.end(), m_bufp, m_cp);
    m_cp = m_bufp;
  }
  std::vector<uint8_t> &bytes_;
};

class Reader final : public VerilatedDeserialize {
public:
  Reader(const uint8_t *bytes, size_t bytes_len) : next_(bytes), end_(bytes + bytes_len) {
    m_isOpen = true;
    m_endp = m_bufp;
  }
  bool short_of_bytes() const { return short_; }

private:
  // Verilator asks for more while there are fewer than a block's bytes in its buffer.
  void fill() override {
    uint8_t *const kept = std::copy(m_cp, m_endp, m_bufp);
    const size_t room = static_cast<size_t>(m_bufp + bufferSize() - kept);
    const size_t taken = std::min(room, static_cast<size_t>(end_ - next_));
    std::copy(next_, next_ + taken, kept);
    next_ += taken;
    m_cp = m_bufp;
    m_endp = kept + taken;
    if (m_endp < m_bufp + bufferInsertSize()) { // the end: zeros, so that nothing else is read
      std::fill(m_endp, m_bufp + bufferInsertSize(), uint8_t{0});
      short_ = short_ || m_endp == m_bufp;
      m_endp = m_bufp + bufferInsertSize();
    }
  }
  const uint8_t *next_, *end_;
  bool short_ = false;
};

// What a system is beside its models and memory.
struct Rest {
  struct ow_soc_statistics statistics;
  LinePort::State fetch, data;
  uint32_t status, access_wait, console_bytes;
  int32_t typed;
  uint8_t finished, coherent;
};

bool is_empty(const uint8_t *page) {
  return page[0] == 0 && std::memcmp(page, page + 1, kPage - 1) == 0;
}

} // namespace

std::vector<uint8_t> Machine::save() {
  std::vector<uint8_t> bytes;
  if (device_used_) {
    return bytes;
  }
  const uint8_t *const memory = ram.at(kRamBegin, kRamBytes);
  Rest rest = {}; // with its padding
  std::memset(static_cast<void *>(&rest), 0, sizeof(rest));
  rest.statistics = statistics;
  rest.fetch = fetch_.state(memory);
  rest.data = data_.state(memory);
  rest.status = status;
  rest.access_wait = access_wait_;
  rest.console_bytes = static_cast<uint32_t>(console.size());
  rest.typed = typed;
  rest.finished = finished;
  rest.coherent = coherent_;
  Writer writer(bytes);
  writer.write(&rest, sizeof(rest));
  writer.write(console.data(), console.size());
  for (uint32_t page = 0; page < kRamBytes / kPage; page++) {
    if (!is_empty(memory + page * kPage)) {
      writer.write(&page, sizeof(page));
      writer.write(memory + page * kPage, kPage);
    }
  }
  writer.write(&kEnd, sizeof(kEnd));
  writer << top_;
  writer.flush();
  return bytes;
}

bool Machine::restore(const uint8_t *bytes, size_t bytes_len) {
  Rest rest;
  Reader reader(bytes, bytes_len);
  reader.read(&rest, sizeof(rest));
  if (statistics.cycles != 0 || bytes_len < sizeof(rest) || (rest.coherent != 0) != coherent_) {
    return false;
  }
  while (statistics.cycles < rest.statistics.cycles && !at_rest_) {
    if (drive_device()) {
      board_.step();
      observe_device();
    }
    statistics.cycles++;
  }
  rest_cycles_ += rest.statistics.cycles - statistics.cycles;
  uint8_t *const memory = ram.at(kRamBegin, kRamBytes);
  for (uint8_t *page = memory; page != memory + kRamBytes; page += kPage) {
    if (!is_empty(page)) { // reading takes no memory of the host, writing does
      std::memset(page, 0, kPage);
    }
  }
  console.resize(rest.console_bytes);
  reader.read(console.data(), console.size());
  for (;;) {
    uint32_t page;
    reader.read(&page, sizeof(page));
    if (page == kEnd) {
      break;
    }
    if (page >= kRamBytes / kPage || reader.short_of_bytes()) {
      return false;
    }
    reader.read(memory + page * kPage, kPage);
  }
  reader >> top_;
  statistics = rest.statistics;
  fetch_.restore(rest.fetch, memory);
  data_.restore(rest.data, memory);
  count_from_here();
  status = rest.status;
  access_wait_ = rest.access_wait;
  typed = rest.typed;
  finished = rest.finished != 0;
  return !reader.short_of_bytes();
}

} // namespace ow_soc_sim
