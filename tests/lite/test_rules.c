/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The rules of spec/lite.rdl under accesses in any order: what is read, and the status after each
 * access, must be what a model says. No access takes longer than promised (rig.cpp).
 */
#include "check.h"
#include "outwork/lite_spec.h"
#include "reference.h"
#include "rig.h"

enum { BLOCKS_MAX = 3, SETTLE = 2 * RIG_CYCLES_MAX };

static struct {
  bool tamper, tampered, has_key, message, decrypt;
  uint8_t key_words[32], key[32], iv[16], chain[16], part[16], results[BLOCKS_MAX][16];
  size_t key_count, key_len, iv_count, part_count, blocks, read_count;
  unsigned mode, error, enable;
} model;

static void put_word(uint8_t *bytes, size_t index, uint32_t word) {
  for (size_t i = 0; i < 4; i++) {
    bytes[4 * index + i] = (uint8_t)(word >> 8 * i);
  }
}

static uint32_t word_at(const uint8_t *bytes, size_t index) {
  bytes += 4 * index;
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

static void end_message(void) {
  model.message = false;
  model.part_count = model.blocks = model.read_count = 0;
}

static void forget_all(void) {
  end_message();
  model.has_key = false;
  model.key_count = model.iv_count = 0;
}

static void fail(unsigned error) {
  end_message();
  if (model.error == OW_LITE_ERROR_NONE) {
    model.error = error;
  }
}

static void finish_block(void) {
  static const char *const modes[] = {"ECB", "CBC", "CTR"};
  uint8_t *result = model.results[model.blocks++];
  reference_crypt(modes[model.mode], result, model.key, model.key_len,
                  model.mode == OW_LITE_MODE_ECB ? NULL : model.chain, model.decrypt, model.part,
                  16);
  if (model.mode == OW_LITE_MODE_CBC) {
    memcpy(model.chain, model.decrypt ? model.part : result, 16);
  } else {
    for (size_t i = 16; i-- > 0 && ++model.chain[i] == 0;) {
    }
  }
  model.part_count = 0;
}

static unsigned start(uint32_t value) {
  unsigned mode = OW_FIELD(value, OW_LITE_COMMAND_MODE);
  if (!model.has_key) {
    return OW_LITE_ERROR_NO_KEY;
  }
  if (mode > OW_LITE_MODE_CTR) {
    return OW_LITE_ERROR_BAD_COMMAND;
  }
  if (mode != OW_LITE_MODE_ECB && model.iv_count != 4) {
    return OW_LITE_ERROR_BAD_IV;
  }
  model.message = true;
  model.mode = mode;
  model.decrypt = OW_FIELD(value, OW_LITE_COMMAND_DECRYPT) != 0;
  memcpy(model.chain, model.iv, 16);
  return OW_LITE_ERROR_NONE;
}

static unsigned load_key(void) {
  size_t count = model.key_count;
  model.key_count = 0;
  model.has_key = count == 4 || count == 6 || count == 8;
  if (!model.has_key) {
    return OW_LITE_ERROR_BAD_KEY;
  }
  memcpy(model.key, model.key_words, sizeof(model.key));
  model.key_len = 4 * count;
  return OW_LITE_ERROR_NONE;
}

static void write_command(uint32_t value) {
  end_message();
  switch (OW_FIELD(value, OW_LITE_COMMAND_COMMAND)) {
  case OW_LITE_COMMAND_START:
    model.error = start(value);
    break;
  case OW_LITE_COMMAND_LOAD_KEY:
    model.error = load_key();
    break;
  case OW_LITE_COMMAND_DROP:
    model.error = OW_LITE_ERROR_NONE;
    break;
  case OW_LITE_COMMAND_ZEROISE:
    forget_all();
    model.error = OW_LITE_ERROR_NONE;
    break;
  default:
    model.error = OW_LITE_ERROR_BAD_COMMAND;
  }
  model.iv_count = 0;
}

static void write_key_or_iv(uint32_t offset, uint32_t value) {
  bool is_key = offset == OW_LITE_KEY_OFFSET;
  size_t *count = is_key ? &model.key_count : &model.iv_count;
  bool in_use = model.blocks + model.part_count != 0;
  end_message();
  if (is_key) {
    model.has_key = false;
  }
  if (*count == (is_key ? 8 : 4)) {
    *count = 0;
    fail(is_key ? OW_LITE_ERROR_BAD_KEY : OW_LITE_ERROR_BAD_IV);
    return;
  }
  put_word(is_key ? model.key_words : model.iv, (*count)++, value);
  if (in_use) {
    fail(OW_LITE_ERROR_IN_USE);
  }
}

static void write_model(uint32_t offset, uint32_t value) {
  if (model.tamper) {
    fail(OW_LITE_ERROR_TAMPERED);
    return;
  }
  switch (offset) {
  case OW_LITE_IRQ_ENABLE_OFFSET:
    model.enable = value & 3;
    break;
  case OW_LITE_COMMAND_OFFSET:
    write_command(value);
    break;
  case OW_LITE_KEY_OFFSET:
  case OW_LITE_IV_OFFSET:
    write_key_or_iv(offset, value);
    break;
  case OW_LITE_DATA_IN_OFFSET:
    if (!model.message) {
      fail(OW_LITE_ERROR_NO_MESSAGE);
    } else if (model.blocks == BLOCKS_MAX) {
      fail(OW_LITE_ERROR_OVERRUN);
    } else {
      put_word(model.part, model.part_count++, value);
      if (model.part_count == 4) {
        finish_block();
      }
    }
    break;
  default:
    break;
  }
}

static uint32_t read_output(void) {
  if (model.blocks == 0) {
    fail(OW_LITE_ERROR_NO_OUTPUT);
    return 0;
  }
  uint32_t word = word_at(model.results[0], model.read_count++);
  if (model.read_count == 4) {
    memmove(model.results[0], model.results[1], sizeof(model.results) - 16);
    model.blocks--;
    model.read_count = 0;
  }
  return word;
}

static uint32_t read_model(uint32_t offset) {
  switch (offset) {
  case OW_LITE_ID_OFFSET:
    return OW_LITE_ID_RESET;
  case OW_LITE_VERSION_OFFSET:
    return OW_LITE_VERSION_RESET;
  case OW_LITE_IRQ_ENABLE_OFFSET:
    return model.enable;
  case OW_LITE_DATA_OUT_OFFSET:
    return read_output();
  default:
    return 0;
  }
}

/* Compares the status; what depends on time too if the device has had time. */
static void check_status(bool is_settled) {
  uint32_t status = rig_read(OW_LITE_STATUS_OFFSET);
  CHECK_EQUAL(OW_FIELD(status, OW_LITE_STATUS_ERROR), model.error);
  CHECK_EQUAL(OW_FIELD(status, OW_LITE_STATUS_KEY), model.has_key);
  CHECK_EQUAL(OW_FIELD(status, OW_LITE_STATUS_MESSAGE), model.message);
  CHECK_EQUAL(OW_FIELD(status, OW_LITE_STATUS_TAMPER), model.tampered);
  CHECK_EQUAL(OW_FIELD(status, OW_LITE_STATUS_BLOCKS), model.blocks);
  if (is_settled) {
    bool can_write = model.message && model.blocks < BLOCKS_MAX;
    CHECK_EQUAL(OW_FIELD(status, OW_LITE_STATUS_BUSY), model.tamper);
    CHECK_EQUAL(OW_FIELD(status, OW_LITE_STATUS_INPUT_READY), can_write);
    CHECK_EQUAL(OW_FIELD(status, OW_LITE_STATUS_OUTPUT_READY), model.blocks != 0);
    bool raised = ((model.enable & OW_LITE_IRQ_ENABLE_OUTPUT_READY_MASK) && model.blocks != 0) ||
                  ((model.enable & OW_LITE_IRQ_ENABLE_ERROR_MASK) && model.error != 0);
    CHECK_EQUAL(rig_interrupt(), raised);
  }
}

static void reset(void) {
  rig_reset();
  rig_step(2);
  forget_all();
  model.tampered = model.tamper;
  model.error = OW_LITE_ERROR_NONE;
  model.enable = 0;
}

static void change_tamper(bool high) {
  rig_tamper(high);
  rig_step(2);
  model.tamper = high;
  if (high) {
    model.tampered = true;
    forget_all();
  }
}

static void write_both(uint32_t offset, uint32_t value) {
  CHECK_EQUAL(rig_write(offset, value, 15), 0);
  write_model(offset, value);
}

/* Counts what the accesses have led to, so that a test that reaches nothing is noticed. */
static unsigned errors_seen[16], results_read;

/* Some accesses that make sense together, so that messages run. */
static void load_a_key(void) {
  unsigned words = random_below(4) != 0 ? 4 + 2 * random_below(3) : random_below(12);
  if (random_below(2) != 0) {
    write_both(OW_LITE_COMMAND_OFFSET, OW_LITE_COMMAND_ZEROISE);
  }
  for (unsigned i = 0; i < words; i++) {
    write_both(OW_LITE_KEY_OFFSET, random_number());
  }
  write_both(OW_LITE_COMMAND_OFFSET, OW_LITE_COMMAND_LOAD_KEY);
}

static void start_a_message(void) {
  unsigned mode = random_below(3), words = random_below(8) != 0 ? 4 : random_below(7);
  if (random_below(2) != 0) {
    write_both(OW_LITE_COMMAND_OFFSET, OW_LITE_COMMAND_DROP);
  }
  for (unsigned i = 0; i < words; i++) {
    write_both(OW_LITE_IV_OFFSET, random_below(2) != 0 ? random_number() : 0xffffffffu);
  }
  write_both(OW_LITE_COMMAND_OFFSET, OW_LITE_COMMAND_START | mode << OW_LITE_COMMAND_MODE_SHIFT |
                                         random_below(2) << OW_LITE_COMMAND_DECRYPT_SHIFT);
}

static void read_a_word(void) {
  results_read += model.blocks != 0;
  CHECK_EQUAL(rig_read(OW_LITE_DATA_OUT_OFFSET), read_model(OW_LITE_DATA_OUT_OFFSET));
}

/* Both ways at once, where the order does not matter. */
static void write_and_read_at_once(void) {
  uint32_t word = random_number();
  if (model.message && !model.tamper && model.blocks != 0 && model.blocks < BLOCKS_MAX) {
    uint32_t got = rig_both(OW_LITE_DATA_IN_OFFSET, word, OW_LITE_DATA_OUT_OFFSET);
    CHECK_EQUAL(got, read_model(OW_LITE_DATA_OUT_OFFSET));
    write_model(OW_LITE_DATA_IN_OFFSET, word);
    results_read++;
  }
}

static void any_access(void) {
  uint32_t offset = 4 * random_below(random_below(8) == 0 ? 1024 : 10);
  uint32_t value = random_below(4) != 0 ? random_number() & 0x707 : random_number();
  if (random_below(3) == 0) {
    if (offset != OW_LITE_STATUS_OFFSET) {
      CHECK_EQUAL(rig_read(offset), read_model(offset));
    }
  } else if (random_below(10) == 0) {
    CHECK_EQUAL(rig_write(offset, value, (uint8_t)random_below(15)), 2);
  } else {
    write_both(offset, value);
  }
}

static void step(void) {
  /* Back to messages that run. */
  if (random_below(4) == 0) {
    if (model.tamper) {
      change_tamper(false);
    } else if (!model.has_key) {
      load_a_key();
    } else if (!model.message) {
      start_a_message();
    }
  }
  switch (random_below(100)) {
  case 0:
    reset();
    break;
  case 1:
    change_tamper(random_below(2) == 0);
    break;
  case 2:
  case 3:
    any_access();
    break;
  case 4:
    load_a_key();
    break;
  case 5:
  case 6:
    start_a_message();
    break;
  case 7:
    rig_step(random_below(SETTLE));
    break;
  case 8:
    rig_step(SETTLE);
    check_status(true);
    break;
  default:
    if (random_below(5) == 0) {
      write_and_read_at_once();
    } else if (model.blocks < 1 + random_below(BLOCKS_MAX) || random_below(200) == 0) {
      write_both(OW_LITE_DATA_IN_OFFSET, random_number());
    } else {
      read_a_word();
    }
  }
  errors_seen[model.error]++;
}

int main(int argc, char **argv) {
  uint32_t accesses = random_start(argc, argv, "accesses", 100000);
  rig_start();
  for (uint32_t n = 0; n < accesses; n++) {
    if (n % 1000 == 0) {
      rig_pauses(n % 2000 == 0 ? 0 : random_below(60), random_number());
    }
    step();
    if (n % 3 == 0) {
      check_status(false);
    }
  }
  for (unsigned error = OW_LITE_ERROR_NONE; error <= OW_LITE_ERROR_TAMPERED; error++) {
    CHECK(errors_seen[error] > 0);
  }
  CHECK(results_read > accesses / 10);
  printf("ok %u words of results\n", results_read);
  return 0;
}
