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
    return "The job is with the device.";
  case OW_UNSUPPORTED:
    return "This device cannot do it: use software.";
  case OW_BUSY:
    return "The ring is full: poll, then submit again.";
  case OW_AUTH_FAILED:
    return "The tag does not match: the data or the key is wrong.";
  case OW_BAD_ARGUMENT:
    return "The request is not allowed.";
  case OW_BAD_KEY:
    return "The key does not fit the operation.";
  case OW_KEY_DENIED:
    return "This queue may use no key in this slot, or not for this operation.";
  case OW_KEY_REFUSED:
    return "The key slot is locked, or no engine takes such a key.";
  case OW_WINDOW_VIOLATION:
    return "The job pointed outside the queue's address windows.";
  case OW_BUS_ERROR:
    return "Memory answered the device with an error.";
  case OW_TIMEOUT:
    return "The device took too long.";
  case OW_ABORTED:
    return "The job was stopped by a reset of its queue.";
  case OW_HALTED:
    return "The queue has halted and needs a reset.";
  case OW_NOT_ALLOWED:
    return "The owner of the device has not granted this queue.";
  case OW_NO_DEVICE:
    return "No Outwork device of this driver's version answers.";
  case OW_DEVICE_ERROR:
    return "The device answered with something this driver does not know.";
  case OW_FAULT:
    return "A result failed its check and did not leave: the key is not consistent, or the device "
           "erred.";
  case OW_KEY_GONE:
    return "The key was zeroised or replaced.";
  case OW_BAD_STATE:
    return "The state is not one that this device saved for this key and queue, or it has no seed.";
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
    return "memory out of the device's reach";
  case OW_FALLBACK_PIECES:
    return "too many pieces of payload or AAD";
  case OW_FALLBACK_RING:
    return "ring full";
  case OW_FALLBACK_DEVICE:
    return "queue halted or device silent";
  case OW_FALLBACK_POLICY:
    return "kept in software by policy";
  case OW_FALLBACK_ENTROPY:
    return "no entropy from the platform";
  case OW_FALLBACK_COUNT:
    break;
  }
  return "not a reason of this driver";
}
