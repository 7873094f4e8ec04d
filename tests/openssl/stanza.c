/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Reads files of stanzas.
 */
#include "stanza.h"

#include <ctype.h>

#include "check.h"

const struct field *stanza_find(const struct stanza *stanza, const char *name) {
  for (unsigned i = 0; i < stanza->fields_len; i++) {
    if (strcmp(stanza->fields[i].name, name) == 0) {
      return &stanza->fields[i];
    }
  }
  return NULL;
}

struct field stanza_get(const struct stanza *stanza, const char *name) {
  const struct field *field = stanza_find(stanza, name);
  return field != NULL ? *field : (struct field){.text = ""};
}

bool stanza_is(const struct stanza *stanza, const char *name, const char *value) {
  return strcmp(stanza_get(stanza, name).text, value) == 0;
}

static void parse(struct field *field, char *value) {
  size_t length = strlen(value);
  field->text = strdup(value);
  field->bytes = malloc(length + 1);
  CHECK(field->text != NULL && field->bytes != NULL);
  if (value[0] == '"') {
    field->length = length - 2;
    memcpy(field->bytes, value + 1, field->length);
    return;
  }
  for (size_t i = 0; i + 1 < length && isxdigit((unsigned char)value[i]); i += 2) {
    unsigned byte = 0;
    sscanf(value + i, "%2x", &byte);
    field->bytes[field->length++] = (uint8_t)byte;
  }
}

static void add_pem(struct stanza *stanza, const char *line) {
  size_t before = stanza->pem != NULL ? strlen(stanza->pem) : 0;
  stanza->pem = realloc(stanza->pem, before + strlen(line) + 2);
  CHECK(stanza->pem != NULL);
  sprintf(stanza->pem + before, "%s\n", line);
}

static void end(struct stanza *stanza, void (*play)(const struct stanza *)) {
  play(stanza);
  for (unsigned i = 0; i < stanza->fields_len; i++) {
    free(stanza->fields[i].text);
    free(stanza->fields[i].bytes);
  }
  free(stanza->pem);
  *stanza = (struct stanza){.file = stanza->file, .line = stanza->line};
}

void stanza_play_file(const char *path, void (*play)(const struct stanza *)) {
  FILE *file = fopen(path, "r");
  struct stanza stanza = {.file = path};
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  bool in_pem = false;
  if (file == NULL) {
    fprintf(stderr, "%s cannot be read\n", path);
    exit(1);
  }
  while ((length = getline(&line, &room, file)) >= 0) {
    while (length > 0 && isspace((unsigned char)line[length - 1])) {
      line[--length] = '\0';
    }
    stanza.line++;
    char *equals = strchr(line, '=');
    in_pem = in_pem || strncmp(line, "-----BEGIN", 10) == 0;
    if (length == 0) {
      end(&stanza, play);
      in_pem = false;
    } else if (in_pem) {
      add_pem(&stanza, line);
      in_pem = strncmp(line, "-----END", 8) != 0;
    } else if (line[0] != '#' && equals != NULL && stanza.fields_len < STANZA_FIELDS) {
      struct field *field = &stanza.fields[stanza.fields_len++];
      sscanf(line, "%31[A-Za-z]", field->name);
      parse(field, equals[1] == ' ' ? equals + 2 : equals + 1);
    }
  }
  end(&stanza, play);
  free(line);
  fclose(file);
}
