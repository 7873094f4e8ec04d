// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Attacks on key slots: zeroise, tamper and loads in every cycle of a job and of each other; the
// information that a queue gets.
#include "key_bench.h"

struct Keys : KeyBench {
  using KeyBench::KeyBench;

  // Memory stops in any cycle of a job; then the key goes, in each of the ways there are.
  void zeroise_whatever_runs() {
    uint64_t worst = 0;
    for (unsigned way = 0; way < 4; way++) {
      for (unsigned when = 0; when < 160; when++) {
        std::string name = "way " + std::to_string(way) + ", cycle " + std::to_string(when);
        uint32_t before = load(5, 1);
        pause = when % 3 == 0 ? 64 : 0; // the engine takes nothing
        start(0, job(KeyedCopy, 5));
        cycles(when);
        memory.frozen = true;
        uint64_t begin = memory.now;
        if (way == 2) {
          top.tamper_i = 1;
          cycle();
          top.tamper_i = 0;
        } else if (way == 3) {
          configure(5, 1);
          command(Load);
        } else {
          write(OW_GLOBAL_KEY_SLOT_OFFSET, 5);
          command(way == 0 ? Zeroise : ZeroiseAll);
        }
        settle(name);
        worst = std::max(worst, memory.now - begin);
        expect(name + ": not refused", key_status(5) & OW_GLOBAL_KEY_STATUS_REFUSED_MASK, 0);
        expect(name + ": valid", key_status(5) & 1, way == 3);
        expect(name + ": another generation", generation(5) != before, 1);
        memory.frozen = false;
        pause = 0;
        unsigned status = wait(0);
        // A job that had not been planned yet may use the new key. During a load the slot is empty.
        bool fits = status == OW_DEVICE_OK || status == OW_DEVICE_KEY_GONE ||
                    status == OW_DEVICE_KEY_DENIED;
        expect(name + ": status " + std::to_string(status), fits, 1);
        seen[status]++;
        if (way != 3)
          expect(name + ": afterwards", run(0, job(KeyedCopy, 5)), OW_DEVICE_KEY_DENIED);
        expect(name + ": the queue goes on", run(0, job(Copy, 0)), OW_DEVICE_OK);
      }
    }
    expect("jobs were killed", seen[OW_DEVICE_KEY_GONE] != 0, 1);
    expect("jobs had ended", seen[OW_DEVICE_OK] != 0, 1);
    expect("jobs came too late", seen[OW_DEVICE_KEY_DENIED] != 0, 1);
    std::printf("worst zeroise: %" PRIu64 " cycles\n", worst);
  }
  std::map<unsigned, unsigned> seen;

  // Two queues' jobs with two keys: only the jobs with the key that goes are killed.
  void others_keep_their_keys() {
    load(5, 1), load(6, 2);
    pause = 64;
    start(0, job(KeyedCopy, 5));
    start(1, job(KeyedCopy, 6));
    start(2, job(Copy, 5));
    cycles(100);
    loads_beside_jobs = true;
    write(OW_GLOBAL_KEY_SLOT_OFFSET, 5);
    command(Zeroise);
    uint64_t start = memory.now;
    while (busy() && memory.now - start < Bound)
      step();
    expect("zeroised beside another key's job", busy(), 0);
    pause = 0;
    expect("the key's own job", wait(0), OW_DEVICE_KEY_GONE);
    expect("another key's job", wait(1), OW_DEVICE_OK);
    expect("a job without a key", wait(2), OW_DEVICE_OK);
    loads_beside_jobs = false;
    expect("the other key is there", run(1, job(KeyedCopy, 6)), OW_DEVICE_OK);
  }

  // Tamper ends the jobs that have their keys with them too, also while all slots are being
  // zeroised already; a zeroise of all slots does not.
  void tamper_ends_inline_keys() {
    for (unsigned when = 0; when < 40; when++) {
      bool tamper = when != 0;
      std::string name = "inline key, cycle " + std::to_string(when);
      pause = 64;
      Job inline_key = job(KeyedCopy, 3);
      inline_key.descriptor.control |= OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK;
      start(0, inline_key);
      start(1, job(Copy, 0));
      cycles(100);
      command(ZeroiseAll);
      cycles(when);
      top.tamper_i = tamper;
      cycle();
      top.tamper_i = 0;
      settle(name);
      pause = 0;
      expect(name, wait(0), tamper ? OW_DEVICE_KEY_GONE : OW_DEVICE_OK);
      expect(name + ": without a key", wait(1), OW_DEVICE_OK);
    }
  }

