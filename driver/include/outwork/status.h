/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Status codes of calls and jobs, and the reasons why work was left to software.
 */
#ifndef OUTWORK_STATUS_H
#define OUTWORK_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ow_status {
  OW_OK = 0,               /* Done. */
  OW_PENDING = 1,          /* The device has the job. */
  OW_UNSUPPORTED = 2,      /* Not on this device: use software. Nothing was done. */
  OW_BUSY = 3,             /* The ring is full: poll, then submit again. Nothing was dropped. */
  OW_AUTH_FAILED = 4,      /* The tag does not match. The destination holds zeros. */
  OW_BAD_ARGUMENT = 5,     /* The request is not allowed by the standard or by this interface. */
  OW_BAD_KEY = 6,          /* The key does not fit the operation. */
  OW_KEY_DENIED = 7,       /* This queue may not use this slot, or not for this operation. */
  OW_KEY_REFUSED = 8,      /* The slot is locked, or no engine has such keys. */
  OW_WINDOW_VIOLATION = 9, /* An address of the job is outside the queue's windows. */
  OW_BUS_ERROR = 10,       /* A bus error. The contents of the destination are undefined. */
  OW_TIMEOUT = 11,         /* The device did not answer in time, or the watchdog ended the job. */
  OW_ABORTED = 12,         /* A reset of the queue ended the job. Destination: undefined. */
  OW_HALTED = 13,          /* The queue has halted (ow_queue_halt_reason()): reset it. */
  OW_NOT_ALLOWED = 14,     /* The owner of the device has not granted this queue. */
  OW_NO_DEVICE = 15,       /* No Outwork device answers here, or one of another version. */
  OW_DEVICE_ERROR = 16,    /* The device returned a value that this driver does not know. */
  OW_FAULT = 17,    /* A result failed its check and was dropped: bad key or faulty device. */
  OW_KEY_GONE = 18, /* The key was zeroised or replaced, before or during the job. */
  /* A message in pieces under a key in a slot cannot be continued: its state was changed, belongs
   * to another key, queue or seed, or the device has no seed. */
  OW_BAD_STATE = 19,
  /* The job failed, and the device could not zero the destination. It may hold text of a message
   * whose tag is wrong, unless the call that ran the job has zeroed it (ow_queue_run()). */
  OW_WIPE_FAILED = 20
} ow_status;

/* Returns a sentence for the user. */
const char *ow_status_text(ow_status status);

/* Reasons for OW_UNSUPPORTED and OW_BUSY. Each queue counts them (struct ow_queue, fallbacks). */
typedef enum ow_fallback {
  OW_FALLBACK_OPCODE = 0,  /* This build has no such operation, or not in pieces (CCM). */
  OW_FALLBACK_LENGTH = 1,  /* Longer than one job can be. */
  OW_FALLBACK_MEMORY = 2,  /* The memory is not accessible to the device. */
  OW_FALLBACK_PIECES = 3,  /* Too many pieces, or AAD in pieces of more than 64 bytes together. */
  OW_FALLBACK_RING = 4,    /* The ring was full. */
  OW_FALLBACK_DEVICE = 5,  /* The queue has halted, or the device does not answer. */
  OW_FALLBACK_POLICY = 6,  /* The policy keeps this size in software (ow_queue_fallback_add()). */
  OW_FALLBACK_ENTROPY = 7, /* The platform has no entropy for blinding and keys. */
  OW_FALLBACK_COUNT = 8
} ow_fallback;

/* Returns a few words for a table. */
const char *ow_fallback_text(ow_fallback reason);

#ifdef __cplusplus
}
#endif

#endif
