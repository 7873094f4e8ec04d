/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * wolfCrypt's own test, unchanged, with the callback on every context that it makes. Ends with
 * status 1 if it fails, if the device has counted fewer jobs than the callback, or if a job failed.
 */
#include <wolfssl/wolfcrypt/error-crypt.h>
#include <wolfssl/wolfcrypt/wc_port.h>

#include "library.h"
#include "outwork_wolfssl.h"
#include "wolfcrypt/test/test.h"

int library_wolfssl_random(unsigned char *bytes, unsigned length) {
  library_random(bytes, length);
  return 0;
}

int library_measure(void) {
  const struct ow_offload_settings settings = {.policy = "always"};
  struct ow_offload_totals totals;
  if (!library_open() || wolfCrypt_Init() != 0 ||
      ow_wolfssl_register(WC_USE_DEVID, &settings) != 0) {
    printf("The callback was not registered.\n");
    return 1;
  }
  const wc_test_ret_t result = wolfcrypt_test(NULL);
  ow_offload_totals(ow_wolfssl_offload(WC_USE_DEVID), &totals);
  const uint32_t counted = library_jobs();
  printf("jobs %lu of %lu, failures %lu\n", (unsigned long)counted, (unsigned long)totals.jobs,
         (unsigned long)totals.cpu_requests[OW_CPU_FAULT]);
  return result == 0 && totals.jobs != 0 && counted >= totals.jobs &&
                 totals.cpu_requests[OW_CPU_FAULT] == 0
             ? 0
             : 1;
}
