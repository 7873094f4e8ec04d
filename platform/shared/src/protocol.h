/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What client and server say to each other: messages on a socket, and a page that both see.
 */
#ifndef OUTWORK_SHARED_PROTOCOL_H
#define OUTWORK_SHARED_PROTOCOL_H

#include <stdatomic.h>

#include "outwork/shared.h"

/* From the client. A message of one byte says no more than `look into the page`. */
enum shared_word { SHARED_HELLO = 1, SHARED_KEY_LOAD, SHARED_KEY_ZEROISE };

struct shared_message {
  uint32_t magic;
  uint16_t version;
  uint16_t word;
  uint64_t bytes;      /* HELLO: memory wanted, without the page */
  uint16_t generation; /* KEY_ZEROISE: a struct ow_key_handle */
  uint8_t slot;
  /* KEY_LOAD: as struct ow_key_material; 0: no, others: yes. */
  uint8_t encrypt, decrypt, mac, lock, two_keys;
  uint8_t opcode, curve, key_len;
  uint8_t key[OW_KEY_KIND_MAX], tweak_key[32];
};

/* The answer. To HELLO the memory's descriptor comes with it. */
struct shared_answer {
  int32_t status;      /* ow_status */
  uint16_t generation; /* of the key that was loaded */
  uint8_t slot;
  uint8_t queue;
  uint64_t base; /* the page's, for the device */
  struct ow_capabilities capabilities;
};

/* Each member is written by one side only. The server trusts nothing here: offsets are checked, and
 * wrong values hurt this client's queue alone. */
struct shared_page {
  /* The client's. A doorbell waits for nobody. */
  _Atomic uint32_t doorbells; /* how many */
  _Atomic uint32_t doorbell;  /* the last one's value */
  _Atomic uint32_t asked;     /* a register access begins when this changes */
  _Atomic uint32_t offset;    /* in the queue's page */
  _Atomic uint32_t value;
  _Atomic uint32_t is_write;
  uint8_t apart[40]; /* another cache line */
  /* The server's. */
  _Atomic uint32_t answered; /* = asked: it is over */
  _Atomic uint32_t answer;
  _Atomic uint32_t asleep;       /* send a byte to wake it up; the client takes it back */
  _Atomic uint32_t looks;        /* at this page: a server that still works counts on */
  _Atomic uint64_t microseconds; /* of device time */
};
OW_STATIC_ASSERT(sizeof(struct shared_page) <= OW_SHARED_PAGE, "page");

#endif