  // Before a slot gets another key, the engines erase what it may have had, of a load that they
  // refused too; a slot that has been zeroised since needs no second time.
  void erased_before_a_load() {
    for (unsigned round = 0; round < 6; round++) {
      bool refused = round == 2, zeroised = round == 4;
      bool stale = round != 0 && round != 4;
      if (round == 0 || zeroised) {
        write(OW_GLOBAL_KEY_SLOT_OFFSET, 12);
        command(Zeroise);
        settle("a zeroise before a load");
      }
      top.key_refused_i = refused;
      configure(12, 1);
      command(Load);
      unsigned zeroises = 0, order = 0;
      for (unsigned i = 0; i < 60; i++) {
        if (top.zeroise_o)
          zeroises++, order += top.key_slot_o == 12 && !top.zeroise_all_o;
        expect("no zeroise behind the load", top.zeroise_o && (key_loads_seen != 0), 0);
        key_loads_seen += top.load_o;
        cycle();
      }
      expect("loaded once", key_loads_seen, 1);
      expect("erased before, round " + std::to_string(round), zeroises, stale);
      expect("of that slot", order, zeroises);
      key_loads_seen = 0;
      top.key_refused_i = 0;
    }
  }
  unsigned key_loads_seen = 0;

  // A command in each cycle of a load that the engine takes its time for.
  void overtaken_loads() {
    for (unsigned way = 0; way < 4; way++) {
      for (unsigned when = 0; when < 24; when++) {
        std::string name =
            "overtaking, way " + std::to_string(way) + ", cycle " + std::to_string(when);
        top.key_ready_i = 0;
        configure(7, 1);
        bool zeroised = false, loaded_after = false;
        auto tick = [&](unsigned count) {
          while (count--) {
            if (top.zeroise_o && top.key_ready_i && (top.zeroise_all_o || top.key_slot_o == 7))
              zeroised = true;
            if (top.load_o && top.key_ready_i)
              loaded_after = zeroised;
            cycle();
          }
        };
        if (way == 2 && when < 4) { // tamper before, with and after the command
          top.tamper_i = 1;
          cycles(when);
          command(Load);
          top.tamper_i = 0;
        } else {
          command(Load);
          for (unsigned i = 0; i < when; i++) {
            top.key_ready_i = i >= 15;
            tick(1);
          }
          if (way == 2)
            top.tamper_i = 1, tick(1), top.tamper_i = 0;
          else
            command(way == 0 ? Zeroise : way == 1 ? ZeroiseAll : Load);
        }
        top.key_ready_i = 1;
        for (unsigned i = 0; i < 60; i++)
          tick(1);
        settle(name);
        if (way == 3) { // the second of two loads is refused unless the first has ended
          expect(name + ": the first", key_status(7) & 1, 1);
        } else {
          expect(name + ": the slot is empty", key_status(7) & 1, 0);
          expect(name + ": the engine was told", zeroised || (way == 2 && when < 4), 1);
          expect(name + ": nothing came after it", loaded_after, 0);
        }
        expect(name + ": no key in the registers", top.load_word_o, 0);
        expect(name + ": no job uses it", run(0, job(KeyedCopy, 7)),
               way == 3 ? OW_DEVICE_OK : OW_DEVICE_KEY_DENIED);
        write(OW_GLOBAL_KEY_SLOT_OFFSET, 7);
        command(Zeroise);
        settle(name);
      }
    }
  }

