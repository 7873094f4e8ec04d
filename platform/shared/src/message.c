/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Receives and sends the messages between the server and its clients; never blocks.
 */
#include "server.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* Accepts a message of its exact length, without file descriptors: the kernel closes those, because
 * there is no space for control data, and sets MSG_CTRUNC. */
enum received ow_message_receive(int socket, struct shared_message *message) {
  struct iovec part = {.iov_base = message, .iov_len = sizeof(*message)};
  struct msghdr got = {.msg_iov = &part, .msg_iovlen = 1};
  ssize_t length = recvmsg(socket, &got, MSG_DONTWAIT);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) {
    return RECEIVED_NOTHING;
  }
  if ((got.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
    return RECEIVED_INVALID;
  }
  if (length == 1) {
    return RECEIVED_WAKE;
  }
  return length == (ssize_t)sizeof(*message) && message->magic == OW_SHARED_MAGIC &&
                 message->version == OW_SHARED_VERSION
             ? RECEIVED_MESSAGE
             : RECEIVED_INVALID;
}

bool ow_message_send(int socket, const struct shared_answer *answer, int memory) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {.room = {0}};
  struct shared_answer sent = *answer;
  struct iovec part = {.iov_base = &sent, .iov_len = sizeof(sent)};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (memory >= 0) {
    control.header.cmsg_len = CMSG_LEN(sizeof(int));
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.header), &memory, sizeof(memory));
    message.msg_control = control.room;
    message.msg_controllen = sizeof(control.room);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof(sent);
}
