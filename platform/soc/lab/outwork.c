/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Adapter of the accelerator through the driver. A context has its key in a slot; a key that is set
 * later travels with the job. Each message has a job, which stays filled in.
 */
#include "adapter.h"
#include "point.h"
#include "soc.h"

#define LOG2 7u /* POINT_MESSAGES entries */

struct context {
  struct ow_lab_setting setting;
  struct ow_key key;
  bool is_loaded;
  uint8_t later_key[64];
};

static _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)];
static struct ow_queue_slot slots[POINT_MESSAGES];
static struct ow_platform platform;
static struct ow_device device;
static struct ow_queue queue;
static struct ow_job jobs[POINT_MESSAGES];
static uint8_t in_flight[POINT_MESSAGES]; /* the numbers of their messages, in order */
static struct ow_radio_iv radio_ivs[POINT_MESSAGES];
static struct point *const all = (struct point *)POINT_BASE;
static uint32_t given, ended, announced_together;
static uint8_t next_slot;

static const char *version(void) {
  return "outwork";
}

static const char *instructions(void) {
  return "aes=0";
}

/* Tags stay in their jobs, where a program would look for them; those of AES with HMAC, which may
 * be longer than a completion record's, behind their messages. */
static void give_tags(void) {
  for (uint32_t i = 0; i < all->messages_len; i++) {
    if ((jobs[i].flags & OW_JOB_APPEND_TAG) != 0) {
      memcpy(all->messages[i].tag, all->messages[i].destination + all->length, jobs[i].tag_len);
    } else {
      memcpy(all->messages[i].tag, jobs[i].tag, sizeof(jobs[i].tag));
    }
  }
}

static uint32_t finish(void) {
  give_tags();
  struct ow_counters counters = {0};
  ow_queue_counters(&queue, &counters);
  return (uint32_t)counters.jobs;
}

static const char *refuses(const struct ow_lab_setting *setting) {
  if (ow_lab_is_combined(setting->opcode) && !point_has_pairs) {
    return "a queue of /dev/outwork has no slots for the two keys of AES with HMAC";
  }
  if (!ow_device_supports(&device, (uint8_t)setting->opcode, setting->is_inverse)) {
    return "this build of the device does not have it";
  }
  return setting->is_kept ? "every job has its IV" : NULL;
}

static void *open_context(const struct ow_lab_setting *setting) {
  struct context *context = ow_lab_allocate(sizeof *context);
  if (context == NULL) {
    return NULL;
  }
  context->setting = *setting;
  for (uint32_t i = 0; i < POINT_MESSAGES; i++) {
    jobs[i] = (struct ow_job){.opcode = (uint8_t)setting->opcode,
                              .tag_len = (uint8_t)setting->tag_len,
                              .flags = setting->is_inverse ? OW_JOB_DECRYPT : 0,
                              .length = (uint32_t)setting->length,
                              .iv_len = ow_lab_is_radio(setting->opcode) ? sizeof(radio_ivs[0])
                                                                         : setting->iv_len};
    jobs[i].flags |=
        setting->is_inverse && !all->is_mac && setting->tag_len != 0 ? OW_JOB_TAG_IN_SOURCE : 0;
    jobs[i].flags |=
        !setting->is_inverse && ow_lab_is_combined(setting->opcode) ? OW_JOB_APPEND_TAG : 0;
  }
  return context;
}

static ow_status load(struct context *context, const uint8_t *key) {
  const struct ow_lab_setting *setting = &context->setting;
  const bool is_xts = setting->opcode == OW_OP_AES_XTS;
  const size_t first = ow_lab_cipher_key_len(setting);
  struct ow_key_material material = {
      .properties = {.queues = 1, .encrypt = true, .decrypt = true, .mac = true},
      .opcode = (uint8_t)setting->opcode,
      .key_len = (uint8_t)setting->key_len,
      .key = key,
  };
  if (ow_lab_is_combined(setting->opcode)) {
    context->key.slot = next_slot++;
    return ow_key_load_pair(&device, context->key.slot, &material.properties, material.opcode, key,
                            first, key + first, setting->key_len - first);
  }
  if (setting->opcode >> 4 == OW_OP_AES_ECB >> 4) {
    material.opcode = OW_OP_NOP;
    material.key_len = (uint8_t)first;
    material.tweak_key = is_xts ? key + first : NULL;
  }
  struct ow_key_handle handle;
  const ow_status status = point_load_key(&device, &handle, next_slot++, &material);
  context->key = (struct ow_key){.slot = handle.slot, .generation = handle.generation};
  return status;
}