  void commands_one_after_another() {
    load(1, 1), load(2, 1), load(3, 1), load(4, 1);
    for (unsigned slot = 1; slot < 4; slot++)
      write(OW_GLOBAL_KEY_SLOT_OFFSET, slot), command(Zeroise);
    settle("three zeroises");
    for (unsigned slot = 1; slot < 5; slot++)
      expect("of three zeroises", key_status(slot) & 1, slot == 4);
    command(Zeroise), command(ZeroiseAll), command(Zeroise);
    settle("zeroise, all, zeroise");
    expect("all", key_status(4) & 1, 0);
    configure(4, 1);
    command(ZeroiseAll), command(Load);
    settle("all, load");
    expect("a load behind it is refused", key_status(4) & 9, OW_GLOBAL_KEY_STATUS_REFUSED_MASK);
    expect("and its key forgotten", top.load_word_o, 0);

    top.tamper_i = 1;
    cycles(3);
    configure(4, 1);
    command(Load);
    cycles(3);
    expect("a load while tampered", key_status(4) & 9, OW_GLOBAL_KEY_STATUS_REFUSED_MASK);
    command(ZeroiseAll);
    cycles(300);
    expect("still zeroising", busy(), 1);
    top.tamper_i = 0;
    settle("tamper gone");
    load(4, 1);
    expect("loaded after it", run(0, job(KeyedCopy, 4)), OW_DEVICE_OK);
  }

  void refusals() {
    configure(8, 1, 0, true, true);
    command(Load);
    settle("a locked load");
    uint32_t before = generation(8);
    configure(8, 3);
    command(Load);
    settle("over a lock");
    expect("refused", key_status(8) & 15,
           1 | OW_GLOBAL_KEY_STATUS_LOCKED_MASK | OW_GLOBAL_KEY_STATUS_REFUSED_MASK);
    expect("its key is forgotten", top.load_word_o, 0);
    expect("the same key", generation(8), before);
    expect("of the same queue", run(1, job(KeyedCopy, 8)), OW_DEVICE_KEY_DENIED);
    configure(40, 1);
    command(Load);
    expect("no such slot", key_status(40) & 15, OW_GLOBAL_KEY_STATUS_REFUSED_MASK);
    expect("its key is forgotten", top.load_word_o, 0);
    top.key_refused_i = 1;
    configure(9, 1);
    command(Load);
    settle("refused by the engine");
    top.key_refused_i = 0;
    expect("refused by the engine", key_status(9) & 15, OW_GLOBAL_KEY_STATUS_REFUSED_MASK);
    write(OW_GLOBAL_KEY_SLOT_OFFSET, 8);
    command(Zeroise);
    settle("a locked key goes");
    expect("a locked key goes", key_status(8) & 3, 0);
  }

  // A length that no AES key has is refused; of other kinds the engine decides.
  void lengths() {
    for (unsigned kind = 0; kind < 256; kind++) {
      for (unsigned length = 0; length < 4; length++) {
        write(OW_GLOBAL_KEY_SLOT_OFFSET, 11);
        write(OW_GLOBAL_KEY_CONFIG_OFFSET, length | 1u << OW_GLOBAL_KEY_CONFIG_QUEUES_SHIFT |
                                               kind << OW_GLOBAL_KEY_CONFIG_KIND_SHIFT);
        command(Load);
        settle("a load of any kind and length");
        uint32_t refused = OW_GLOBAL_KEY_STATUS_REFUSED_MASK,
                 valid = OW_GLOBAL_KEY_STATUS_VALID_MASK;
        expect("kind " + std::to_string(kind) + ", length " + std::to_string(length),
               key_status(11) & (refused | valid), length == 3 && kind == 0 ? refused : valid);
        command(Zeroise);
        settle("a zeroise of any kind");
      }
    }
  }

  // A queue that writes its doorbell in every second cycle, as fast as AXI4-Lite takes it,
  // announcing nothing, does not keep another one in its reset.
  void resets_end() {
    for (uint32_t offset : {OW_QUEUE_DOORBELL_OFFSET, OW_QUEUE_IRQ_COUNT_OFFSET}) {
      uint32_t value = offset == OW_QUEUE_DOORBELL_OFFSET ? read(page(1) + offset) : 1;
      write(page(2) + OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_RESET_MASK);
      for (unsigned i = 0; i < 100; i++) {
        cycle();
        write(page(1) + offset, value);
      }
      expect("in reset", read(page(2) + OW_QUEUE_CONTROL_OFFSET) & OW_QUEUE_CONTROL_RESET_MASK, 0);
      write(page(2) + OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_ENABLE_MASK);
    }
  }

