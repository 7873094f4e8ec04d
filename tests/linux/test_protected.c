/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Protected keys of the kernel module on the fake device: used by a token, by the crypto API alone,
 * and whose slots they are.
 */
#include "protected_uses.h"

/* Requests of every size go to the device, and the key is in its slot and nowhere else. */
static void test_keys_are_used_by_token(void) {
  static const struct {
    const char *name;
    u8 opcode;
  } modes[] = {{"ecb(paes)", OW_OP_AES_ECB},
               {"cbc(paes)", OW_OP_AES_CBC},
               {"ctr(paes)", OW_OP_AES_CTR},
               {"xts(paes)", OW_OP_AES_XTS}};
  for (unsigned i = 0; i < ARRAY_SIZE(modes); i++) {
    const bool two_keys = modes[i].opcode == OW_OP_AES_XTS;
    for (unsigned key_len = 16; key_len <= 32; key_len += two_keys ? 16 : 8) {
      open_protected();
      struct owk_protected *protected = new_protected(two_keys ? 2 * key_len : key_len, two_keys);
      struct use *use = make_use(modes[i].name, token_of(protected));
      u64 jobs = 0;
      for (u32 length = 16; length <= 1024; length *= 2) {
        CHECK_EQUAL(encrypt(use, length), -EINPROGRESS);
        pump();
        check_sealed(use, bytes, modes[i].opcode, key_len);
        CHECK_EQUAL(fake->queues[0].jobs, ++jobs);
        /* The next IV of CBC, as the crypto API has it. */
        CHECK(modes[i].opcode != OW_OP_AES_CBC ||
              memcmp(use->iv, use->result + length - 16, 16) == 0);
        memcpy(use->iv, use->first_iv, sizeof(use->iv));
        CHECK_EQUAL(use->tfm.alg->decrypt(&use->request), -EINPROGRESS);
        pump();
        CHECK_EQUAL(use->error, 0);
        CHECK(memcmp(use->result, use->text, length) == 0);
        CHECK_EQUAL(fake->queues[0].jobs, ++jobs);
      }
      CHECK_EQUAL(device.keys.protected_jobs, jobs);
      CHECK_EQUAL(device.keys.inline_jobs, 0);
      CHECK_EQUAL(device.keys.loads, 1);
      CHECK(!fake_remembers(fake, bytes, 16));
      static const u8 nothing[64];
      CHECK(memcmp(protected->key.bytes, nothing, sizeof(nothing)) == 0);
      CHECK(memcmp(fake->keys[protected->key.slot].bytes, bytes, key_len) == 0);
      free_use(use);
      end_protected(protected);
      for (unsigned j = 0; j < FAKE_SLOTS; j++) {
        CHECK(!fake->keys[j].valid);
      }
      close_protected();
    }
  }
}

/* Two keys for XTS, different from one another, and from other keys. */
static void test_random_keys(void) {
  open_protected();
  struct owk_protected *first = owk_protected_create(NULL, 64, true);
  struct owk_protected *second = owk_protected_create(NULL, 32, false);
  CHECK(!IS_ERR(first) && !IS_ERR(second));
  const u8 *keys[2] = {fake->keys[first->key.slot].bytes, fake->keys[second->key.slot].bytes};
  CHECK(memcmp(keys[0], keys[0] + 32, 32) != 0 && memcmp(keys[0], keys[1], 32) != 0);
  struct use *use = make_use("xts(paes)", token_of(first));
  CHECK_EQUAL(encrypt(use, LENGTH), -EINPROGRESS);
  pump();
  check_sealed(use, keys[0], OW_OP_AES_XTS, 32);
  free_use(use);
  kernel_has_random = false;
  CHECK_EQUAL(PTR_ERR(owk_protected_create(NULL, 32, false)), -EAGAIN);
  kernel_has_random = true;
  end_protected(first);
  end_protected(second);
  close_protected();
}

static void test_keys_that_are_none(void) {
  static const struct {
    unsigned len;
    bool two_keys;
  } none[] = {{0, false}, {15, false}, {33, false}, {64, false},
              {16, true}, {48, true},  {63, true}};
  open_protected();
  for (unsigned i = 0; i < ARRAY_SIZE(none); i++) {
    CHECK_EQUAL(PTR_ERR(owk_protected_create(bytes, none[i].len, none[i].two_keys)), -EINVAL);
  }
  memset(bytes, 7, sizeof(bytes));
  CHECK_EQUAL(PTR_ERR(owk_protected_create(bytes, 64, true)), -EINVAL); /* equal halves */
  for (unsigned i = 0; i < FAKE_SLOTS; i++) {
    CHECK(!fake->keys[i].valid);
  }
  close_protected();
}

