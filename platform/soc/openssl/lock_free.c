/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What OpenSSL asks of libatomic, which the cross compiler does not have; the rest of it is in its
 * own library.
 */
#include <stdbool.h>
#include <stddef.h>

bool is_lock_free(size_t size, const volatile void *object) __asm__("__atomic_is_lock_free");

/* Returns whether this CPU has instructions for objects of this size. Longer ones get a lock, from
 * OpenSSL too. */
bool is_lock_free(size_t size, const volatile void *object) {
  (void)object;
  return size <= sizeof(long);
}
