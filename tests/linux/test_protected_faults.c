/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What becomes of requests under protected keys of the kernel module when key or device go, or the
 * device does not take them: nothing brings a lost key back, and no software does their work.
 */
#include "protected_uses.h"
#include "queue.h"

/* Before, while and after a request is in flight. */
static void test_a_key_is_revoked(void) {
  owk_keep = LENGTH;
  open_protected();
  struct owk_protected *protected = new_protected(32, false), *lost = protected;
  const u8 slot = protected->key.slot;
  u8 token[TOKEN];
  memcpy(token, token_of(protected), TOKEN);
  struct use *use = make_use("cbc(paes)", token);
  fake->idle = true;
  CHECK_EQUAL(encrypt(use, LENGTH), -EINPROGRESS);
  end_protected(protected);
  CHECK(!fake->keys[slot].valid);
  CHECK_EQUAL(set_token("cbc(paes)", token, TOKEN), -ENOKEY);
  /* The slot of a job in flight is given to nobody. */
  CHECK_EQUAL(device.keys.slot[slot].in_flight, 1);
  fake->idle = false;
  pump();
  CHECK_EQUAL(use->ended, 1);
  CHECK_EQUAL(use->error, -EKEYREVOKED);
  CHECK(memcmp(use->memory, use->text, LENGTH) == 0);
  CHECK_EQUAL(fake->queues[0].jobs, 0);
  check_error(use, -EKEYREVOKED);
  CHECK_EQUAL(owk_counts.refused.value, 2);
  /* It has no name for a job, least of all its wiped bytes. */
  struct ow_key name = {0};
  CHECK(!owk_key_use(&device, &lost->key, &name));
  CHECK(name.bytes == NULL);

  /* Another key in the same slot is not taken for it. */
  struct owk_protected *other = new_protected(32, false);
  CHECK_EQUAL(other->key.slot, slot);
  check_error(use, -EKEYREVOKED);
  free_use(use);
  end_protected(other);
  close_protected();
  owk_keep = 0;
}

/* Without a word: by tamper, or by whoever has the registers. */
static void test_a_slot_is_zeroised(void) {
  owk_keep = LENGTH;
  open_protected();
  struct owk_protected *protected = new_protected(32, false);
  struct use *use = make_use("ctr(paes)", token_of(protected));
  fake->keys[protected->key.slot] =
      (struct fake_key){.generation = (u16)(protected->key.generation + 1u)};
  u8 token[TOKEN];
  memcpy(token, &protected->token, TOKEN);
  CHECK_EQUAL(set_token("ctr(paes)", token, TOKEN), -ENOKEY);
  check_error(use, -ENOKEY);
  free_use(use);
  end_protected(protected);

  /* Noticed by a job only. */
  protected = new_protected(32, false);
  use = make_use("ctr(paes)", token_of(protected));
  fake->keys[protected->key.slot].valid = false;
  CHECK_EQUAL(device.keys.protected, 1);
  check_error(use, -ENOKEY);
  CHECK_EQUAL(device.keys.protected, 0);
  struct owk_token gone;
  CHECK_EQUAL(owk_protected_token(protected, &gone), -ENOKEY);
  free_use(use);
  end_protected(protected);

  /* With another key in its place, which is not used. */
  protected = new_protected(32, false);
  use = make_use("ctr(paes)", token_of(protected));
  fake->keys[protected->key.slot].generation++;
  check_error(use, -ENOKEY);
  CHECK_EQUAL(device.keys.protected, 0);
  free_use(use);
  end_protected(protected);
  close_protected();
  owk_keep = 0;
}

/* The device was reset: the key is lost, also when another one has its slot and generation. */
static void test_the_device_is_reset(void) {
  owk_keep = LENGTH;
  open_protected();
  struct owk_protected *protected = new_protected(32, false);
  struct use *use = make_use("cbc(paes)", token_of(protected));
  fake->idle = true;
  CHECK_EQUAL(encrypt(use, LENGTH), -EINPROGRESS);
  fake_reset(fake);
  for (unsigned i = 0; i < FAKE_SLOTS; i++) {
    fake->keys[i].generation = 0; /* it counts from the beginning */
  }
  fake->idle = false;
  for (unsigned i = 0; i < 4 && !use->ended; i++) {
    owk_watchdog(&device.watchdog.work);
    pump();
  }
  CHECK_EQUAL(use->ended, 1);
  CHECK_EQUAL(use->error, -EIO);
  CHECK(memcmp(use->memory, use->text, LENGTH) == 0);
  CHECK_EQUAL(device.keys.protected, 0);
  struct owk_protected *other = new_protected(32, false);
  CHECK_EQUAL(other->key.slot, protected->key.slot);
  CHECK_EQUAL(other->key.generation, protected->key.generation);
  check_error(use, -ENOKEY);
  free_use(use);
  end_protected(protected);
  CHECK_EQUAL(device.keys.protected, 1); /* the other's */
  end_protected(other);
  close_protected();
  owk_keep = 0;
}

