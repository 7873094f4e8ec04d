/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Receives messages with files from a socket: how guests hand over their memory.
 */
#ifndef OUTWORK_MESSAGES_H
#define OUTWORK_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>

#define OW_MESSAGE_FILES 8u

/* Receives the head of a message and the files that come with it. `files` has OW_MESSAGE_FILES
 * places, of which those behind the last file become -1; close them with ow_message_close(), also
 * after a failure. Returns the bytes of the head: less than asked for if the other side has ended
 * (0) or breaks the protocol. */
size_t ow_message_head(int socket, void *head, size_t head_len, int *files);
/* Receives what is behind the head. Returns whether all of it came. */
bool ow_message_body(int socket, void *body, size_t body_len);
void ow_message_close(const int *files);

#endif
