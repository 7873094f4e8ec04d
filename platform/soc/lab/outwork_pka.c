/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Adapter of the accelerator's public-key engine through the driver. A call is one operation; a
 * private key is in a slot.
 */
#include "pka.h"
#include "soc.h"

#define LOG2 2u
#define SLOT 1u

struct context {
  struct ow_lab_setting setting;
  const uint8_t *key;
  struct ow_rsa_public rsa_public;
  struct ow_rsa_private rsa_private;
  struct ow_ec_private ec_private;
};

static _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)];
static struct ow_queue_slot slots[1u << LOG2];
static struct ow_platform platform;
static struct ow_device device;
static struct ow_queue queue;
static struct ow_pka own_pka;
static struct ow_pka *pka; /* what the device reads and writes is in it */

static const char *version(void) {
  return "outwork";
}

static const char *instructions(void) {
  return "aes=0";
}

static uint32_t finish(void) {
  struct ow_counters counters = {0};
  ow_queue_counters(&queue, &counters);
  return (uint32_t)counters.jobs;
}

static bool entropy(void *context, uint8_t *bytes, size_t length) {
  (void)context;
  pka_random(bytes, length);
  return true;
}

/* Runs a job of the driver's, and counts the polls in vain. */
static ow_status run(void *context, struct ow_job *job) {
  ow_status status = ow_queue_submit(&queue, NULL, &job, 1);
  (void)context;
  if (status != OW_OK) {
    return status;
  }
  if (platform.wait_interrupt != NULL) {
    status = ow_queue_wait(&queue, job);
    return status == OW_OK ? job->status : status;
  }
  while (job->status == OW_PENDING) {
    size_t finished = 0;
    const uint32_t begin = soc_cycles();
    status = ow_queue_poll(&queue, &finished);
    if (status != OW_OK) {
      return status;
    }
    point_device.polling_cycles += finished == 0 ? soc_cycles() - begin : 0;
  }
  return job->status;
}

static const char *refuses(const struct ow_lab_setting *setting) {
  return ow_device_supports(&device, (uint8_t)setting->opcode, false)
             ? NULL
             : "this build of the device does not have it";
}

static void *open_context(const struct ow_lab_setting *setting) {
  struct context *context = ow_lab_allocate(sizeof *context);
  if (context != NULL) {
    context->setting = *setting;
  }
  return context;
}

static bool load_rsa(struct context *context, const uint8_t *key) {
  const size_t length = context->setting.length;
  const struct ow_key_material reserved = {.properties = {.queues = 1},
                                           .opcode = OW_OP_RSA_PRIVATE};
  struct ow_key_handle handle;
  struct ow_rsa_private *const slotted = &context->rsa_private;
  struct ow_rsa_private numbers = {.n = {key, length},
                                   .e = {pka_rsa_number(key, length, PKA_E), PKA_EXPONENT_BYTES}};
  struct ow_number *const parts[] = {&numbers.p, &numbers.q, &numbers.dp, &numbers.dq,
                                     &numbers.qinv};
  for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    *parts[i] = (struct ow_number){pka_rsa_number(key, length, (enum pka_number)i), length / 2u};
  }
  context->rsa_public = (struct ow_rsa_public){.n = numbers.n, .e = numbers.e};
  return context->setting.opcode == OW_OP_RSA_PUBLIC ||
         (point_load_key(&device, &handle, SLOT, &reserved) == OW_OK &&
          ow_rsa_slot_fill(pka, slotted, &handle, &numbers) == OW_OK);
}

static bool load_curve(struct context *context, const uint8_t *key) {
  const uint32_t opcode = context->setting.opcode;
  const struct ow_key_material material = {.properties = {.queues = 1},
                                           .opcode = (uint8_t)opcode,
                                           .curve = (uint8_t)context->setting.iv_len,
                                           .key_len = (uint8_t)context->setting.length,
                                           .key = key};
  struct ow_key_handle handle = {0};
  const bool good =
      opcode == OW_OP_EC_VERIFY || point_load_key(&device, &handle, SLOT, &material) == OW_OK;
  context->ec_private = (struct ow_ec_private){.curve = (enum ow_curve)material.curve,
                                               .slotted = true,
                                               .slot = handle.slot,
                                               .generation = handle.generation};
  return good;
}

static int set_key(void *opened, const uint8_t *key) {
  struct context *context = opened;
  context->key = key;
  return pka_is_rsa(&context->setting) ? load_rsa(context, key) : load_curve(context, key);
}

static ow_status operate(const struct context *context, struct ow_lab_message *message) {
  const struct ow_ec_private *const mine = &context->ec_private;
  const size_t length = context->setting.length;
  uint8_t point[2u * OW_CURVE_BYTES_MAX];
  ow_status status;
  switch (context->setting.opcode) {
  case OW_OP_RSA_PUBLIC:
    return ow_rsa_public_raw(pka, message->destination, &context->rsa_public, message->source);
  case OW_OP_RSA_PRIVATE:
    return ow_rsa_private_raw(pka, message->destination, &context->rsa_private, message->source);
  case OW_OP_EC_SIGN:
    return ow_ecdsa_sign_raw(pka, message->destination, mine, message->source, NULL);
  case OW_OP_EC_VERIFY:
    return ow_ecdsa_verify_raw(pka, mine->curve, pka_point(context->key, length), message->source,
                               pka_signature(context->key, length));
  default:
    status = ow_ec_multiply(pka, point, mine, pka_other_point(context->key, length));
    memcpy(message->destination, point, length);
    return status;
  }
}

static int message_in(void *opened, struct ow_lab_message *message, const uint8_t *key) {
  (void)key;
  return operate(opened, message) == OW_OK;
}

static void close_context(void *opened) {
  ow_lab_wipe(opened, sizeof(struct context));
  free(opened);
}

const struct ow_lab_calls *ow_lab_adapter(const char *library) {
  static const struct ow_lab_calls calls = {
      .version = version,
      .instructions = instructions,
      .refuses = refuses,
      .open = open_context,
      .set_key = set_key,
      .message = message_in,
      .close = close_context,
  };
  (void)library;
  point_platform(&platform);
  platform.entropy = entropy;
  point_device.finish = finish;
  bool good = point_open_queue(&device, &queue, &platform, ring_memory, slots, LOG2);
  pka = point_reachable(&own_pka, sizeof(own_pka));
  good = good && ow_pka_init(pka, &queue) == OW_OK;
  if (good && platform.wait_interrupt != NULL) {
    good = ow_queue_set_interrupts(&queue, true, 1, 0) == OW_OK;
  }
  pka->run = run;
  return good ? &calls : NULL;
}
