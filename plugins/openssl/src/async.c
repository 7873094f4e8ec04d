/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Pauses an asynchronous job, and provides the descriptor that its application waits for.
 *
 * The plug-in finds completions by polling memory, so no event can wake the application. The
 * descriptor is therefore always readable: an event loop serves its other descriptors and then
 * resumes the job.
 */
#include "async.h"

#include <openssl/async.h>
#include <sys/eventfd.h>
#include <unistd.h>

static const char wait_key; /* its address is the key of our descriptor in a wait context */

static void close_descriptor(ASYNC_WAIT_CTX *context, const void *key, OSSL_ASYNC_FD descriptor,
                             void *data) {
  (void)context;
  (void)key;
  (void)data;
  close(descriptor);
}

/* Adds a readable descriptor to the wait context. Each context has its own: an event loop may
 * refuse to watch one descriptor twice. */
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
