// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Plays jobs on the verilated core of the public-key engine and checks status, result and cycles.
//
//   bench LIST [LIST]
//
// Each thread of the core plays its list, one job after the other, with a wipe of its part of
// memory after each, while the other thread goes on. Each line is
//   whole entry p0 .. p7 payload status result cycles [flip-cycle copy address bit]
// with whole 1 for a job that needs all of operand memory (in a list alone), payload and result in
// hexadecimal ("-" for none), cycles -1 for any, and optionally a bit of operand memory to flip in
// a cycle of the job: copy 0, 1, 2 for one copy, 3 for all. With a flip a result other than zeros
// that differs is the only failure.
//
// Prints "job NUMBER STATUS CYCLES THREAD" for each, "busy N" (cycles in which the multiplier had a
// product) and "seconds N"; exits 1 at the first difference.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "Vpka_core.h"
#include "Vpka_core___024root.h"
#include "verilated.h"

constexpr int kThreads = 2, kPart = 512;

struct Job {
  unsigned whole = 0, entry = 0, parameter[8] = {}, status = 0;
  std::vector<uint8_t> payload, expected;
  long cycles = -1, flip_cycle = -1;
  int copy = 0, address = 0, bit = 0;
  bool flipped = false;
};

struct Thread {
  std::ifstream list;
  Job job;
  bool has_job = false, runs = false;
  int wipes = 0;
  long number = -1, cycle = 0;
  size_t given = 0;
  std::vector<uint8_t> result;
};

static Vpka_core *top;
static Thread threads[kThreads];
static long busy;

