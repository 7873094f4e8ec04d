/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The small AES accelerator (rtl/lite): one key, one message at a time, words through registers.
 *
 * Of struct ow_platform only `context`, `read32` and `write32` are used. No call waits in a loop:
 * the device ends every access within 72 cycles. Data and keys may lie anywhere; input and output
 * may be the same. The functions are not safe against each other in several threads.
 */
#ifndef OUTWORK_LITE_H
#define OUTWORK_LITE_H

#include "outwork/lite_spec.h"
#include "outwork/platform.h"
#include "outwork/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ow_lite_operation { OW_LITE_ENCRYPT = 0, OW_LITE_DECRYPT = 1 } ow_lite_operation;

struct ow_lite {
  const struct ow_platform *platform;
};

/* Looks for the device; OW_NO_DEVICE if another or none answers. `platform` must outlive `lite`. */
ow_status ow_lite_open(struct ow_lite *lite, const struct ow_platform *platform);

/* Gives the device a key of 16, 24 or 32 bytes, in place of the one before. OW_BAD_KEY: another
 * length. OW_KEY_REFUSED: the device takes no key, because the tamper input is high. */
ow_status ow_lite_load_key(struct ow_lite *lite, const uint8_t *key, size_t key_len);
/* Erases key and data in the device. */
void ow_lite_zeroise(struct ow_lite *lite);

/* The calls below return OW_BAD_KEY if there is no key, OW_KEY_GONE if it was zeroised meanwhile,
 * and OW_BAD_ARGUMENT for a length that the mode does not have. After an error the output is zero.
 */

/* SP 800-38A 6.1. Length a multiple of 16. */
ow_status ow_lite_ecb_crypt(struct ow_lite *lite, void *output, ow_lite_operation operation,
                            const void *input, size_t length);
/* SP 800-38A 6.2. Length a multiple of 16. `iv` becomes the IV that continues the message. */
ow_status ow_lite_cbc_crypt(struct ow_lite *lite, void *output, uint8_t iv[16],
                            ow_lite_operation operation, const void *input, size_t length);
/* SP 800-38A 6.5; encryption and decryption are the same. Any length; `counter` becomes the next
 * counter block. */
ow_status ow_lite_ctr_crypt(struct ow_lite *lite, void *output, uint8_t counter[16],
                            const void *input, size_t length);

#ifdef __cplusplus
}
#endif

#endif
