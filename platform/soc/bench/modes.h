/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * An implementation of AES that modes.c measures: each is a file modes_<name>.c.
 */
#ifndef MODES_H
#define MODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mode { MODE_ECB, MODE_CBC, MODE_CTR, MODES };

extern const char *const modes_name;

/* Opens what the implementation needs. */
bool modes_open(void);

/* Sets the key of 16 or 32 bytes for what follows. */
bool modes_set_key(const uint8_t *key, size_t key_len);

/* Encrypts whole blocks in place. `iv` is the IV or the first counter block; it may be changed. */
bool modes_encrypt(enum mode mode, uint8_t *message, uint32_t length, uint8_t iv[16]);

/* Returns how many jobs the device has counted; 0: it counts none. */
uint32_t modes_jobs(void);

#endif
