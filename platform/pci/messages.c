/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The functions of messages.h.
 */
#include "messages.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

size_t ow_message_head(int socket, void *head, size_t head_len, int *files) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * OW_MESSAGE_FILES)];
  } control;
  struct iovec part = {.iov_base = head, .iov_len = head_len};
  struct msghdr header = {.msg_iov = &part,
                          .msg_iovlen = 1,
                          .msg_control = &control,
                          .msg_controllen = sizeof(control)};
  memset(files, -1, sizeof(int) * OW_MESSAGE_FILES);
  const ssize_t got = recvmsg(socket, &header, MSG_WAITALL | MSG_CMSG_CLOEXEC);
  if (got <= 0) {
    return 0;
  }
  for (struct cmsghdr *each = CMSG_FIRSTHDR(&header); each != NULL;
       each = CMSG_NXTHDR(&header, each)) {
    if (each->cmsg_level == SOL_SOCKET && each->cmsg_type == SCM_RIGHTS) {
      memcpy(files, CMSG_DATA(each), each->cmsg_len - CMSG_LEN(0));
    }
  }
  return (size_t)got;
}

bool ow_message_body(int socket, void *body, size_t body_len) {
  return body_len == 0 || recv(socket, body, body_len, MSG_WAITALL) == (ssize_t)body_len;
}

void ow_message_close(const int *files) {
  for (size_t i = 0; i < OW_MESSAGE_FILES; i++) {
    if (files[i] >= 0) {
      close(files[i]);
    }
  }
}
