/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Pausing, and the descriptor that an application waits for.
 *
 * The device's completions are found by looking at memory, so there is nothing to wait for but the
 * next look: the descriptor is always readable, and an event loop comes back at once, after it has
 * served whatever else there is.
 */
#include "async.h"

#include <openssl/async.h>
#include <sys/eventfd.h>
#include <unistd.h>

static const char wait_key; /* its address names our descriptor in a wait context */

static void close_descriptor(ASYNC_WAIT_CTX *context, const void *key, OSSL_ASYNC_FD descriptor,
                             void *data) {
  (void)context;
  (void)key;
  (void)data;
  close(descriptor);
}

/* Each wait context has its own: an event loop may refuse to watch one twice. */
static bool ready(ASYNC_WAIT_CTX *context) {
  OSSL_ASYNC_FD descriptor;
  void *data;
  if (ASYNC_WAIT_CTX_get_fd(context, &wait_key, &descriptor, &data)) {
    return true;
  }
  descriptor = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0) {
    return false;
  }
  if (!ASYNC_WAIT_CTX_set_wait_fd(context, &wait_key, descriptor, NULL, close_descriptor)) {
    close(descriptor);
    return false;
  }
  return true;
}

bool owp_async_may_pause(void) {
  ASYNC_JOB *job = ASYNC_get_current_job();
  return job != NULL && ready(ASYNC_get_wait_ctx(job));
}

void owp_async_pause(void) {
  (void)ASYNC_pause_job();
}
