/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keys of the kernel module whose load fails: none stays in a slot that nobody knows of.
 */
#include "requests.h"

static void (*write32)(void *context, uint32_t offset, uint32_t value);

/* The device loads the key, but does not say so in time. */
static void hang_at_load(void *context, uint32_t offset, uint32_t value) {
  write32(context, offset, value);
  if (offset == OW_GLOBAL_KEY_COMMAND_OFFSET && (value & OW_GLOBAL_KEY_COMMAND_LOAD_MASK) != 0) {
    fake->key_hangs = true;
  }
}

static bool is_empty(void) {
  for (unsigned i = 0; i < FAKE_SLOTS; i++) {
    if (fake->keys[i].valid || device.keys.slot[i].key != NULL) {
      return false;
    }
  }
  return true;
}

static void test_a_load_takes_too_long(void) {
  struct owk_key key;
  struct ow_key name = {0};
  open_device();
  new_key(&key);
  CHECK(!owk_key_use(&device, &key, &name)); /* the first use is without a slot */
  write32 = fake->platform.write32;
  fake->platform.write32 = hang_at_load;
  CHECK(!owk_key_use(&device, &key, &name));
  CHECK(name.bytes == key.bytes);
  CHECK(is_empty());
  fake->platform.write32 = write32;
  fake->key_hangs = false;
  CHECK(owk_key_use(&device, &key, &name));
  CHECK(fake->keys[name.slot].valid);
  owk_key_release(&device, name.slot, false);
  owk_key_clear(&key);
  CHECK(is_empty());
  close_device();
}

/* The key that was to leave its slot for another one leaves it, though the other does not come. */
static void test_a_load_never_begins(void) {
  struct owk_key keys[2];
  struct owk_slot *const slot = &device.keys.slot[0];
  open_device();
  new_key(&keys[0]);
  new_key(&keys[1]);
  CHECK_EQUAL(owk_slot_fill(&device, &keys[0], slot), OW_OK);
  CHECK(fake->keys[0].valid && keys[0].in_slot);
  fake->key_hangs = true;
  CHECK_EQUAL(owk_slot_fill(&device, &keys[1], slot), OW_TIMEOUT);
  CHECK(is_empty() && !keys[0].in_slot && !keys[1].in_slot);
  fake->key_hangs = false;
  close_device();
}

int main(void) {
  kernel_is_quiet = true;
  RUN(test_a_load_takes_too_long);
  RUN(test_a_load_never_begins);
  return 0;
}
