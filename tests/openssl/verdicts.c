/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Marks the comparison results that a plug-in may make public: whether a tag or a padding is right.
 * The linker replaces the comparing functions by these (--wrap), in the same objects that users
 * get. COMPARE is the name of the library's comparison. With OUTWORK_TEST_LEAK set, tags are
 * compared in variable time, to prove that the test would detect it.
 */
#include <stdlib.h>

#include "rsa_padding.h"
#include "secret.h"

#define EXPORT             __attribute__((visibility("default")))
#define JOIN(prefix, name) prefix##name
#define REAL(name)         JOIN(__real_, name)
#define WRAP(name)         JOIN(__wrap_, name)

/* Returns the number of results made public so far. */
EXPORT unsigned verdicts_given(void);
int REAL(COMPARE)(const void *one, const void *other, size_t length);
int WRAP(COMPARE)(const void *one, const void *other, size_t length);
size_t REAL(ow_oaep_decode)(struct ow_encoded *em, const struct ow_rsa_padding *padding);
size_t WRAP(ow_oaep_decode)(struct ow_encoded *em, const struct ow_rsa_padding *padding);

static unsigned given;

EXPORT unsigned verdicts_given(void) {
  return given;
}

static int leaky(const uint8_t *one, const uint8_t *other, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (one[i] != other[i]) {
      return 1;
    }
  }
  return 0;
}

int WRAP(COMPARE)(const void *one, const void *other, size_t length) {
  int differ = getenv("OUTWORK_TEST_LEAK") != NULL ? leaky(one, other, length)
                                                   : REAL(COMPARE)(one, other, length);
  PUBLIC(&differ, sizeof(differ));
  given++;
  return differ;
}

size_t WRAP(ow_oaep_decode)(struct ow_encoded *em, const struct ow_rsa_padding *padding) {
  size_t start = REAL(ow_oaep_decode)(em, padding);
  PUBLIC(&start, sizeof(start));
  given++;
  return start;
}
