// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A reset of one queue does not hide another queue's failure in the same cycle: no part of a forged
// message stays, and a job that reads outside its window does not continue with the bytes of its
// stream's last job.
#include "raw.h"

#include <cstring>

using namespace isolation;

namespace {

constexpr unsigned kMessage = 64; // bytes

// A job of the queue that resets itself; long, so that it is under way whenever the reset comes.
ow_descriptor long_job(const Area &area) {
  ow_descriptor descriptor = job(OW_OP_AES_CTR, kInline);
  descriptor.source = descriptor.destination = area.at(0x4000);
  descriptor.context = area.at(0x2000);
  descriptor.length = 0x10000;
  return descriptor;
}

void load(Rig &rig, unsigned slot, unsigned queue, uint8_t first) {
  const uint8_t key[16] = {first};
  ow_key_properties properties{};
  properties.queues = static_cast<uint8_t>(1u << queue);
  properties.encrypt = properties.decrypt = true;
  ow_key_load(&rig.device, static_cast<uint8_t>(slot), &properties, key, sizeof key, nullptr);
}

void forged(Report &report, unsigned offset) {
  Rig rig;
  const Area honest = rig.area(0x8000), hostile = rig.area(0x20000);
  rig.grant(0, honest);
  rig.grant(1, hostile);
  load(rig, 0, 0, 1);
  Ring ring(rig, 0, honest, 4), other(rig, 1, hostile, 4);
  ring.open();
  other.open();
  uint8_t *out = honest.bytes + 0x6000;
  std::memset(honest.bytes + 0x4000, 0x5a, kMessage);
  ow_descriptor seal = job(OW_OP_AES_GCM, key_slot(0) | tag_bytes(16) | kAppend);
  seal.source = honest.at(0x4000);
  seal.destination = honest.at(0x5000);
  seal.length = kMessage;
  report.expect(ring.run(seal, 5000) == OW_DEVICE_OK, "a message is sealed");
  honest.bytes[0x5000 + kMessage] ^= 1;

  other.push(long_job(hostile));
  other.ring();
  rig.run(200);
  std::memset(out, 0xaa, kMessage);
  ow_descriptor open = job(OW_OP_AES_GCM, key_slot(0) | tag_bytes(16) | kDecrypt);
  open.source = honest.at(0x5000);
  open.destination = honest.at(0x6000);
  open.length = kMessage;
  ring.push(open);
  ring.ring();
  rig.run(offset);
  rig.ask_reset(1);
  const ow_completion *record = ring.wait(20000);
  const int status = record == nullptr ? -1 : static_cast<int>(status_of(*record));
  bool zero = true;
  for (unsigned i = 0; i < kMessage; i++) {
    zero = zero && out[i] == 0;
  }
  report.expect(status == OW_DEVICE_AUTH_FAILED && record->bytes == 0 && zero,
                "reset %u cycles after the doorbell: status %d, destination %s", offset, status,
                zero ? "zero" : "not zero");
  report.expect(rig.reset_ends(1), "reset %u cycles after the doorbell: it ends", offset);
  report.expect(rig.breach().empty(), "%u cycles: %s", offset, rig.breach().c_str());
}

void residue(Report &report, unsigned offset) {
  Rig rig;
  const Area honest = rig.area(0x8000), hostile = rig.area(0x10000), second = rig.area(0x20000);
  rig.grant(0, honest);
  rig.grant(1, hostile);
  rig.grant(2, second);
  load(rig, 0, 0, 9);
  load(rig, 1, 1, 0);
  Ring ring(rig, 0, honest, 4), reader(rig, 1, hostile, 4), other(rig, 2, second, 4);
  ring.open();
  reader.open();
  other.open();
  other.push(long_job(second));
  other.ring();
  rig.run(200);
  std::memcpy(honest.bytes + 0x4000, "user=root;pw=0123456789", 24);
  ow_descriptor secret = job(OW_OP_AES_CTR, key_slot(0));
  secret.source = honest.at(0x4000);
  secret.destination = honest.at(0x5000);
  secret.length = 24;
  report.expect(ring.run(secret, 5000) == OW_DEVICE_OK, "the honest job");
  ow_descriptor outside = job(OW_OP_AES_ECB, key_slot(1));
  outside.source = hostile.at() - 8;
  outside.destination = hostile.at(0x8000);
  outside.length = 32;
  reader.push(outside);
  reader.ring();
  rig.run(offset);
  rig.ask_reset(2);
  const ow_completion *record = reader.wait(20000);
  const int status = record == nullptr ? -1 : static_cast<int>(status_of(*record));
  report.expect(status == OW_DEVICE_WINDOW_VIOLATION,
                "reset %u cycles after the doorbell of a job that reads outside: status %d", offset,
                status);
  report.expect(rig.reset_ends(2), "reset %u cycles after the doorbell: it ends", offset);
  report.expect(rig.breach().empty(), "%u cycles: %s", offset, rig.breach().c_str());
}

} // namespace

int main(int argc, char **argv) {
  const unsigned step = step_of(argc, argv);
  Report report("a queue's reset leaves other queues' failures alone");
  for (unsigned offset = 0; offset < 300 && !report.hopeless(); offset += step) {
    forged(report, offset);
  }
  for (unsigned offset = 0; offset < 200 && !report.hopeless(); offset += step) {
    residue(report, offset);
  }
  return report.finish();
}
