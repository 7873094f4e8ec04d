/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The protocol of client and server: messages on a socket, and a page in shared memory.
 */
#ifndef OUTWORK_SHARED_PROTOCOL_H
#define OUTWORK_SHARED_PROTOCOL_H

#include <stdatomic.h>

#include "outwork/shared.h"

/* Requests of the client. A message of one byte wakes the server, which then reads the page. */
enum shared_request { SHARED_HELLO = 1, SHARED_KEY_LOAD, SHARED_KEY_ZEROISE };

struct shared_message {
  uint32_t magic;
  uint16_t version;
  uint16_t request;
  uint64_t bytes;      /* HELLO: size of the memory, without the page */
  uint16_t generation; /* KEY_ZEROISE: a struct ow_key_handle */
  uint8_t slot;
  /* KEY_LOAD: as struct ow_key_material; 0: no, others: yes. */
  uint8_t encrypt, decrypt, mac, lock, two_keys, reserve;
  uint8_t opcode, curve, key_len;
  uint8_t key[OW_KEY_KIND_MAX], tweak_key[32];
};

/* The answer. That to HELLO carries the file descriptor of the memory. */
struct shared_answer {
  int32_t status;      /* ow_status */
  uint16_t generation; /* of the loaded key */
  uint8_t slot;
  uint8_t queue;
  uint64_t base; /* address of the page as the device sees it */
  struct ow_capabilities capabilities;
};

/* Each member is written by one side only. The server checks every offset that it reads here; wrong
 * values affect the queue of this client only. */
struct shared_page {
  /* Written by the client. A doorbell is not acknowledged. */
  _Atomic uint32_t doorbells; /* count of doorbell writes */
  _Atomic uint32_t doorbell;  /* value of the last one */
  _Atomic uint32_t asked;     /* changes when a register access starts */
  _Atomic uint32_t offset;    /* in the queue's page */
  _Atomic uint32_t value;
  _Atomic uint32_t is_write;
  uint8_t padding[40]; /* to the next cache line */
  /* Written by the server. */
  _Atomic uint32_t answered; /* equals `asked` when the access has ended */
  _Atomic uint32_t answer;
  _Atomic uint32_t asleep;       /* not 0: send a byte to wake the server; the client clears it */
  _Atomic uint32_t polls;        /* how often the server has polled this page: proof of life */
  _Atomic uint64_t microseconds; /* of device time */
};
OW_STATIC_ASSERT(sizeof(struct shared_page) <= OW_SHARED_PAGE, "page");

#endif
