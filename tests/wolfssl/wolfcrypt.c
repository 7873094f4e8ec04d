/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * wolfCrypt's own test and benchmark with the callback: wolfSSL's unchanged programs with our
 * identifier (WC_USE_DEVID); the device must have done a part of the work.
 *
 *   wolfssl_wolfcrypt LIBRARY test|symmetric|benchmark [argument…]
 *
 * `symmetric` is the test with public keys left to software: simulating them takes many minutes.
 */
#include "rig.h"

/* Of wolfcrypt/test/test.c and wolfcrypt/benchmark/benchmark.c. */
long wolfcrypt_test_main(int argc, char **argv);
int wolfcrypt_benchmark_main(int argc, char **argv);

int main(int argc, char **argv) {
  CHECK(argc >= 3);
  bool is_test = strcmp(argv[2], "benchmark") != 0;
  if (strcmp(argv[2], "symmetric") == 0) {
    rig_open_for(argv[1], OW_OP_AES_ECB, OW_OP_TDES_CBC);
  } else {
    rig_open(argv[1]);
  }
  long result =
      is_test ? wolfcrypt_test_main(1, argv + 2) : wolfcrypt_benchmark_main(argc - 2, argv + 2);
  CHECK_EQUAL(result, 0);
  printf("jobs of the device: %llu; failures: %llu\n", (unsigned long long)rig_jobs(),
         (unsigned long long)rig_failures());
  CHECK(rig_jobs() >= (is_test ? 500 : 1));
  CHECK_EQUAL(rig_failures(), 0);
  rig_close();
  return 0;
}
