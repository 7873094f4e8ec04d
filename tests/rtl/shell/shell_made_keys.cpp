// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Keys that jobs make: only for a slot that is reserved for the job's queue, once, and against
// zeroise, tamper, loads, reservations and withdrawals in every cycle.
#include "key_bench.h"

struct MadeKeys : KeyBench {
  using KeyBench::KeyBench;
  static constexpr uint32_t Reserve = OW_GLOBAL_KEY_COMMAND_RESERVE_MASK,
                            Valid = OW_GLOBAL_KEY_STATUS_VALID_MASK,
                            Refused = OW_GLOBAL_KEY_STATUS_REFUSED_MASK,
                            Reserved = OW_GLOBAL_KEY_STATUS_RESERVED_MASK;
  static constexpr uint32_t Secret = 0x5ec7e700;
  enum Answer { None, Taken, Denied };

  uint32_t reserve(unsigned slot, unsigned queues, bool lock = false) {
    configure(slot, queues, 0, true, lock);
    command(Reserve);
    settle("a reservation");
    expect("reserved", key_status(slot) & (Valid | Refused | Reserved), Reserved);
    return generation(slot);
  }

  // What the engine was told of slot 5 last: 'l' load, 'm' load of a made key, 'z' zeroise.
  char told = 0;
  void watch() {
    if (!top.key_ready_i)
      return;
    if (top.zeroise_o && (top.zeroise_all_o || top.key_slot_o == 5))
      told = 'z';
    else if (top.load_o && top.key_slot_o == 5)
      told = top.load_made_o ? 'm' : 'l';
    if (top.load_o && top.load_made_o)
      expect("a made key comes as it was offered", top.load_word_o, top.made_word_i);
  }
  // A cycle, or a register write, beside an offer, which ends with its answer.
  Answer answer = None;
  void tick() {
    watch();
    listen();
    cycle();
    top.made_valid_i = top.made_valid_i && answer == None;
  }
  void put(uint32_t address, uint32_t value) {
    watch();
    listen();
    write(address, value);
    top.made_valid_i = top.made_valid_i && answer == None;
  }
  void listen() {
    if (top.made_valid_i && top.made_ready_o)
      answer = top.made_refused_o ? Denied : Taken;
  }
  void begin(unsigned q, unsigned slot, uint32_t named, uint32_t word = Secret) {
    answer = None;
    top.made_valid_i = 1;
    top.made_stream_i = stream_of(q);
    top.made_slot_i = slot, top.made_generation_i = named, top.made_word_i = word;
  }
  Answer offer(unsigned q, unsigned slot, uint32_t named, uint32_t word = Secret) {
    begin(q, slot, named, word);
    for (unsigned i = 0; i < Bound && answer == None; i++)
      tick();
    expect("an offer is answered", answer != None, 1);
    return answer;
  }
  // Jobs of queues 0 and 1 that stay at work, in whose names keys are made.
  void hold_jobs() {
    pause = 64;
    start(0, job(Copy, 0)), start(1, job(Copy, 0));
    cycles(300);
  }
  void end_jobs() {
    pause = 0;
    expect("the job goes on", wait(0), OW_DEVICE_OK);
    expect("the job goes on", wait(1), OW_DEVICE_OK);
  }
  unsigned stream_of(unsigned q) {
    unsigned streams = top.owners_o >> (16 * q) & 0xffff, stream = 0;
    expect("the queue has a job", streams != 0, 1);
    while (!(streams >> stream & 1))
      stream++;
    return stream;
  }

  void one_key() {
    hold_jobs();
    uint32_t named = reserve(5, 1);
    expect("a reservation is another key", named != 0, 1);
    uint32_t status = key_status(5);
    expect("tells of the key", status >> 16, 1);
    expect("may encrypt", status & OW_GLOBAL_KEY_STATUS_ENCRYPT_MASK,
           OW_GLOBAL_KEY_STATUS_ENCRYPT_MASK);
    expect("taken", offer(0, 5, named), Taken);
    expect("a key", key_status(5) & (Valid | Reserved), Valid);
    expect("under the reservation's generation", generation(5), named);
    expect("told the engine", told, 'm');
    expect("once", offer(0, 5, named), Denied);
    end_jobs();
    expect("its queue uses it", run(0, job(KeyedCopy, 5)), OW_DEVICE_OK);
    expect("another does not", run(1, job(KeyedCopy, 5)), OW_DEVICE_KEY_DENIED);
  }

