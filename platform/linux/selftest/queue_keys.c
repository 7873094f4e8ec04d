/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A slot of /dev/outwork for a key that a job of the process makes, and that never leaves the
 * device.
 */
#include <string.h>

#include "outwork/mlkem.h"
#include "posix.h"
#include "queue_test.h"

#define SET OW_MLKEM_512
enum { MESSAGE = 48 };

struct agreement {
  struct ow_mlkem mlkem;
  OW_ALIGNED(64) uint8_t message[64];
};
OW_STATIC_ASSERT(sizeof(struct agreement) <= sizeof(((struct user_memory *)0)->large), "memory");

static uint8_t ek[OW_MLKEM_EK_BYTES(SET)], dk[OW_MLKEM_DK_BYTES(SET)];
static uint8_t ciphertext[OW_MLKEM_CIPHERTEXT_BYTES(SET)], secret[OW_MLKEM_SECRET_BYTES];

void test_made_key(struct user *user) {
  static const uint8_t seeds[96] = {1, 2, 3};
  struct ow_key_handle kem, made;
  struct ow_key_material material = {
      .opcode = OW_OP_MLKEM_DECAPSULATE, .key = seeds, .key_len = 64}; /* secrets do not leave */
  uint8_t mac[16], expected[16];
  const uintptr_t at = ((uintptr_t)user->memory->large + 63) & ~(uintptr_t)63;
  struct agreement *place = (struct agreement *)at;
  if (!user->device.capabilities.made_keys) {
    material = (struct ow_key_material){.key_len = 32, .reserve = true};
    check(ow_linux_key_load(&user->own, &made, &material) == OW_UNSUPPORTED,
          "a device that makes no keys says so");
    say("queue: no job of this device makes keys\n");
    return;
  }
  check(ow_mlkem_init(&place->mlkem, &user->queue) == OW_OK, "ML-KEM is there");
  check(ow_mlkem_generate(&place->mlkem, ek, dk, SET, seeds, seeds + 32) == OW_OK &&
            ow_mlkem_encapsulate(&place->mlkem, ciphertext, secret, SET, ek, seeds + 64) == OW_OK,
        "a secret is agreed");
  check(ow_linux_key_load(&user->own, &kem, &material) == OW_OK, "the seeds are in a slot");
  material = (struct ow_key_material){
      .properties = {.mac = true}, .key_len = sizeof(secret), .reserve = true};
  check(ow_linux_key_load(&user->own, &made, &material) == OW_OK, "a slot is reserved");
  const struct ow_key key = named(&made);
  check(ow_aes_cmac(&user->queue, mac, 16, &key, place->message, MESSAGE) == OW_KEY_DENIED,
        "nothing uses a key that is not made");
  const uint32_t before = device_jobs(user);
  check(ow_mlkem_slot_decapsulate_to(&place->mlkem, &made, SET, &kem, ciphertext) == OW_OK,
        "a job makes the key");
  check(ow_aes_cmac(&user->queue, mac, 16, &key, place->message, MESSAGE) == OW_OK,
        "the key is used");
  check(device_jobs(user) - before == 2, "the device counts the jobs with the key");
  const struct ow_key plain = {.bytes = secret, .key_len = sizeof(secret)};
  check(ow_aes_cmac(&user->queue, expected, 16, &plain, place->message, MESSAGE) == OW_OK &&
            memcmp(mac, expected, 16) == 0,
        "it is the secret that was agreed");
  check(ow_linux_key_zeroise(&user->own, &made) == OW_OK &&
            ow_linux_key_zeroise(&user->own, &kem) == OW_OK,
        "both slots are given back");
  ow_mlkem_close(&place->mlkem);
  say("queue: a job made a key for a slot\n");
}
