/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Messages between the server and its clients, received and sent without waiting.
 */
#include "server.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* A message is taken at its exact length and alone. Descriptors that come with it are closed by the
 * kernel, for there is no room for them; the flag tells that there were any. */
enum heard ow_message_hear(int socket, struct shared_message *message) {
  struct iovec part = {.iov_base = message, .iov_len = sizeof(*message)};
  struct msghdr got = {.msg_iov = &part, .msg_iovlen = 1};
  ssize_t length = recvmsg(socket, &got, MSG_DONTWAIT);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) {
    return HEARD_NOTHING;
  }
  if ((got.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
    return HEARD_NONSENSE;
  }
  if (length == 1) {
    return HEARD_WAKE;
  }
  return length == (ssize_t)sizeof(*message) && message->magic == OW_SHARED_MAGIC &&
                 message->version == OW_SHARED_VERSION
             ? HEARD_MESSAGE
             : HEARD_NONSENSE;
}

bool ow_message_reply(int socket, const struct shared_answer *answer, int memory) {
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
