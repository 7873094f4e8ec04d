// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A hostile queue of the fuzzer: its accesses to its page, rings and lists, and the properties of
// its records and resets that must hold.
#include "fuzz.h"

#include <cinttypes>

namespace isolation {

namespace {

constexpr uint32_t kEpochs = 0x3fff; // number of epochs that a cookie distinguishes

Area rings_of(const Area &area) {
  return {area.bytes + Maker::kRings, Maker::kContexts - Maker::kRings};
}

} // namespace

Hostile::Hostile(Rig &rig, Random &random, unsigned queue, const Target &target,
                 const Bounds &bounds)
    : rig_(rig), random_(random), bounds_(bounds), target_(target), maker_(random, target_),
      ring_(rig, queue, rings_of(target.own), kLog2) {
  maker_.fill();
  begin();
}

void Hostile::grant() {
  const Area &own = target_.own;
  const uint32_t watchdog = random_.between(500, 4000);
  const Window front{own.at(), own.at(Maker::kData - 1)};
  const bool priority = random_.percent(10);
  switch (random_.below(3)) {
  case 0:
    rig_.grant(queue(), {whole(own)}, watchdog, priority);
    break;
  case 1:
    rig_.grant(queue(),
               {front,
                {own.at(Maker::kData), own.at(0x9fff), true, false},
                {own.at(0xa000), own.at(0xf123), false, true}},
               watchdog, priority);
    break;
  default: // unaligned ends
    rig_.grant(queue(), {front, {own.at(Maker::kData + 1), own.at(0xeffd)}}, watchdog, priority);
    break;
  }
  granted_ = true;
}

void Hostile::revoke() {
  rig_.revoke(queue());
  granted_ = exact_ = false;
}

void Hostile::begin() {
  if (rig_.bursts(queue()) != at_rest_) {
    broken("queue %u went on after its reset had ended", queue());
  }
  if (!granted_) {
    grant();
  }
  behaves_ = !meddled_ && random_.percent(70);
  readable_ = !meddled_;
  exact_ = behaves_ && !armed_;
  meddled_ = false;
  flushing_ = resetting_ = false;
  recorded_.clear();
  epoch_ = (epoch_ + 1) & kEpochs;
  ring_.open();
}

void Hostile::finish(uint32_t value) {
  if (exact_ && rig_.halt(queue()) != OW_HALT_NONE) {
    broken("queue %u was halted without a cause: %u", queue(), rig_.halt(queue()));
  }
  descriptors_ +=
      rig_.read(page(queue()) + OW_QUEUE_PROGRESS_OFFSET) & OW_QUEUE_PROGRESS_FETCHED_MASK;
  control(value);
  resetting_ = true;
  since_ = rig_.now();
}

void Hostile::push() {
  const unsigned under_way = ring_.written() - ring_.taken();
  const unsigned room = under_way < ring_.size() ? ring_.size() - under_way : 0;
  if (readable_ && room == 0) {
    return;
  }
  for (unsigned i = random_.between(1, std::min(8u, readable_ ? room : 8u)); i != 0; i--) {
    const uint32_t index = ring_.written() & 0xffff;
    ring_.push(maker_.descriptor()).cookie |= epoch_ << 16 | index;
    recorded_.push_back(false);
  }
  ring_.ring();
}

// Accesses that the rules of a queue's page forbid, or do not define.
void Hostile::misuse() {
  static constexpr uint32_t kRing[] = {OW_QUEUE_RING_LOW_OFFSET, OW_QUEUE_RING_HIGH_OFFSET,
                                       OW_QUEUE_DONE_LOW_OFFSET, OW_QUEUE_DONE_HIGH_OFFSET,
                                       OW_QUEUE_RING_SIZE_OFFSET};
  const unsigned written = ring_.written();
  switch (random_.below(10)) {
  case 0: // the doorbell forward and back, as fast as possible
  case 1:
    ring_.doorbell(written + 1);
    ring_.doorbell(written);
    break;
  case 2:
    ring_.doorbell(written - random_.between(1, 9));
    break;
  case 3:
    ring_.doorbell(static_cast<unsigned>(random_.next()));
    break;
  case 4:
    ring_.doorbell(written + random_.between(1, 2 * ring_.size()));
    break;
  case 5: // disable the queue for some time
    control(0);
    rig_.run(random_.below(60));
    control(OW_QUEUE_CONTROL_ENABLE_MASK);
    break;
  case 6: { // other rings
    readable_ = false;
    control(0);
    const uint64_t where = random_.percent(50) ? maker_.address() : target_.own.at() & ~0xfffull;
    rig_.write(page(queue()) + OW_QUEUE_RING_LOW_OFFSET, static_cast<uint32_t>(where) & ~63u);
    rig_.write(page(queue()) + OW_QUEUE_RING_HIGH_OFFSET, static_cast<uint32_t>(where >> 32));
    rig_.write(page(queue()) + kRing[random_.below(5)], static_cast<uint32_t>(random_.next()));
    rig_.write(page(queue()) + OW_QUEUE_RING_SIZE_OFFSET, random_.below(16));
    control(OW_QUEUE_CONTROL_ENABLE_MASK);
    ring_.doorbell(written + random_.below(9));
    break;
  }
  case 7: // writes to the ring's registers have no effect while the queue is enabled
    rig_.write(page(queue()) + kRing[random_.below(5)], static_cast<uint32_t>(random_.next()));
    break;
  case 8:
    rig_.write(page(queue()) + OW_QUEUE_IRQ_COUNT_OFFSET, random_.below(5));
    rig_.write(page(queue()) + OW_QUEUE_IRQ_TIME_OFFSET, random_.below(500));
    rig_.write(page(queue()) + OW_QUEUE_IRQ_OFFSET, 1);
    break;
  default: // change an announced descriptor
    if (readable_) {
      Area rings = rings_of(target_.own);
      ow_descriptor changed = maker_.descriptor();
      changed.cookie |= epoch_ << 16;
      reinterpret_cast<ow_descriptor *>(rings.bytes)[random_.below(ring_.size())] = changed;
    }
    break;
  }
}

void Hostile::act() {
  if (resetting_) {
    if (random_.percent(10)) {
      ring_.doorbell(static_cast<unsigned>(random_.next()));
      meddled_ = true; // the reset may have ended before
    }
    return;
  }
  if (!granted_ && random_.percent(20)) {
    random_.percent(40) ? grant() : finish();
    return;
  }
  if (flushing_) {
    return;
  }
  const uint32_t what = random_.below(100);
  if (what < 60) {
    push();
  } else if (what < 75) {
    maker_.change_list();
  } else if (what < 78) {
    rig_.read(page(queue()) + 4 * random_.below(64));
  } else if (what < 82) {
    finish(random_.percent(80) || behaves_
               ? OW_QUEUE_CONTROL_RESET_MASK
               : OW_QUEUE_CONTROL_RESET_MASK | OW_QUEUE_CONTROL_ENABLE_MASK);
  } else if (what < 86) {
    flushing_ = exact_ && granted_;
    since_ = rig_.now();
  } else if (!behaves_) {
    misuse();
  }
}

void Hostile::look(const ow_completion &record) {
  const unsigned status = status_of(record);
  if (status == OW_DEVICE_ABORTED) {
    broken("queue %u: a record of a job that a reset has stopped", queue());
  }
  if ((record.cookie & Maker::kForeign) != 0 && status == OW_DEVICE_OK) {
    broken("queue %u: a job under a key that is not its own ended OK (cookie 0x%x)", queue(),
           record.cookie);
  }
  bool empty = true;
  for (uint8_t byte : record.tag) {
    empty = empty && byte == 0;
  }
  if ((status != OW_DEVICE_OK && record.bytes != 0) ||
      ((status != OW_DEVICE_OK || (record.cookie & Maker::kTagless) != 0) && !empty)) {
    broken("queue %u: a record with status %u shows bytes or a tag (cookie 0x%x)", queue(), status,
           record.cookie);
  }
  if (behaves_) {
    const unsigned index = record.cookie & 0xffff;
    if ((record.cookie >> 16 & kEpochs) != epoch_ || index >= recorded_.size() ||
        recorded_[index]) {
      broken("queue %u: a record for no job that waits for one (cookie 0x%x)", queue(),
             record.cookie);
    }
    recorded_[index] = true;
  }
}

void Hostile::poll() {
  if (resetting_) {
    if (!rig_.resetting(queue())) {
      at_rest_ = rig_.bursts(queue());
      begin();
    } else if (rig_.now() - since_ > bounds_.reset) {
      broken("the reset of queue %u has not ended after %" PRIu64 " cycles", queue(),
             rig_.now() - since_);
    }
    return;
  }
  while (readable_) {
    const ow_completion *record = ring_.take();
    if (record == nullptr) {
      break;
    }
    look(*record);
  }
  if (flushing_ && (!exact_ || ring_.taken() == ring_.written())) {
    finish();
  } else if (flushing_ && rig_.now() - since_ > bounds_.flush) {
    broken("queue %u: %u of %u descriptors have no record after %" PRIu64 " cycles", queue(),
           ring_.written() - ring_.taken(), ring_.written(), rig_.now() - since_);
  }
}

void Hostile::drain() {
  if (!resetting_) {
    finish();
  }
  if (!rig_.reset_ends(queue(), bounds_.reset)) {
    broken("the last reset of queue %u does not end", queue());
  }
}

} // namespace isolation