  // What a slot holds that is not this queue's: nothing of it shows.
  void probing() {
    load(10, 1, 0), load(11, 1, 2), load(12, 1, 0, false), load(13, 2, 0), load(14, 2, 2),
        load(15, 2, 0, false);
    unsigned long long first = 0;
    for (unsigned slot : {10u, 11u, 12u, 9u, 31u, 32u, 200u}) {
      std::string name = "queue 1 with slot " + std::to_string(slot);
      expect(name, run(1, job(KeyedCopy, slot)), OW_DEVICE_KEY_DENIED);
      if (first == 0)
        first = record.cycles;
      expect(name + ": cycles", record.cycles, first);
      Job named = job(KeyedCopy, slot);
      named.descriptor.control |= OW_DESCRIPTOR_CONTROL_GENERATION_MASK;
      expect(name + " and a generation", run(1, named), OW_DEVICE_KEY_DENIED);
    }
    expect("its own", run(1, job(KeyedCopy, 13)), OW_DEVICE_OK);
    expect("its own, of a wrong length", run(1, job(KeyedCopy, 14)), OW_DEVICE_BAD_KEY);
    expect("its own, not for this", run(1, job(KeyedCopy, 15)), OW_DEVICE_KEY_DENIED);
  }

  void generations() {
    auto named = [&](uint64_t number, uint32_t flags = 0) {
      Job made = job(KeyedCopy, 10);
      made.descriptor.control |= OW_DESCRIPTOR_CONTROL_GENERATION_MASK | flags;
      made.descriptor.context |= number << OW_SLOT_CONTEXT_VALUE_GENERATION_SHIFT;
      return made;
    };
    uint64_t old = load(10, 1);
    expect("the right key", run(0, named(old)), OW_DEVICE_OK);
    expect("with a state", run(0, named(old, OW_DESCRIPTOR_CONTROL_SAVE_STATE_MASK)), OW_DEVICE_OK);
    uint64_t now = load(10, 1);
    expect("another number", old != now, 1);
    expect("the key before", run(0, named(old)), OW_DEVICE_KEY_GONE);
    expect("no key at all", run(0, named(0)), OW_DEVICE_KEY_GONE);
    expect("the key", run(0, named(now)), OW_DEVICE_OK);
    load(10, 1, 2);
    expect("the key before, of another length", run(0, named(now)), OW_DEVICE_KEY_GONE);
    load(10, 2);
    expect("the key before, now another queue's", run(0, named(now)), OW_DEVICE_KEY_DENIED);
    load(10, 1);
    now = generation(10);
    expect("with an inline key", run(0, named(now, OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK)),
           OW_DEVICE_BAD_FLAGS);
    Job keyless = named(now);
    keyless.descriptor.control = (keyless.descriptor.control & ~0xffu) | Copy;
    expect("without a key", run(0, keyless), OW_DEVICE_BAD_FLAGS);
    // 65,535 keys later the number comes again; 0 never does.
    write(OW_GLOBAL_KEY_SLOT_OFFSET, 10);
    for (unsigned i = 0; i < 65535; i++) {
      command(Zeroise);
      uint32_t number = read(OW_GLOBAL_KEY_GENERATION_OFFSET);
      if (number == 0 || (number == now) != (i == 65534))
        fail("generation " + std::to_string(number) + " after " + std::to_string(i));
    }
    settle("the last of many");
  }
};

int main() {
  Keys bench(1);
  bench.lengths();
  bench.resets_end();
  bench.tamper_ends_inline_keys();
  bench.erased_before_a_load();
  bench.probing();
  bench.generations();
  bench.refusals();
  bench.commands_one_after_another();
  bench.overtaken_loads();
  bench.others_keep_their_keys();
  bench.zeroise_whatever_runs();
  std::printf("PASS %u checks\n", bench.checks);
}