static void test_forged_tokens(void) {
  u8 token[TOKEN + 1] = {0};
  open_protected();
  struct owk_protected *xts = new_protected(64, true);
  struct owk_protected *aes = new_protected(32, false);
  memcpy(token, token_of(aes), TOKEN);
  CHECK_EQUAL(set_token("cbc(paes)", token, TOKEN), 0);
  CHECK_EQUAL(set_token("xts(paes)", token, TOKEN), -EINVAL);
  CHECK_EQUAL(set_token("cbc(paes)", token_of(xts), TOKEN), -EINVAL);
  for (unsigned length = 0; length <= TOKEN + 1; length++) {
    CHECK_EQUAL(set_token("cbc(paes)", token, length), length == TOKEN ? 0 : -EINVAL);
  }
  for (unsigned bit = 0; bit < 8 * TOKEN; bit++) { /* slot, generation, random part */
    token[bit / 8] ^= (u8)(1u << bit % 8);
    CHECK_EQUAL(set_token("cbc(paes)", token, TOKEN), -ENOKEY);
    token[bit / 8] ^= (u8)(1u << bit % 8);
  }
  /* A slot of an ordinary key, and one that does not exist. */
  struct owk_key ordinary;
  struct ow_key name;
  new_key(&ordinary);
  CHECK(!owk_key_use(&device, &ordinary, &name) && owk_key_use(&device, &ordinary, &name));
  owk_key_release(&device, name.slot, false);
  for (unsigned slot = 0; slot < 256; slot++) {
    token[offsetof(struct owk_token, slot)] = (u8)slot;
    CHECK_EQUAL(set_token("cbc(paes)", token, TOKEN), slot == aes->key.slot ? 0 : -ENOKEY);
  }
  owk_key_clear(&ordinary);
  end_protected(xts);
  end_protected(aes);
  /* The same key in the same slot again has another token. */
  memcpy(bytes, token, TOKEN);
  aes = new_protected(32, false);
  CHECK_EQUAL(set_token("cbc(paes)", token, TOKEN), -ENOKEY);
  end_protected(aes);
  close_protected();
}

/* A transform whose key was wiped has none, not the last one. */
static void test_a_failed_setkey_leaves_no_key(void) {
  open_protected();
  struct owk_protected *protected = new_protected(32, false);
  struct use *use = make_use("cbc(paes)", token_of(protected));
  CHECK_EQUAL(use->tfm.alg->setkey(&use->tfm, bytes, TOKEN), -ENOKEY);
  check_error(use, -ENOKEY);
  CHECK_EQUAL(atomic_read(&protected->users), 1);
  free_use(use);
  end_protected(protected);
  close_protected();
}

/* Protected keys never take all slots, whatever the parameter says. */
static void test_limits(void) {
  struct owk_protected *keys[FAKE_SLOTS];
  open_protected();
  for (owk_protected_slots = 0; owk_protected_slots <= FAKE_SLOTS; owk_protected_slots++) {
    const unsigned limit = min(owk_protected_slots, FAKE_SLOTS / 2);
    for (unsigned i = 0; i < limit; i++) {
      keys[i] = new_protected(32, false);
    }
    CHECK_EQUAL(PTR_ERR(owk_protected_create(bytes, 32, false)), -EDQUOT);
    for (unsigned i = 0; i < limit; i++) {
      end_protected(keys[i]);
    }
  }
  owk_protected_slots = 4;
  owk_process_slots = 2;
  owk_processes_offer(&device, 1, 2);
  CHECK_EQUAL(owk_protected_limit(&device), 2);
  /* All in use, by others. */
  for (unsigned i = 0; i < FAKE_SLOTS; i++) {
    device.keys.slot[i].process = 1;
  }
  CHECK_EQUAL(PTR_ERR(owk_protected_create(bytes, 32, false)), -EBUSY);
  for (unsigned i = 0; i < FAKE_SLOTS; i++) {
    device.keys.slot[i].process = 0;
  }
  close_protected();
}

