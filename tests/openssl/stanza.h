/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Reads OpenSSL's test data: stanzas of lines `Name = value`, separated by empty lines; a key is
 * followed by its PEM.
 */
#ifndef OUTWORK_TEST_OPENSSL_STANZA_H
#define OUTWORK_TEST_OPENSSL_STANZA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STANZA_FIELDS 16u

struct field {
  char name[32];
  char *text;
  /* decoded from hexadecimal digits or "text in quotes" */
  uint8_t *bytes;
  size_t length;
};

struct stanza {
  const char *file;
  unsigned line;
  struct field fields[STANZA_FIELDS];
  unsigned fields_len;
  /* NULL: none */
  char *pem;
};

const struct field *stanza_find(const struct stanza *stanza, const char *name);
/* Returns a field; an empty one, with length 0, if it is missing. */
struct field stanza_get(const struct stanza *stanza, const char *name);
bool stanza_is(const struct stanza *stanza, const char *name, const char *value);
/* Runs `play` for each stanza. Ends the program if the file cannot be read. */
void stanza_play_file(const char *path, void (*play)(const struct stanza *stanza));

#endif
