/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The device's side of vhost-user, as User Mode Linux speaks it: one peer, two split rings, one of
 * commands and one of messages to the peer.
 *
 * Commands come in band (the protocol's feature INBAND_NOTIFICATIONS), and the peer waits for the
 * answer: each is carried out before its peer goes on.
 */
#ifndef OUTWORK_VHOST_H
#define OUTWORK_VHOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a command, and of its answer. */
#define OW_VHOST_COMMAND_BYTES 4096u
#define OW_VHOST_RINGS         2u
#define OW_VHOST_REGIONS       2u

struct ow_vhost_handler {
  void *context;
  /* Carries out a command; fills `answer`. */
  void (*command)(void *context, uint8_t *answer, size_t answer_len, const uint8_t *command,
                  size_t command_len);
  /* The peer's memory, at the addresses that it has for the peer too. Returns false: of no use. */
  bool (*memory)(void *context, void *memory, size_t length);
};

struct ow_vhost_descriptor;

struct ow_vhost_ring {
  struct ow_vhost_descriptor *descriptors;
  volatile uint16_t *available, *used;
  uint16_t entries, taken, done;
  bool is_on;
};

struct ow_vhost {
  struct ow_vhost_handler handler;
  /* -1: none yet. The second one has calls to the peer. */
  int socket, calls;
  struct ow_vhost_ring ring[OW_VHOST_RINGS];
  /* the peer's memory */
  struct {
    uint8_t *begin;
    size_t length;
  } region[OW_VHOST_REGIONS];
  size_t regions;
  /* commands since the peer was last told that their buffers are free */
  uint32_t unannounced;
};

/* Makes a socket for a peer. Returns -1, with errno set, if that fails. */
int ow_vhost_listen(const char *path);
/* Waits for the peer. Returns false, with errno set, if that fails. */
bool ow_vhost_open(struct ow_vhost *vhost, int listener, const struct ow_vhost_handler *handler);
/* Handles one message of the peer, for which it waits. Returns false if the peer has gone, or
 * breaks the protocol: then a line on stderr says how. */
bool ow_vhost_serve(struct ow_vhost *vhost);
/* Sends a message. Returns false if the peer has no buffer for it: once it has, it is served. */
bool ow_vhost_send(struct ow_vhost *vhost, const void *message, size_t length);
void ow_vhost_close(struct ow_vhost *vhost);

#endif