  void denied() {
    uint32_t mine = reserve(5, 1), other = reserve(6, 2), loaded = load(7, 1);
    hold_jobs();
    expect("another queue's slot", offer(0, 6, other), Denied);
    expect("from another queue", offer(1, 5, mine), Denied);
    expect("under the number after", offer(0, 5, mine + 1), Denied);
    expect("under no number", offer(0, 5, 0), Denied);
    expect("a loaded slot", offer(0, 7, loaded), Denied);
    expect("an empty slot", offer(0, 8, generation(8)), Denied);
    for (unsigned slot : {32u, 5u + 32, 5u + 128, 255u})
      expect("no such slot", offer(0, slot, mine), Denied);
    top.key_refused_i = 1;
    expect("the engine refuses", offer(0, 5, mine), Denied);
    top.key_refused_i = 0;
    for (unsigned slot : {5u, 6u})
      expect("still reserved", key_status(slot) & (Valid | Reserved), Reserved);
    expect("the loaded key is there", generation(7), loaded);
    end_jobs();
    for (unsigned slot : {5u, 8u})
      expect("no key to use", run(0, job(KeyedCopy, slot)), OW_DEVICE_KEY_DENIED);
    hold_jobs();
    expect("after all that, a key", offer(0, 5, mine), Taken);
    write(OW_GLOBAL_KEY_SLOT_OFFSET, 5);
    command(Zeroise);
    settle("a made key is zeroised");
    expect("zeroised", key_status(5) & (Valid | Reserved), 0);
    expect("and no more to be made", offer(0, 5, mine), Denied);
    end_jobs();
  }

  void reservations_refused() {
    auto refused = [&](const char *what, uint32_t config, unsigned slot = 9) {
      write(OW_GLOBAL_KEY_SLOT_OFFSET, slot);
      write(OW_GLOBAL_KEY_CONFIG_OFFSET, config | 1u << OW_GLOBAL_KEY_CONFIG_QUEUES_SHIFT);
      command(Reserve);
      settle(what);
      expect(what, key_status(slot) & Refused, Refused);
    };
    auto kind = [](uint32_t bytes) {
      return 0x34u << OW_GLOBAL_KEY_CONFIG_KIND_SHIFT | bytes << OW_GLOBAL_KEY_CONFIG_BYTES_SHIFT;
    };
    refused("two keys", OW_GLOBAL_KEY_CONFIG_TWO_KEYS_MASK);
    refused("no such length", 3);
    refused("few bytes", kind(15));
    refused("no bytes", kind(0));
    refused("more bytes than a secret has", kind(33));
    refused("no such slot", 0, 32);
    for (uint32_t bytes : {16u, 32u}) {
      write(OW_GLOBAL_KEY_SLOT_OFFSET, 9);
      write(OW_GLOBAL_KEY_CONFIG_OFFSET, kind(bytes) | 1u << OW_GLOBAL_KEY_CONFIG_QUEUES_SHIFT);
      command(Reserve);
      settle("of another kind");
      expect("of another kind", key_status(9) & (Refused | Reserved), Reserved);
      hold_jobs();
      uint32_t kind_seen = 0;
      begin(0, 9, generation(9));
      while (answer == None) {
        if (top.load_o)
          kind_seen = top.load_kind_o;
        tick();
      }
      expect("as reserved", kind_seen, 0x34u << 9 | bytes);
      end_jobs();
    }
    reserve(10, 1, true);
    refused("a locked reservation", 0, 10);
    configure(10, 1);
    command(Load);
    settle("a load over a locked reservation");
    expect("a load over a locked reservation", key_status(10) & (Refused | Reserved),
           Refused | Reserved);
    write(OW_GLOBAL_KEY_SLOT_OFFSET, 10);
    command(Zeroise);
    settle("a locked reservation is zeroised");
    expect("a locked reservation is zeroised", key_status(10) & (Valid | Reserved), 0);
  }

  // The owner's own load, its words and command in any cycle of the other slot's key, and the other
  // way round.
  void beside_a_load() {
    for (unsigned when = 0; when < 48; when++) {
      bool first = when % 2; // the load is
      uint32_t named = reserve(5, 1);
      hold_jobs();
      write(OW_GLOBAL_KEY_SLOT_OFFSET, 6);
      uint32_t loaded = 0;
      auto spend = [&](unsigned count) {
        while (count--) {
          if (top.load_o && !top.load_made_o && top.key_ready_i)
            loaded = top.load_word_o;
          tick();
        }
      };
      top.key_ready_i = 0;
      if (!first)
        begin(0, 5, named);
      spend(when % 8);
      put(OW_GLOBAL_KEY_CONFIG_OFFSET, 1u << OW_GLOBAL_KEY_CONFIG_QUEUES_SHIFT);
      spend(when / 8);
      put(OW_GLOBAL_KEY_DATA_OFFSET, 0xda7a0000 + when);
      spend(when % 3);
      put(OW_GLOBAL_KEY_COMMAND_OFFSET, Load);
      spend(when % 5);
      if (first)
        begin(0, 5, named);
      spend(when % 7);
      top.key_ready_i = 1;
      spend(60);
      expect("the made key", answer, Taken);
      expect("the loaded key's words", loaded, 0xda7a0000 + when);
      expect("both", key_status(5) & key_status(6) & Valid, Valid);
      end_jobs();
    }
  }