static int set_key(void *opened, const uint8_t *key) {
  struct context *context = opened;
  if (context->setting.key_len == 0) {
    return 1;
  }
  if (!context->is_loaded) {
    context->is_loaded = true;
    return load(context, key) == OW_OK;
  }
  memcpy(context->later_key, key, context->setting.key_len);
  context->key =
      (struct ow_key){.bytes = context->later_key, .key_len = (uint16_t)context->setting.key_len};
  if (context->setting.opcode == OW_OP_AES_XTS) {
    context->key.key_len /= 2;
    context->key.tweak_bytes = context->later_key + context->key.key_len;
  }
  return 1;
}

static struct ow_job *prepare(struct context *context, struct ow_lab_message *message) {
  const size_t place = (size_t)(message - all->messages);
  struct ow_job *job = &jobs[place];
  in_flight[given++ % POINT_MESSAGES] = (uint8_t)place;
  job->source = message->source;
  job->iv = message->iv;
  job->key = context->key;
  if (!all->is_mac) {
    job->destination = message->destination;
  }
  if (ow_lab_is_radio(context->setting.opcode)) {
    const uint8_t *iv = message->iv;
    radio_ivs[place].count =
        (uint32_t)iv[0] << 24 | (uint32_t)iv[1] << 16 | (uint32_t)iv[2] << 8 | iv[3];
    job->iv = (const uint8_t *)&radio_ivs[place];
  }
  if (context->setting.is_inverse && all->is_mac) {
    memcpy(job->tag, message->expected, sizeof(job->tag));
  }
  return job;
}

static int submit(void **contexts, struct ow_lab_message **list, uint32_t count) {
  struct ow_job *prepared[POINT_MESSAGES];
  if (announced_together != count && given == ended && platform.wait_interrupt != NULL) {
    announced_together = count;
    (void)ow_queue_set_interrupts(&queue, true, (uint16_t)count, 100000);
  }
  for (uint32_t i = 0; i < count; i++) {
    prepared[i] = prepare(contexts[i], list[i]);
  }
  return ow_queue_submit(&queue, NULL, prepared, count) == OW_OK ? 0 : -1;
}

/* Returns the job of the message that was submitted as number `at`. */
static struct ow_job *job_of(uint32_t at) {
  return &jobs[in_flight[at % POINT_MESSAGES]];
}

/* Waits for the jobs that were announced together first. */
static bool wait(void) {
  const uint32_t last = ended + (announced_together != 0 ? announced_together : 1u) - 1u;
  if (platform.wait_interrupt != NULL) {
    return ow_queue_wait(&queue, job_of(last)) == OW_OK;
  }
  const struct ow_job *const job = job_of(ended);
  while (job->status == OW_PENDING) {
    size_t finished = 0;
    const uint32_t begin = soc_cycles();
    if (ow_queue_poll(&queue, &finished) != OW_OK) {
      return false;
    }
    point_device.polling_cycles += finished == 0 ? soc_cycles() - begin : 0;
  }
  return true;
}

static int flush(void) {
  int count = 0;
  if (!wait()) {
    return -1;
  }
  for (; ended != given && job_of(ended)->status != OW_PENDING; ended++, count++) {
    if (job_of(ended)->status != OW_OK) {
      return -1;
    }
  }
  return count;
}

static int message_in(void *opened, struct ow_lab_message *message, const uint8_t *key) {
  void *contexts[] = {opened};
  struct ow_lab_message *list[] = {message};
  if (key) {
    set_key(opened, key);
  }
  return submit(contexts, list, 1) == 0 && flush() == 1;
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
      .submit = submit,
      .flush = flush,
      .close = close_context,
  };
  (void)library;
  point_platform(&platform);
  point_device.finish = finish;
  return point_open_queue(&device, &queue, &platform, ring_memory, slots, LOG2) ? &calls : NULL;
}
