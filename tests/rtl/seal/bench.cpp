// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Sends states to ow_seal_core to seal and open, and prints the results.
//
//   bench LIST SEED PERCENT
//
// PERCENT of the cycles have a word, and take a result. Each line of LIST: open (0 or 1), the cycle
// after which the work is given up (-1: never), key, nonce, bound, number of words that come in,
// the words; hexadecimal digits in memory order. Prints a line each: "stopped", or cycles, good,
// tag, results.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "Vow_seal_core.h"
#include "verilated.h"

static void put(void *to, const std::string &text) {
  for (size_t i = 0; 2 * i + 1 < text.size(); i++)
    static_cast<uint8_t *>(to)[i] = std::stoul(text.substr(2 * i, 2), nullptr, 16);
}

static std::string get(const void *from) {
  static const char *digits = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < 16; i++) {
    uint8_t byte = static_cast<const uint8_t *>(from)[i];
    text += {digits[byte >> 4], digits[byte & 15]};
  }
  return text;
}

int main(int argc, char **argv) {
  std::ifstream list(argv[1]);
  std::mt19937 random(std::stoul(argv[2]));
  const unsigned percent = std::stoul(argv[3]);
  auto top = std::make_unique<Vow_seal_core>();
  auto step = [&] {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
  };
  top->rst_ni = 0;
  step();
  top->rst_ni = 1;
  for (std::string text; std::getline(list, text);) {
    std::istringstream line(text);
    std::string key, nonce, bound;
    int open, stop;
    size_t count;
    line >> open >> stop >> key >> nonce >> bound >> count;
    std::vector<std::string> words(count), results;
    for (auto &word : words)
      line >> word;
    top->open_i = open;
    top->words_i = count - (open ? 2 : 0);
    put(top->key_i.data(), key);
    put(top->nonce_i.data(), nonce);
    put(&top->bound_i, bound);
    top->start_i = 1;
    step();
    top->start_i = 0;
    size_t next = 0;
    int cycle = 1;
    for (; cycle < 10000; cycle++) {
      top->word_valid_i = next < count && random() % 100 < percent;
      top->result_ready_i = random() % 100 < percent;
      top->stop_i = cycle == stop;
      if (next < count)
        put(top->word_i.data(), words[next]);
      top->clk_i = 0;
      top->eval();
      if (top->stop_i || top->done_o)
        break;
      if (top->result_valid_o && top->result_ready_i)
        results.push_back(get(top->result_o.data()));
      next += top->word_take_o;
      step();
    }
    const bool stopped = top->stop_i, good = top->good_o;
    step();
    top->stop_i = 0;
    if (stopped) {
      std::cout << "stopped\n";
      continue;
    }
    std::cout << cycle << ' ' << good << ' ' << get(top->tag_o.data());
    for (const auto &result : results)
      std::cout << ' ' << result;
    std::cout << '\n';
  }
  return 0;
}
