// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// For every pair of ways in which jobs of two queues can end, one is shifted cycle by cycle across
// the other: events of one stream do not change those of another in the same cycle.
#include "bench.h"

namespace {

enum Event {
  Refused,   // a read outside the windows
  Misplaced, // a write outside
  ReadError, // answered by the bus
  WriteError,
  Forged,  // the engine says AUTH_FAILED; the destination is zeroed
  Starved, // a list that ends too early
  Late,    // the watchdog
  Good,
  Empty, // no engine: the end is in the start
  Reset, // of a queue with a job under way
  Events
};
constexpr const char *Names[] = {"read outside", "write outside", "read error", "write error",
                                 "forged",       "short list",    "watchdog",   "good",
                                 "no operation", "reset"};
constexpr unsigned Status[] = {OW_DEVICE_WINDOW_VIOLATION,
                               OW_DEVICE_WINDOW_VIOLATION,
                               OW_DEVICE_READ_ERROR,
                               OW_DEVICE_WRITE_ERROR,
                               OW_DEVICE_AUTH_FAILED,
                               OW_DEVICE_BAD_SEGMENT,
                               OW_DEVICE_TIMEOUT,
                               OW_DEVICE_OK,
                               OW_DEVICE_OK,
                               OW_DEVICE_OK};
constexpr uint32_t Watchdog = 400;
constexpr uint32_t Room = 0x4000;
constexpr int Reach = 45; // cycles before and after both records are in the same cycle

struct Actor {
  unsigned queue;
  uint32_t bytes;
  uint64_t room = 0; // rings, then everything else
  Event event = Good;
};

struct Pairs : Bench {
  using Bench::Bench;
  unsigned checks = 0;

  void window(unsigned q, uint64_t base, uint64_t last) {
    const uint32_t config = OW_QUEUE_CONFIG_OFFSET + q * OW_QUEUE_CONFIG_STRIDE;
    const uint32_t first = config + OW_WINDOW_OFFSET;
    write(first + OW_WINDOW_BASE_LOW_OFFSET, uint32_t(base));
    write(first + OW_WINDOW_BASE_HIGH_OFFSET, uint32_t(base >> 32));
    write(first + OW_WINDOW_LAST_LOW_OFFSET, uint32_t(last));
    write(first + OW_WINDOW_LAST_HIGH_OFFSET, uint32_t(last >> 32));
    write(first + OW_WINDOW_PERMISSION_OFFSET, 3);
    write(config + OW_QUEUE_CONFIG_WATCHDOG_OFFSET, Watchdog);
    write(config, Windows);
  }

  void prepare_room(Actor &actor) {
    actor.room = allocate(Room, 4096);
    next = actor.room - Memory::Base; // the rings are at its start
    open(actor.queue);
    next = actor.room - Memory::Base + Room;
    window(actor.queue, actor.room, actor.room + Room - 1);
    for (unsigned i = 0; i < 64; i++) {
      ow_segment segment{actor.room + 0x2000, i == 0 ? 16u : 0u, i == 0 ? 1u : 0u};
      std::memcpy(at(actor.room + 0x1000 + 16 * i), &segment, 16);
    }
  }

  void prepare(Actor &actor, Event event) {
    actor.event = event;
    Job job;
    ow_descriptor &d = job.descriptor;
    d.control = 0x10;
    d.source = actor.room + 0x2000;
    d.destination = actor.room + 0x3000;
    d.length = actor.bytes;
    std::memset(at(d.destination), 0xaa, 0x400);
    switch (event) {
    case Refused:
      d.source = actor.room - 64;
      break;
    case Misplaced:
      d.destination = actor.room + Room;
      break;
    case ReadError:
      memory.read_error_at = d.source;
      break;
    case WriteError:
      memory.write_error_at = d.destination;
      break;
    case Forged:
      d.control |=
          OW_DESCRIPTOR_CONTROL_DECRYPT_MASK | 16u << OW_DESCRIPTOR_CONTROL_TAG_LENGTH_SHIFT;
      break;
    case Starved:
    case Late:
      d.control |= OW_DESCRIPTOR_CONTROL_SOURCE_LIST_MASK;
      d.source = actor.room + 0x1000 + (event == Late ? 16 : 0);
      break;
    case Empty:
      d.control = OW_OP_NOP;
      d.length = 0; // the bench's planner would have it read
      break;
    case Reset:
      d.length = 0xc00;
      break;
    default:
      break;
    }
    *at(actor.room + 0x2000 + actor.bytes) = event == Forged ? 0xee : 0x11;
    submit(actor.queue, job);
    if (event == Reset) {
      ring(actor.queue);
      run(100);
    }
  }

