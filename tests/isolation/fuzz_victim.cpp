// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The fuzzer's victim: jobs of several engines, whose records and surrounding memory are known from
// a run without hostile queues.
#include "fuzz.h"

#include "outwork/combined.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace isolation {

void broken(const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  throw Broken(text);
}

namespace {

constexpr uint32_t kLists = kSourceList | kDestinationList;
// Offsets of a job's inputs in its place.
constexpr size_t kContext = 0x200, kAad = 0x400, kSourceSegments = 0x500, kOutputSegments = 0x600;
constexpr unsigned kLog2 = 4;

} // namespace

Victim::Victim(Rig &rig, Random &random, unsigned queue, const Bounds &bounds)
    : rig_(rig), random_(random), bounds_(bounds), area_(rig.area((kPlaces + 1) * kRoom)),
      ring_(rig, queue, area_, kLog2) {
  const auto add = [this](const char *name, uint32_t control, uint32_t length, uint32_t aad_length,
                          unsigned iv, int source = -1, bool forged = false) {
    cases_.push_back(
        {name, control, length, aad_length, iv, source, forged, (control & kLists) != 0, {}, {}});
  };
  add("GCM, sealing", OW_OP_AES_GCM | key_slot(0) | tag_bytes(16) | kAppend, 48, 20, 1);
  add("GCM, opening", OW_OP_AES_GCM | key_slot(0) | tag_bytes(16) | kDecrypt, 48, 20, 1, 0);
  add("GCM, forged", OW_OP_AES_GCM | key_slot(0) | tag_bytes(16) | kDecrypt, 48, 20, 1, 0, true);
  add("GCM, forged, lists", OW_OP_AES_GCM | key_slot(0) | tag_bytes(16) | kDecrypt | kLists, 48, 20,
      1, 0, true);
  add("CTR, lists", OW_OP_AES_CTR | key_slot(0) | kLists, 100, 0, 2);
  add("ECB", OW_OP_AES_ECB | key_slot(0), 16, 0, 0);
  add("CMAC", OW_OP_AES_CMAC | key_slot(0) | tag_bytes(16) | kAppend, 40, 0, 0);
  add("CBC, key in memory", OW_OP_AES_CBC | kInline, 64, 0, 3);
  add("XTS, key in memory", OW_OP_AES_XTS | kInline, 50, 0, 4);
  add("SHA-256", OW_OP_SHA256, 80, 0, 0);
  add("SHA-512, list", OW_OP_SHA512 | kSourceList, 130, 0, 0);
  add("SHA3-256", OW_OP_SHA3_256, 140, 0, 0);
  add("HMAC-SHA-256", OW_OP_HMAC_SHA256 | key_slot(1), 64, 32, 0);
  add("AES-CBC with HMAC", OW_OP_AES_CBC_HMAC_SHA256 | key_slot(2) | tag_bytes(4) | kAppend, 64, 8,
      5);
  add("EEA3", OW_OP_EEA3 | kInline, 60, 0, 0);
  add("EIA1", OW_OP_EIA1 | kInline | tag_bytes(4) | kAppend, 40, 0, 0);
  add("TDES-CBC", OW_OP_TDES_CBC | kInline, 48, 0, 0);
  add("Ascon, sealing", OW_OP_ASCON_AEAD128 | kInline | tag_bytes(16) | kAppend, 41, 20, 1);
  add("Ascon, forged", OW_OP_ASCON_AEAD128 | kInline | tag_bytes(16) | kDecrypt, 41, 20, 1, 17,
      true);
  add("Ascon-Hash256", OW_OP_ASCON_HASH256, 75, 0, 0);
  add("Ed25519, S of a signature", OW_OP_ED25519_SIGN | kInline, 96, 96, 0);
  add("no operation", OW_OP_NOP, 0, 0, 0);

  rig_.grant(queue, area_);
  load_keys();
  ring_.open();
  for (unsigned i = 0; i < cases_.size(); i++) {
    Case &work = cases_[i];
    ring_.push(prepare(0, work)).cookie = i;
    ring_.ring();
    const ow_completion *record = ring_.wait(bounds_.answer);
    const unsigned status = work.forged ? OW_DEVICE_AUTH_FAILED : OW_DEVICE_OK;
    if (record == nullptr || status_of(*record) != status) {
      broken("the victim alone: %s: status %d", work.name,
             record == nullptr ? -1 : static_cast<int>(status_of(*record)));
    }
    work.record = *record;
    work.room.assign(area_.bytes + kRoom, area_.bytes + 2 * kRoom);
  }
}

void Victim::load_keys() {
  uint8_t key[32];
  for (unsigned i = 0; i < sizeof key; i++) {
    key[i] = static_cast<uint8_t>(3 * i + 1);
  }
  ow_key_properties properties{};
  properties.queues = static_cast<uint8_t>(1u << ring_.queue());
  properties.encrypt = properties.decrypt = properties.mac = true;
  const bool loaded =
      ow_key_load(&rig_.device, 0, &properties, key, 16, nullptr) == OW_OK &&
      ow_key_load_kind(&rig_.device, 1, &properties, OW_OP_HMAC_SHA256, key, 32) == OW_OK &&
      ow_key_load_pair(&rig_.device, 2, &properties, OW_OP_AES_CBC_HMAC_SHA256, key, 16, key, 32) ==
          OW_OK &&
      ow_key_reserve(&rig_.device, &reserved_, 3, &properties, OW_OP_NOP, 16) == OW_OK;
  if (!loaded) {
    broken("the victim's keys were not loaded");
  }
}

