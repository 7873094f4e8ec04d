/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The timed loop, the adapter that does nothing, and the chain of additions that measures the CPU's
 * frequency.
 */
#include "adapter.h"

#include <stdbool.h>

static void count_up(uint8_t *bytes, uint32_t bytes_len) {
  for (uint32_t at = bytes_len; at-- > 0;) {
    if (++bytes[at] != 0) {
      break;
    }
  }
}

static uint32_t after(uint32_t index, uint32_t length) {
  return index + 1 == length ? 0 : index + 1;
}

/* Returns the message of the next turn, with its IV and its key. */
static struct ow_lab_message *next_message(struct ow_lab_work *work) {
  struct ow_lab_message *message = &work->messages[work->next_message];
  work->next_message = after(work->next_message, work->messages_len);
  if (work->counts_up) {
    count_up(message->iv, work->setting.iv_len);
    if (work->keys >= OW_LAB_NEW_KEY) {
      count_up(message->key, 8); /* the first bytes: the two keys of XTS stay different */
    }
  }
  return message;
}

static void *next_context(struct ow_lab_work *work) {
  void *context = work->contexts[work->next_context];
  work->next_context = after(work->next_context, work->contexts_len);
  return context;
}

static bool in_new_context(struct ow_lab_work *work, struct ow_lab_message *message) {
  const struct ow_lab_calls *calls = work->calls;
  void *context = calls->open(&work->setting);
  const bool good = context && calls->message(context, message, message->key);
  if (context) {
    calls->close(context);
  }
  return good;
}

static uint64_t one_at_a_time(struct ow_lab_work *work, uint64_t turns) {
  const struct ow_lab_calls *calls = work->calls;
  uint64_t wrong = 0;
  if (work->keys == OW_LAB_KEPT) {
    wrong += !calls->begin(work->contexts[0], work->messages);
  }
  for (uint64_t turn = 0; turn < turns; turn++) {
    struct ow_lab_message *message;
    switch (work->keys) {
    case OW_LAB_KEPT:
      wrong += !calls->piece(work->contexts[0], work->messages);
      break;
    case OW_LAB_PREPARED:
      message = next_message(work);
      wrong += !calls->message(next_context(work), message, NULL);
      break;
    case OW_LAB_NEW_KEY:
      message = next_message(work);
      wrong += !calls->message(next_context(work), message, message->key);
      break;
    default:
      wrong += !in_new_context(work, next_message(work));
    }
  }
  return wrong;
}

/* Runs turns with at most messages_len in flight. New keys need as many contexts, so that none
 * changes while it is in use. */
static uint64_t many_in_flight(struct ow_lab_work *work, uint64_t turns) {
  const struct ow_lab_calls *calls = work->calls;
  void *contexts[OW_LAB_BATCH_MAX];
  struct ow_lab_message *messages[OW_LAB_BATCH_MAX];
  uint64_t given = 0, done = 0, wrong = 0;
  while (done < turns) {
    const uint64_t left = turns - given;
    const uint32_t count = left < work->batch ? (uint32_t)left : work->batch;
    int ended;
    if (count > 0 && given - done + count <= work->messages_len) {
      for (uint32_t at = 0; at < count; at++) {
        contexts[at] = next_context(work);
        messages[at] = next_message(work);
        if (work->keys == OW_LAB_NEW_KEY) {
          wrong += !calls->set_key(contexts[at], messages[at]->key);
        }
      }
      ended = calls->submit(contexts, messages, count);
      given += count;
    } else {
      ended = calls->flush();
      /* the submitted messages are lost; without this the loop would not end */
      wrong += ended == 0;
      done += ended == 0 ? given - done : 0;
    }
    if (ended < 0) {
      return wrong + turns;
    }
    done += (uint64_t)ended;
  }
  return wrong;
}

OW_LAB_EXPORT uint64_t ow_lab_run(uint64_t *nanoseconds, struct ow_lab_work *work, uint64_t turns) {
  const uint64_t start = ow_lab_clock();
  const uint64_t wrong =
      work->messages_len > 1 ? many_in_flight(work, turns) : one_at_a_time(work, turns);
  *nanoseconds = ow_lab_clock() - start;
  return wrong;
}

OW_LAB_EXPORT uint64_t ow_lab_additions(uint64_t count) {
  uint64_t sum = count;
  uint64_t addend = 1;
  const uint64_t start = ow_lab_clock();
  for (uint64_t turn = 0; turn < count / 16; turn++) {
#define ADD                                                                                        \
  __asm__ volatile("" : "+r"(sum), "+r"(addend));                                                  \
  sum += addend;
    ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD
#undef ADD
  }
  __asm__ volatile("" : : "r"(sum));
  return ow_lab_clock() - start;
}

static const char *empty_version(void) {
  return "nothing";
}
static const char *empty_instructions(void) {
  return "aes=0";
}
static const char *empty_refuses(const struct ow_lab_setting *setting) {
  (void)setting;
  return NULL;
}
static void *empty_open(const struct ow_lab_setting *setting) {
  static char context;
  (void)setting;
  return &context;
}
static int empty_set_key(void *context, const uint8_t *key) {
  (void)context, (void)key;
  return 1;
}
static int empty_message(void *context, struct ow_lab_message *message, const uint8_t *key) {
  (void)context, (void)message, (void)key;
  return 1;
}
static int empty_piece(void *context, struct ow_lab_message *message) {
  (void)context, (void)message;
  return 1;
}
static int empty_submit(void **contexts, struct ow_lab_message **messages, uint32_t count) {
  (void)contexts, (void)messages;
  return (int)count;
}
static int empty_flush(void) {
  return 1;
}
static void empty_close(void *context) {
  (void)context;
}

OW_LAB_EXPORT const struct ow_lab_calls *ow_lab_empty(void) {
  static const struct ow_lab_calls calls = {
      .version = empty_version,
      .instructions = empty_instructions,
      .refuses = empty_refuses,
      .open = empty_open,
      .set_key = empty_set_key,
      .message = empty_message,
      .begin = empty_piece,
      .piece = empty_piece,
      .end = empty_piece,
      .submit = empty_submit,
      .flush = empty_flush,
      .close = empty_close,
  };
  return &calls;
}