static std::vector<uint8_t> bytes_of(const std::string &hex) {
  std::vector<uint8_t> bytes;
  if (hex != "-")
    for (size_t i = 0; i < hex.size(); i += 2)
      bytes.push_back(std::stoul(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

#ifdef OUTWORK_GATES
static void flip(int, int, int) {
  std::printf("FAIL: a netlist has no names of memories\n");
  std::exit(1);
}
static bool multiplies() {
  return false;
}
#else
static void flip(int copy, int address, int bit) {
  auto *root = top->rootp;
  auto at = [&](auto &memory) { memory[address % kPart][bit / 32] ^= 1u << (bit % 32); };
  auto in = [&](auto &a, auto &b, auto &c) {
    if (copy == 0 || copy == 3)
      at(a);
    if (copy == 1 || copy == 3)
      at(b);
    if (copy == 2 || copy == 3)
      at(c);
  };
  if (address < kPart)
    in(root->pka_core__DOT__gen_part__BRA__0__KET____DOT__u_memory__DOT__u_a__DOT__memory_q,
       root->pka_core__DOT__gen_part__BRA__0__KET____DOT__u_memory__DOT__u_b__DOT__memory_q,
       root->pka_core__DOT__gen_part__BRA__0__KET____DOT__u_memory__DOT__u_c__DOT__memory_q);
  else
    in(root->pka_core__DOT__gen_part__BRA__1__KET____DOT__u_memory__DOT__u_a__DOT__memory_q,
       root->pka_core__DOT__gen_part__BRA__1__KET____DOT__u_memory__DOT__u_b__DOT__memory_q,
       root->pka_core__DOT__gen_part__BRA__1__KET____DOT__u_memory__DOT__u_c__DOT__memory_q);
}
static bool multiplies() {
  return top->rootp->pka_core__DOT__read_ab;
}
#endif

static bool read_job(Thread &thread) {
  std::string line, payload, result;
  if (!std::getline(thread.list, line))
    return false;
  std::istringstream fields(line);
  Job job;
  fields >> job.whole >> job.entry;
  for (unsigned &p : job.parameter)
    fields >> p;
  fields >> payload >> job.status >> result >> job.cycles;
  fields >> job.flip_cycle >> job.copy >> job.address >> job.bit;
  job.flipped = !fields.fail();
  job.payload = bytes_of(payload);
  job.expected = bytes_of(result);
  thread.job = job;
  thread.number++;
  return true;
}

static void check(const Thread &thread, int index) {
  const Job &job = thread.job;
  const unsigned status = top->status_o >> (8 * index) & 0xff;
  std::printf("job %ld %u %ld %d\n", thread.number, status, thread.cycle, index);
  const char *why = nullptr;
  const bool blank = thread.result == std::vector<uint8_t>(thread.result.size(), 0);
  if (job.flipped) {
    if (thread.result != job.expected && !(blank && status))
      why = "a wrong result left";
  } else {
    if (thread.given != job.payload.size())
      why = "payload left";
    if (status != job.status)
      why = "status";
    else if (thread.result != job.expected)
      why = "result";
    else if (job.cycles >= 0 && thread.cycle != job.cycles)
      why = "cycles";
  }
  if (!why)
    return;
  std::printf("FAIL job %ld of thread %d: %s: status %u, %ld cycles, expected %u, %ld\n",
              thread.number, index, why, status, thread.cycle, job.status, job.cycles);
  for (uint8_t b : thread.result)
    std::printf("%02x", b);
  std::printf("\n");
  std::exit(1);
}

/* Starts what can start: a job in a cycle. */
static void begin_jobs() {
  top->start_i = 0;
  for (int t = 0; t < kThreads; t++) {
    Thread &thread = threads[t];
    if (thread.runs || thread.wipes || top->start_i || (!thread.has_job && !read_job(thread)))
      continue;
    thread.has_job = true;
    top->whole_i = thread.job.whole;
    top->start_i = 1u << t;
    top->entry_i = thread.job.entry;
    for (int i = 0; i < 4; i++)
      top->parameter_i[4 * t + i] = thread.job.parameter[2 * i] | thread.job.parameter[2 * i + 1]
                                                                      << 16;
    thread.given = 0;
    thread.result.clear();
    thread.cycle = -1;
  }
}

static void cycle() {
  begin_jobs();
  top->clear_i = 0;
  for (int t = 0; t < kThreads; t++) {
    Thread &thread = threads[t];
    top->clear_i |= unsigned(thread.wipes > 0) << t;
    if (thread.runs && thread.job.flipped && thread.cycle == thread.job.flip_cycle)
      flip(thread.job.copy, thread.job.address, thread.job.bit);
  }
  Thread &fed = threads[top->byte_thread_o];
  const bool has_byte = fed.has_job && fed.given < fed.job.payload.size();
  top->clk_i = 0;
  top->byte_valid_i = has_byte;
  top->byte_i = has_byte ? fed.job.payload[fed.given] : 0;
  top->byte_take_i = 1;
  top->eval();
  if (top->byte_take_o && has_byte)
    fed.given++;
  if (top->byte_valid_o)
    fed.result.push_back(top->byte_o);
  busy += multiplies();
  const unsigned started = top->start_i, ended = top->end_o;
  top->clk_i = 1;
  top->eval();
  for (int t = 0; t < kThreads; t++) {
    Thread &thread = threads[t];
    if (thread.runs && (ended >> t & 1 || thread.cycle > 20000000)) {
      check(thread, t);
      thread.runs = thread.has_job = false;
      thread.wipes = kPart;
      if (thread.job.whole)
        threads[1].wipes = kPart + 1; // one is counted in this cycle
    } else if (thread.wipes) {
      thread.wipes--;
    }
    if (started >> t & 1)
      thread.runs = true;
    thread.cycle++;
  }
}

static bool quiet() {
  for (Thread &thread : threads)
    if (thread.runs || thread.has_job || thread.wipes ||
        (thread.list.is_open() && thread.list.peek() != EOF))
      return false;
  return true;
}

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
  top = new Vpka_core;
  top->rst_ni = 0;
  top->may_out_i = 3;
  for (int i = 0; i < 4; i++)
    cycle();
  top->rst_ni = 1;
  for (int t = 0; t < kThreads; t++) {
    threads[t].wipes = kPart;
    if (t + 1 < argc)
      threads[t].list.open(argv[t + 1]);
  }
  const clock_t begin = clock();
  while (!quiet())
    cycle();
  std::printf("busy %ld\nseconds %.3f\n", busy, double(clock() - begin) / CLOCKS_PER_SEC);
  return 0;
}