// Writes a case's inputs to a place and returns their addresses.
ow_descriptor Victim::prepare(unsigned place, const Case &work) {
  uint8_t *room = area_.bytes + offset(place);
  for (size_t i = 0; i < kOutput; i++) {
    room[i] = static_cast<uint8_t>(7 * i + 1);
  }
  std::memset(room + kOutput, 0xaa, kRoom - kOutput);
  if (work.source >= 0) {
    const Case &sealed = cases_[static_cast<unsigned>(work.source)];
    std::memcpy(room, sealed.room.data() + kOutput, sealed.length + 16);
    room[sealed.length] ^= work.forged ? 1 : 0;
  }
  ow_descriptor descriptor = job(work.control);
  descriptor.length = work.length;
  descriptor.aad_length = work.aad_length;
  descriptor.source = area_.at(offset(place));
  descriptor.destination = area_.at(offset(place) + kOutput);
  descriptor.aad = area_.at(offset(place) + kAad);
  descriptor.context = area_.at(offset(place) + kContext);
  descriptor.iv[0] = static_cast<uint8_t>(work.iv);
  const uint32_t total = work.length + (work.source >= 0 ? 16 : 0); // with the tag to compare
  const auto cut = [&](size_t at, uint64_t address, uint32_t bytes) {
    ow_segment *segments = area_.list(offset(place) + at);
    segments[0] = {address, 30, 0};
    segments[1] = {address + 30, 0, 0};
    segments[2] = {address + 30, bytes - 30, OW_SEGMENT_CONTROL_LAST_MASK};
    return area_.at(offset(place) + at);
  };
  if ((work.control & kSourceList) != 0) {
    descriptor.source = cut(kSourceSegments, descriptor.source, total);
  }
  if ((work.control & kDestinationList) != 0) {
    descriptor.destination = cut(kOutputSegments, descriptor.destination, work.length);
  }
  return descriptor;
}

void Victim::submit() {
  const unsigned count = random_.between(1, kPlaces);
  for (unsigned i = 0; i < count; i++) {
    if (places_[i].running < 0) {
      const unsigned chosen = random_.below(static_cast<uint32_t>(cases_.size()));
      ring_.push(prepare(i, cases_[chosen])).cookie = i;
      places_[i] = {static_cast<int>(chosen), rig_.now()};
      waiting_++;
    }
  }
  ring_.ring();
}

void Victim::compare(unsigned place, const ow_completion &record) {
  const Case &work = cases_[static_cast<unsigned>(places_[place].running)];
  const unsigned status = status_of(record), right = status_of(work.record);
  if (status != right) {
    broken("the victim's %s ended with status %u, not %u", work.name, status, right);
  }
  if (record.bytes != work.record.bytes || std::memcmp(record.tag, work.record.tag, 16) != 0) {
    std::string tag;
    for (unsigned i = 0; i < 16; i++) {
      char text[8];
      std::snprintf(text, sizeof text, "%02x/%02x ", record.tag[i], work.record.tag[i]);
      tag += text;
    }
    broken("the victim's %s has another record: %u bytes, not %u; tag got/wanted %s", work.name,
           record.bytes, work.record.bytes, tag.c_str());
  }
  const uint8_t *room = area_.bytes + offset(place);
  for (size_t i = 0; i < kRoom; i++) {
    // Addresses differ for each place.
    const bool address = work.lists && i >= kSourceSegments && i < kOutput;
    if (!address && room[i] != work.room[i]) {
      broken("the victim's %s: byte 0x%zx of its memory is 0x%02x, not 0x%02x", work.name, i,
             room[i], work.room[i]);
    }
  }
}

void Victim::poll() {
  while (const ow_completion *record = ring_.take()) {
    if (record->cookie >= kPlaces || places_[record->cookie].running < 0) {
      broken("a record of the victim for no job of it: cookie 0x%x", record->cookie);
    }
    Place &place = places_[record->cookie];
    compare(record->cookie, *record);
    slowest_ = std::max<uint64_t>(slowest_, record->cycles);
    place.running = -1;
    waiting_--;
    jobs_++;
  }
  for (const Place &place : places_) {
    if (place.running >= 0 && rig_.now() - place.since > bounds_.answer) {
      broken("the victim's %s has no answer after %" PRIu64 " cycles",
             cases_[static_cast<unsigned>(place.running)].name, rig_.now() - place.since);
    }
  }
}

bool Victim::reserved() {
  ow_key_info info{};
  return ow_key_query(&rig_.device, &info, reserved_.slot) == OW_OK && info.reserved &&
         !info.valid && info.generation == reserved_.generation;
}

void Victim::key_gone() {
  ow_descriptor descriptor = prepare(0, cases_[0]);
  const int status = ring_.run(descriptor, bounds_.answer);
  if (status != OW_DEVICE_BAD_KEY && status != OW_DEVICE_KEY_DENIED) {
    broken("after tamper a job under a slot's key ends with status %d", status);
  }
}

} // namespace isolation