  void run(int cycles) {
    for (int i = 0; i < cycles; i++)
      step();
  }

  void start(const Actor &actor) {
    if (actor.event == Reset)
      write(page(actor.queue) + OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_RESET_MASK);
    else
      ring(actor.queue);
  }

  // The queue's next record; false if it does not come.
  bool record(unsigned q, ow_completion &found) {
    Queue &queue = queues[q];
    for (int i = 0; i < 5000; i++) {
      std::memcpy(&found, at(queue.done + queue.completed % RingSize * 32), 32);
      if ((found.result >> 31) == ((queue.completed >> RingLog2 & 1) == 0)) {
        queue.completed++;
        return true;
      }
      step();
    }
    return false;
  }

  void finish(const Actor &actor, const char *other, int offset) {
    std::string what = std::string(Names[actor.event]) + " beside " + other + ", offset " +
                       std::to_string(offset) + ": ";
    Queue &queue = queues[actor.queue];
    queue.jobs.clear();
    checks++;
    if (actor.event == Reset) {
      const uint32_t control = page(actor.queue) + OW_QUEUE_CONTROL_OFFSET;
      for (int i = 0; i < 5000 && (read(control) & OW_QUEUE_CONTROL_RESET_MASK) != 0; i++)
        step();
      if ((read(control) & OW_QUEUE_CONTROL_RESET_MASK) != 0)
        fail(what + "the reset does not end");
      queue.submitted = queue.completed = 0;
      std::memset(at(queue.done), 0, RingSize * 32);
      write(control, OW_QUEUE_CONTROL_ENABLE_MASK);
      return;
    }
    ow_completion found;
    if (!record(actor.queue, found))
      fail(what + "no record");
    if ((found.result & 0xff) != Status[actor.event])
      fail(what + "status " + std::to_string(found.result & 0xff));
    for (unsigned i = 0; i < 16 && actor.event != Good; i++)
      if (found.tag[i] != 0)
        fail(what + "a tag");
    for (unsigned i = 0; i < actor.bytes; i++) {
      const uint8_t got = *at(actor.room + 0x3000 + i);
      if (actor.event == Forged && got != 0)
        fail(what + "output of a forged message");
      if (actor.event == Good && got != uint8_t(~*at(actor.room + 0x2000 + i)))
        fail(what + "wrong output");
    }
  }

  int alone(Actor &actor, Event event) {
    prepare(actor, event);
    const uint64_t begin = memory.now;
    start(actor);
    if (event == Reset) {
      finish(actor, "nobody", 0);
      return 0;
    }
    ow_completion found;
    if (!record(actor.queue, found))
      fail(std::string(Names[event]) + " alone: no record");
    return int(memory.now - begin);
  }

  void pair(Actor &one, Actor &two, Event first, Event second) {
    const int early = alone(one, first), late = alone(two, second);
    for (int distance = -Reach; distance <= Reach; distance++) {
      const int offset = early - late + distance;
      memory.read_error_at = memory.write_error_at = 0;
      if (first == Empty || second == Empty) {
        // Leaves a tag in both streams, which a job without one must not show.
        prepare(one, Good), prepare(two, Good);
        start(one), start(two);
        finish(one, "good", offset), finish(two, "good", offset);
      }
      prepare(one, first);
      prepare(two, second);
      start(offset >= 0 ? one : two);
      run(std::abs(offset));
      start(offset >= 0 ? two : one);
      finish(one, Names[second], offset);
      finish(two, Names[first], offset);
    }
    memory.read_error_at = memory.write_error_at = 0;
    if ((read(OW_GLOBAL_STATUS_OFFSET) & OW_GLOBAL_STATUS_BUSY_MASK) != 0)
      fail(std::string(Names[first]) + " and " + Names[second] + ": a stream is still at work");
  }
};

} // namespace

int main() {
  Pairs bench(1);
  bench.memory.latency = 20;
  Actor one{1, 64}, two{2, 176};
  bench.allocate(4096); // the memory before the first window
  bench.prepare_room(one);
  bench.allocate(4096);
  bench.prepare_room(two);
  bench.allocate(4096);
  for (int first = 0; first < Events; first++) {
    for (int second = first; second < Events; second++) {
      // The bench's memory answers one address of each direction with an error.
      if (first == second && (first == ReadError || first == WriteError))
        continue;
      bench.pair(one, two, Event(first), Event(second));
    }
  }
  std::printf("PASS %u checks\n", bench.checks);
}
