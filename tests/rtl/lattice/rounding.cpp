// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// lattice_round against the definitions of FIPS 204, 7.4: HighBits, UseHint and MakeHint around
// every multiple of gamma2 and at random, and the norms at their bounds.
#include "Vlattice_round.h"
#include <array>
#include <cstdint>
#include <cstdio>
#include <random>

static constexpr int32_t Q = 8380417, Beta[] = {78, 196, 120};
enum Form { FormHigh = 4, FormUse = 5, FormCheckZ = 6, FormHint = 7 }; // lattice_pkg.sv
using Word = std::array<int32_t, 8>;

static Vlattice_round top;
static unsigned checked, wrong;

struct Parts {
  int32_t high, low;
};

static Parts decompose(int32_t r, int32_t gamma2) { // algorithm 36
  int32_t low = r % (2 * gamma2);
  if (low > gamma2)
    low -= 2 * gamma2;
  return r - low == Q - 1 ? Parts{0, low - 1} : Parts{(r - low) / (2 * gamma2), low};
}

static int32_t use_hint(int32_t r, bool hint, int32_t gamma2) { // algorithm 40
  const int32_t m = (Q - 1) / (2 * gamma2);
  const Parts parts = decompose(r, gamma2);
  return !hint ? parts.high : (parts.high + (parts.low > 0 ? 1 : m - 1)) % m;
}

static int32_t modulo_q(int64_t a) {
  return int32_t(((a % Q) + Q) % Q);
}

static bool exceeds(int32_t a, int32_t bound) {
  return a >= bound && Q - a >= bound;
}

template <typename Port> static void put(Port &port, const Word &word) {
  for (unsigned bit = 0; bit < 184; bit++) {
    const uint32_t one = uint32_t(1) << bit % 32;
    const bool is_set = word[bit / 23] >> bit % 23 & 1;
    port[bit / 32] = is_set ? port[bit / 32] | one : port[bit / 32] & ~one;
  }
}

static int32_t coefficient_out(unsigned i) {
  int32_t value = 0;
  for (unsigned bit = 0; bit < 23; bit++)
    value |= int32_t(top.word_o[(23 * i + bit) / 32] >> (23 * i + bit) % 32 & 1) << bit;
  return value;
}

static void step() {
  top.clk_i = 0;
  top.eval();
  top.clk_i = 1;
  top.eval();
}

static void enter(Form form, const Word &word, const Word &other) {
  top.clear_i = 1;
  step();
  top.clear_i = 0;
  top.form_i = form;
  put(top.word_i, word);
  put(top.other_i, other);
  top.valid_i = 1;
  top.eval();
}

static void expect(const char *what, int32_t r, int32_t z, int32_t got, int32_t right) {
  checked++;
  if (got != right && wrong++ < 10)
    std::printf("%s, set %u, of %d and %d: %d, but it is %d\n", what, unsigned(top.set_i), r, z,
                got, right);
}

/* Eight numbers r modulo q, eight numbers z between -gamma2 and gamma2. */
static void check(const Word &r, const Word &z, int32_t gamma2, uint8_t hints) {
  const int32_t gamma1 = gamma2 == 95232 ? 1 << 17 : 1 << 19, beta = Beta[top.set_i];
  Word other;
  for (unsigned i = 0; i < 8; i++)
    other[i] = modulo_q(z[i]);
  top.hint_i = hints;
  for (const Form form : {FormHigh, FormUse}) {
    enter(form, r, other);
    step();
    step();
    step();
    for (unsigned i = 0; i < 8; i++)
      expect(form == FormHigh ? "HighBits" : "UseHint", r[i], hints >> i & 1, coefficient_out(i),
             use_hint(r[i], form == FormUse && hints >> i & 1, gamma2));
  }
  enter(FormHint, r, other);
  step();
  step();
  bool rejects = false;
  for (unsigned i = 0; i < 8; i++) {
    const Parts parts = decompose(r[i], gamma2);
    expect("MakeHint", r[i], z[i], top.hint_o >> i & 1,
           parts.high != decompose(modulo_q(int64_t(r[i]) + z[i]), gamma2).high);
    rejects = rejects || exceeds(modulo_q(parts.low), gamma2 - beta) || exceeds(other[i], gamma2);
  }
  step();
  step();
  step();
  expect("norms of a round", r[0], z[0], top.reject_o, rejects);
  enter(FormCheckZ, r, other);
  rejects = false;
  for (const int32_t a : r)
    rejects = rejects || exceeds(a, gamma1 - beta);
  step();
  step();
  step();
  step();
  expect("norm of z", r[0], 0, top.reject_o, rejects);
}

int main() {
  std::mt19937 random(1);
  for (unsigned set = 0; set < 3; set++) {
    const int32_t gamma2 = set == 0 ? 95232 : 261888, gamma1 = set == 0 ? 1 << 17 : 1 << 19;
    top.set_i = uint8_t(set);
    // Next to where the high part changes, or anything.
    auto some_z = [&](int32_t r) {
      const uint32_t choice = random();
      const int32_t edge = choice & 8 ? gamma2 : -gamma2;
      const int32_t z = edge + int32_t(choice % 4) - 2 - decompose(r, gamma2).low;
      if (choice & 16 && z > -gamma2 && z < gamma2)
        return z;
      return int32_t(random() % uint32_t(2 * gamma2 - 1)) - gamma2 + 1;
    };
    for (int32_t k = 0; k <= Q / gamma2 + 1; k++) {
      for (int32_t from = -136; from < 136; from += 8) {
        Word r, z;
        for (unsigned i = 0; i < 8; i++) {
          r[i] = modulo_q(int64_t(k) * gamma2 + from + int32_t(i));
          z[i] = some_z(r[i]);
        }
        check(r, z, gamma2, uint8_t(random()));
      }
    }
    // One coefficient next to a bound, the others small: what was found shows which side it is on.
    for (int32_t bound : {gamma1 - Beta[set], gamma2 - Beta[set]}) {
      for (int32_t off = -3; off <= 3; off++) {
        for (unsigned at = 0; at < 16; at++) {
          Word r = {}, z = {};
          r[at % 8] = modulo_q(at < 8 ? bound + off : -bound + off);
          check(r, z, gamma2, 0);
        }
      }
    }
    for (unsigned n = 0; n < 20000; n++) {
      Word r, z;
      for (unsigned i = 0; i < 8; i++) {
        r[i] = int32_t(random() % uint32_t(Q));
        z[i] = some_z(r[i]);
      }
      check(r, z, gamma2, uint8_t(random()));
    }
  }
  std::printf("%u results, %u wrong\n", checked, wrong);
  return wrong != 0;
}