/* Unbound, or suspended, with a request in flight and one that waits; then there again. */
static void test_the_device_goes(void) {
  static struct use *uses[ENTRIES + 2];
  owk_keep = LENGTH;
  open_protected();
  struct owk_protected *protected = new_protected(64, true);
  u8 token[TOKEN];
  memcpy(token, token_of(protected), TOKEN);
  fake->idle = true;
  fake->gone = false;
  for (unsigned i = 0; i < ARRAY_SIZE(uses); i++) {
    uses[i] = make_use("xts(paes)", token);
    uses[i]->request.base.flags = CRYPTO_TFM_REQ_MAY_BACKLOG;
    CHECK_EQUAL(encrypt(uses[i], LENGTH), i < ENTRIES ? -EINPROGRESS : -EBUSY);
  }
  memset(uses[0]->memory, 0xee, LENGTH / 2); /* what the device has done before it went */
  owk_device_withdraw(&device);
  queue->poll.scheduled = false;
  for (unsigned i = 0; i < ARRAY_SIZE(uses); i++) {
    CHECK_EQUAL(uses[i]->ended, 1);
    CHECK_EQUAL(uses[i]->told, i >= ENTRIES);
    CHECK_EQUAL(uses[i]->error, -ENODEV);
    CHECK(memcmp(uses[i]->memory, uses[i]->text, LENGTH) == 0);
  }
  check_error(uses[0], -ENODEV);
  CHECK_EQUAL(set_token("xts(paes)", token, TOKEN), -ENODEV);
  CHECK_EQUAL(PTR_ERR(owk_protected_create(bytes, 64, true)), -ENODEV);
  struct owk_token gone;
  CHECK_EQUAL(owk_protected_token(protected, &gone), -ENODEV);
  for (unsigned i = 0; i < FAKE_SLOTS; i++) {
    CHECK(!fake->keys[i].valid);
  }
  owk_device_end(&device);
  fake->idle = false;
  CHECK_EQUAL(ow_device_open(&device.device, &device.platform), OW_OK);
  CHECK_EQUAL(owk_device_begin(&device), 0);
  owk_device_publish(&device);
  CHECK_EQUAL(set_token("xts(paes)", token, TOKEN), -ENOKEY);
  CHECK_EQUAL(owk_protected_token(protected, &gone), -ENOKEY);
  check_error(uses[0], -ENOKEY);
  for (unsigned i = 0; i < ARRAY_SIZE(uses); i++) {
    free_use(uses[i]);
  }
  end_protected(protected);
  close_protected();
  owk_keep = 0;
}

/* Requests that software would do for other keys end with an error each. */
static void test_there_is_no_software(void) {
  open_protected();
  struct owk_protected *protected = new_protected(32, false);
  struct use *use = make_use("cbc(paes)", token_of(protected));
  struct use *more[ENTRIES];
  fake->refuse_map_at = 1;
  check_error(use, -ENOMEM);

  fake->idle = true;
  for (unsigned i = 0; i < ENTRIES; i++) {
    more[i] = make_use("cbc(paes)", token_of(protected));
    CHECK_EQUAL(encrypt(more[i], LENGTH), -EINPROGRESS);
  }
  CHECK_EQUAL(encrypt(use, LENGTH), -ENOSPC);
  /* Who may wait does so, even if others may not. */
  owk_backlog = false;
  use->request.base.flags = CRYPTO_TFM_REQ_MAY_BACKLOG;
  CHECK_EQUAL(encrypt(use, LENGTH), -EBUSY);
  owk_backlog = true;
  fake->idle = false;
  pump();
  check_sealed(use, bytes, OW_OP_AES_CBC, 32);
  CHECK_EQUAL(use->told, 1);
  for (unsigned i = 0; i < ENTRIES; i++) {
    check_sealed(more[i], bytes, OW_OP_AES_CBC, 32);
    free_use(more[i]);
  }
  CHECK_EQUAL(fake->queues[0].jobs, ENTRIES + 1);

  u8 *memory = fake_allocate(fake, 16 * PIECES, 1);
  for (unsigned i = 0; i < PIECES; i++) {
    use->source[i] =
        (struct scatterlist){.memory = memory + 16 * i, .length = 16, .end = i + 1 == PIECES};
  }
  use->request.cryptlen = 16 * PIECES;
  CHECK_EQUAL(use->tfm.alg->encrypt(&use->request), -E2BIG);

  /* The device fails at a job: no error of it is a success, or somebody else's part. */
  for (unsigned status = OW_DEVICE_BAD_OPCODE; status <= OW_DEVICE_NOT_SEEDED; status++) {
    if (status == OW_DEVICE_KEY_DENIED || status == OW_DEVICE_KEY_GONE) {
      continue;
    }
    fake->force_status = (u8)status;
    CHECK_EQUAL(encrypt(use, LENGTH), -EINPROGRESS);
    pump();
    CHECK_EQUAL(use->ended, 1);
    CHECK_EQUAL(use->error, -EIO);
  }
  queue->queue.halted = true;
  CHECK_EQUAL(encrypt(use, LENGTH), -EIO);
  queue->queue.halted = false;
  pump();
  free_use(use);
  end_protected(protected);
  close_protected();
}

int main(void) {
  RUN(test_a_key_is_revoked);
  RUN(test_a_slot_is_zeroised);
  RUN(test_the_device_is_reset);
  RUN(test_the_device_goes);
  RUN(test_there_is_no_software);
  return 0;
}
