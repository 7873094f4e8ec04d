/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Statuses and fallback reasons as text.
 */
#include "outwork/status.h"

const char *ow_status_text(ow_status status) {
  switch (status) {
  case OW_OK:
    return "Done.";
  case OW_PENDING:
    return "The device has the job.";
  case OW_UNSUPPORTED:
    return "Not possible on this device: use software.";
  case OW_BUSY:
    return "The ring is full: poll, then submit again.";
  case OW_AUTH_FAILED:
    return "The tag does not match: the data or the key is wrong.";
  case OW_BAD_ARGUMENT:
    return "The request is not allowed.";
  case OW_BAD_KEY:
    return "The key does not fit the operation.";
  case OW_KEY_DENIED:
    return "This queue may not use the key slot, or not for this operation.";
  case OW_KEY_REFUSED:
    return "The key slot is locked, or no engine has such keys.";
  case OW_WINDOW_VIOLATION:
    return "An address of the job is outside the queue's windows.";
  case OW_BUS_ERROR:
    return "The device received a bus error from memory.";
  case OW_TIMEOUT:
    return "The device did not answer in time, or the watchdog ended the job.";
  case OW_ABORTED:
    return "A reset of the queue ended the job.";
  case OW_HALTED:
    return "The queue has halted and needs a reset.";
  case OW_NOT_ALLOWED:
    return "The owner of the device has not granted this queue.";
  case OW_NO_DEVICE:
    return "No Outwork device of this driver's version answers.";
  case OW_DEVICE_ERROR:
    return "The device returned a value that this driver does not know.";
  case OW_FAULT:
    return "The check of a result failed and the result was dropped: inconsistent key, or faulty "
           "device.";
  case OW_KEY_GONE:
    return "The key was zeroised or replaced.";
  case OW_BAD_STATE:
    return "The message cannot be continued: its state is not of this device, key and queue, or "
           "the "
           "device has no seed.";
  case OW_WIPE_FAILED:
    return "The job failed, and the device could not zero the destination.";
  }
  return "Not a status of this driver.";
}

const char *ow_fallback_text(ow_fallback reason) {
  switch (reason) {
  case OW_FALLBACK_OPCODE:
    return "operation not in this build, or not in pieces";
  case OW_FALLBACK_LENGTH:
    return "too long for one job";
  case OW_FALLBACK_MEMORY:
    return "memory not accessible to the device";
  case OW_FALLBACK_PIECES:
    return "too many pieces of payload or AAD";
  case OW_FALLBACK_RING:
    return "ring full";
  case OW_FALLBACK_DEVICE:
    return "queue halted or device not answering";
  case OW_FALLBACK_POLICY:
    return "kept in software by policy";
  case OW_FALLBACK_ENTROPY:
    return "no entropy from the platform";
  case OW_FALLBACK_COUNT:
    break;
  }
  return "not a reason of this driver";
}
