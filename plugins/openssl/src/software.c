/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Opens the default provider in a library context of its own.
 */
#include "provider.h"

#include <strings.h>

bool owp_software_open(struct owp_provider *provider) {
  provider->libctx = OSSL_LIB_CTX_new();
  if (provider->libctx != NULL) {
    provider->software = OSSL_PROVIDER_load(provider->libctx, "default");
  }
  return provider->software != NULL;
}

void owp_software_close(struct owp_provider *provider) {
  if (provider->software != NULL) {
    OSSL_PROVIDER_unload(provider->software);
  }
  OSSL_LIB_CTX_free(provider->libctx);
}

bool owp_is_named(const char *names, const char *name) {
  size_t length = strlen(name);
  while (names != NULL) {
    const char *end = strchr(names, ':');
    size_t one = end != NULL ? (size_t)(end - names) : strlen(names);
    if (one == length && strncasecmp(names, name, length) == 0) {
      return true;
    }
    names = end != NULL ? end + 1 : NULL;
  }
  return false;
}

const OSSL_ALGORITHM *owp_software_find(const struct owp_provider *provider, int operation,
                                        const char *name) {
  int no_store;
  const OSSL_ALGORITHM *list =
      OSSL_PROVIDER_query_operation(provider->software, operation, &no_store);
  for (; list != NULL && list->algorithm_names != NULL; list++) {
    if (owp_is_named(list->algorithm_names, name)) {
      return list;
    }
  }
  return NULL;
}

bool owp_merge(OSSL_DISPATCH merged[OWP_DISPATCH_MAX], OSSL_DISPATCH first,
               const OSSL_DISPATCH *ours, const OSSL_DISPATCH *theirs, const int *passed) {
  size_t count = 0;
  merged[count++] = first;
  for (; ours->function_id != 0 && count < OWP_DISPATCH_MAX - 1; ours++) {
    merged[count++] = *ours;
  }
  for (; theirs->function_id != 0 && count < OWP_DISPATCH_MAX - 1; theirs++) {
    for (const int *number = passed; *number != 0; number++) {
      if (*number == theirs->function_id) {
        merged[count++] = *theirs;
      }
    }
  }
  merged[count] = (OSSL_DISPATCH){0, NULL};
  return ours->function_id == 0 && theirs->function_id == 0;
}

/* Returns the function that takes the place of theirs; with the number 0: none does. */
static OSSL_DISPATCH chosen(const OSSL_DISPATCH *ours, const OSSL_DISPATCH *theirs,
                            const int *passed) {
  for (; ours->function_id != 0; ours++) {
    if (ours->function_id == theirs->function_id) {
      return *ours;
    }
  }
  for (; *passed != 0; passed++) {
    if (*passed == theirs->function_id) {
      return *theirs;
    }
  }
  return (OSSL_DISPATCH){0, NULL};
}

bool owp_overlay(OSSL_DISPATCH merged[OWP_DISPATCH_MAX], OSSL_DISPATCH first,
                 const OSSL_DISPATCH *ours, const OSSL_DISPATCH *theirs, const int *passed) {
  size_t count = 0;
  merged[count++] = first;
  for (; theirs->function_id != 0 && count < OWP_DISPATCH_MAX - 1; theirs++) {
    merged[count] = chosen(ours, theirs, passed);
    count += merged[count].function_id != 0;
  }
  merged[count] = (OSSL_DISPATCH){0, NULL};
  return theirs->function_id == 0;
}