/* Two hundred ordinary keys and a process want slots: that of a protected key stays. */
static void test_nobody_takes_its_slot(void) {
  enum { KEYS = 200 };
  static struct owk_key keys[KEYS];
  struct ow_key name;
  open_protected();
  owk_process_memory = 65536;
  owk_process_slots = FAKE_SLOTS;
  owk_processes_offer(&device, 1, 1);
  struct owk_protected *protected = new_protected(32, false);
  struct use *use = make_use("cbc(paes)", token_of(protected));
  for (unsigned i = 0; i < KEYS; i++) {
    new_key(&keys[i]);
    for (unsigned uses = 0; uses < 2 * KEYS; uses++) {
      if (owk_key_use(&device, &keys[i], &name)) {
        CHECK(name.slot != protected->key.slot);
        owk_key_release(&device, name.slot, false);
      }
    }
    CHECK(keys[i].in_slot);
  }
  CHECK(device.keys.evictions >= KEYS - FAKE_SLOTS);
  struct owk_process *process = calloc(1, sizeof(*process));
  struct ow_linux_key given = {.key_len = 32, .encrypt = 1, .key = {1}};
  CHECK_EQUAL(owk_process_open(process, &device, 8192), 0);
  while (owk_process_key_load(process, &given) == 0) {
    CHECK(given.slot != protected->key.slot);
  }
  CHECK_EQUAL(process->slots, FAKE_SLOTS / 2);
  owk_process_close(process);
  CHECK_EQUAL(encrypt(use, LENGTH), -EINPROGRESS);
  pump();
  check_sealed(use, bytes, OW_OP_AES_CBC, 32);
  for (unsigned i = 0; i < KEYS; i++) {
    owk_key_clear(&keys[i]);
  }
  free_use(use);
  end_protected(protected);
  close_protected();
}

/* A queue of a process that names the slot is denied, and so is a MAC, and a load by anyone. */
static void test_the_key_is_for_the_crypto_api_only(void) {
  enum { QUEUE = 1 };
  static struct ow_queue other;
  static struct ow_queue_slot slots[ENTRIES];
  open_protected();
  owk_keys_init(&device.keys, FAKE_SLOTS);
  struct owk_protected *protected = new_protected(32, false);
  struct ow_key_info info;
  CHECK_EQUAL(ow_key_query(&device.device, &info, protected->key.slot), OW_OK);
  CHECK_EQUAL(info.properties.queues, 1u << 0);
  CHECK(info.properties.encrypt && info.properties.decrypt && !info.properties.mac && info.locked);
  CHECK_EQUAL(ow_key_load(&device.device, protected->key.slot, &info.properties, bytes, 32, NULL),
              OW_KEY_REFUSED);

  struct ow_platform platform = fake->platform;
  struct ow_device view;
  u8 *memory = fake_allocate(fake, OW_QUEUE_MEMORY_BYTES(LOG2), 4096);
  u8 *text = fake_allocate(fake, LENGTH, 64);
  ow_device_attach(&view, &platform, &device.device.capabilities);
  CHECK_EQUAL(ow_queue_grant(&device.device, QUEUE, NULL), OW_OK);
  CHECK_EQUAL(ow_queue_open(&other, &view, QUEUE, memory, slots, LOG2), OW_OK);
  for (unsigned i = 0; i < 2; i++) { /* with and without the generation */
    struct ow_job job = {
        .opcode = OW_OP_AES_ECB,
        .key = {.slot = protected->key.slot, .generation = i == 0 ? protected->key.generation : 0},
        .length = LENGTH,
        .source = text,
        .destination = text};
    struct ow_job *one = &job;
    size_t found = 0;
    CHECK_EQUAL(ow_queue_submit(&other, NULL, &one, 1), OW_OK);
    fake_work(fake);
    ow_queue_poll(&other, &found);
    CHECK_EQUAL(found, 1);
    CHECK_EQUAL(job.status, OW_KEY_DENIED);
  }
  ow_queue_close(&other);
  end_protected(protected);
  close_protected();
}

int main(void) {
  RUN(test_keys_are_used_by_token);
  RUN(test_random_keys);
  RUN(test_keys_that_are_none);
  RUN(test_forged_tokens);
  RUN(test_a_failed_setkey_leaves_no_key);
  RUN(test_limits);
  RUN(test_nobody_takes_its_slot);
  RUN(test_the_key_is_for_the_crypto_api_only);
  return 0;
}
