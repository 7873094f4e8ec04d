/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Example: the first steps of docs/bring-up.md on Linux, with interrupts:
 * ow_uio_first_jobs [UIO [UDMABUF]], by default uio0 and udmabuf0.
 */
#include <stdio.h>
#include <string.h>

#include "outwork/outwork.h"
#include "outwork/uio.h"

#define LOG2 4u

static struct ow_queue_slot slots[1u << LOG2];
static struct ow_device device;
static struct ow_queue queue;

static bool report(const char *step, ow_status status) {
  printf("%-14s %s\n", step, ow_status_text(status));
  return status == OW_OK;
}

/* FIPS 197, appendix B: one block with an inline key. */
static ow_status encrypt_block(uint8_t text[16]) {
  static const uint8_t key_bytes[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                        0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  static const uint8_t plain[16] = {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d,
                                    0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34};
  static const uint8_t cipher[16] = {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb,
                                     0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32};
  const struct ow_key key = {.bytes = key_bytes, .key_len = 16};
  memcpy(text, plain, 16);
  ow_status status = ow_aes_ecb_crypt(&queue, text, &key, OW_ENCRYPT, text, 16);
  return status == OW_OK && memcmp(text, cipher, 16) != 0 ? OW_DEVICE_ERROR : status;
}

static bool first_jobs(struct ow_uio *uio) {
  struct ow_platform platform;
  struct ow_job nothing = {.opcode = OW_OP_NOP};
  ow_uio_platform(&platform, uio);
  void *rings = ow_uio_take(uio, OW_QUEUE_MEMORY_BYTES(LOG2));
  uint8_t *text = ow_uio_take(uio, 16);
  if (rings == NULL || text == NULL) {
    printf("the memory is too small: %zu bytes\n", uio->memory_bytes);
    return false;
  }
  return report("device", ow_device_open(&device, &platform)) &&
         report("grant", ow_queue_grant(&device, 0, NULL)) &&
         report("queue", ow_queue_open(&queue, &device, 0, rings, slots, LOG2)) &&
         report("NOP", ow_queue_run(&queue, &nothing)) && report("AES", encrypt_block(text)) &&
         report("interrupts", ow_queue_set_interrupts(&queue, true, 1, 0)) &&
         report("NOP, sleeping", ow_queue_run(&queue, &nothing));
}

int main(int count, char **arguments) {
  struct ow_uio uio;
  if (!ow_uio_open(&uio, "", count > 1 ? arguments[1] : "uio0",
                   count > 2 ? arguments[2] : "udmabuf0")) {
    fprintf(stderr, "%s\n", uio.error);
    return 1;
  }
  bool good = first_jobs(&uio);
  if (good) {
    printf("interrupts that did not come: %u\n", (unsigned)queue.missed_interrupts);
    (void)ow_queue_close(&queue);
    (void)ow_device_close(&device);
  }
  ow_uio_close(&uio);
  return good ? 0 : 1;
}