  // A command for the slot in each cycle of a made key that the engine takes its time for.
  void overtaken() {
    unsigned answers[3] = {};
    for (unsigned way = 0; way < 5; way++) {
      for (unsigned when = 0; when < 28; when++) {
        std::string name = "way " + std::to_string(way) + ", cycle " + std::to_string(when);
        uint32_t named = reserve(5, 1);
        hold_jobs();
        configure(5, 1);
        told = 0;
        top.key_ready_i = 0;
        begin(0, 5, named);
        for (unsigned i = 0; i < when; i++) {
          top.key_ready_i = i >= 16;
          tick();
        }
        if (way == 2)
          top.tamper_i = 1, tick(), top.tamper_i = 0;
        else
          put(OW_GLOBAL_KEY_COMMAND_OFFSET, way == 0   ? Zeroise
                                            : way == 1 ? ZeroiseAll
                                            : way == 3 ? Load
                                                       : Reserve);
        top.key_ready_i = when % 2;
        tick();
        top.key_ready_i = 1;
        for (unsigned i = 0; i < 60; i++)
          tick();
        settle(name);
        uint32_t want = way < 3 ? 0 : way == 3 ? Valid : Reserved;
        expect(name + ": the command wins", key_status(5) & (Valid | Refused | Reserved), want);
        expect(name + ": another generation", generation(5) != named, 1);
        expect(name + ": the engine was told last", told, way == 3 ? 'l' : 'z');
        expect(name + ": an answer", answer != None, 1);
        answers[answer]++;
        end_jobs();
        expect(name + ": a job", run(0, job(KeyedCopy, 5)),
               way == 3 ? OW_DEVICE_OK : OW_DEVICE_KEY_DENIED);
      }
    }
    expect("some keys came first", answers[Taken] != 0, 1);
    expect("some came too late", answers[Denied] != 0, 1);
  }

  // An offer is withdrawn in each cycle, and another one follows: it does not get the first one's
  // answer.
  void withdrawn() {
    unsigned made = 0;
    for (unsigned when = 1; when < 20; when++) {
      for (unsigned gap = 1; gap < 12; gap++) {
        uint32_t named = reserve(5, 1);
        hold_jobs();
        top.key_ready_i = when > 9;
        begin(0, 5, named);
        for (unsigned i = 0; i < when && answer == None; i++)
          tick();
        bool answered = answer != None;
        top.made_valid_i = 0;
        for (unsigned i = 0; i < gap; i++)
          tick();
        top.key_ready_i = 1;
        expect("the next offer's own answer", offer(0, 7, 0), Denied);
        bool valid = key_status(5) & Valid;
        expect("a withdrawn key is there or not",
               (key_status(5) & (Valid | Reserved)) == (valid ? Valid : Reserved), 1);
        expect("an answer says so", !answered || valid, 1);
        expect("and then the engine has it", !valid || told == 'm', 1);
        made += valid && !answered;
        end_jobs();
      }
    }
    expect("some were taken without an answer", made != 0, 1);
  }

  // A zeroise of all keys while a job offers its key and another is killed.
  void with_killed_jobs() {
    loads_beside_jobs = true;
    for (unsigned when = 0; when < 40; when++) {
      uint32_t named = reserve(5, 1);
      load(6, 2);
      pause = 64;
      start(0, job(Copy, 0)), start(1, job(KeyedCopy, 6));
      cycles(300);
      begin(0, 5, named);
      for (unsigned i = 0; i < when; i++)
        tick();
      put(OW_GLOBAL_KEY_COMMAND_OFFSET, ZeroiseAll);
      for (unsigned i = 0; i < 80; i++)
        tick();
      settle("all");
      expect("nothing is left", key_status(5) & (Valid | Reserved), 0);
      expect("the offer was answered", answer != None, 1);
      pause = 0;
      expect("a job without a key", wait(0), OW_DEVICE_OK);
      expect("a job with one", wait(1), OW_DEVICE_KEY_GONE);
    }
  }
};

int main() {
  MadeKeys bench(1);
  bench.one_key();
  bench.denied();
  bench.reservations_refused();
  bench.beside_a_load();
  bench.overtaken();
  bench.withdrawn();
  bench.with_killed_jobs();
  std::printf("PASS %u checks\n", bench.checks);
}
