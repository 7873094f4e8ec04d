/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Raises errors where the application reads them.
 *
 * An application that is linked to its own libcrypto also has its own error queue, which the core's
 * functions reach. Errors of the default provider are in the queue of the libcrypto that this
 * module is linked to, and are copied.
 */
#include "provider.h"

#include <stdarg.h>

void owp_errors_open(struct owp_provider *provider, const OSSL_DISPATCH *in) {
  struct owp_core_errors *core = &provider->core_errors;
  OSSL_FUNC_CRYPTO_malloc_fn *allocate = NULL;
  for (; in->function_id != 0; in++) {
    switch (in->function_id) {
    case OSSL_FUNC_CORE_NEW_ERROR:
      core->new_error = OSSL_FUNC_core_new_error(in);
      break;
    case OSSL_FUNC_CORE_SET_ERROR_DEBUG:
      core->set_debug = OSSL_FUNC_core_set_error_debug(in);
      break;
    case OSSL_FUNC_CORE_VSET_ERROR:
      core->vset_error = OSSL_FUNC_core_vset_error(in);
      break;
    case OSSL_FUNC_CRYPTO_MALLOC:
      allocate = OSSL_FUNC_CRYPTO_malloc(in);
      break;
    default:
      break;
    }
  }
  /* An application with its own libcrypto has other functions than ours. */
  core->apart = allocate != CRYPTO_malloc;
}

static void set(const struct owp_provider *provider, uint32_t code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  provider->core_errors.vset_error(provider->handle, code, format, arguments);
  va_end(arguments);
}

static bool begin(const struct owp_provider *provider, const char *file, int line,
                  const char *function) {
  const struct owp_core_errors *core = &provider->core_errors;
  if (core->new_error == NULL || core->set_debug == NULL || core->vset_error == NULL) {
    return false;
  }
  core->new_error(provider->handle);
  core->set_debug(provider->handle, file, line, function);
  return true;
}

int owp_raise(const struct owp_provider *provider, const char *file, int line, const char *function,
              int reason, const char *text) {
  if (begin(provider, file, line, function)) {
    set(provider, (uint32_t)ERR_PACK(ERR_LIB_PROV, 0, reason), text != NULL ? "%s" : NULL, text);
  }
  return 0;
}

void owp_carry_errors(const struct owp_provider *provider) {
  const char *file, *function, *text;
  int line, flags;
  unsigned long code;
  while ((code = ERR_get_error_all(&file, &line, &function, &text, &flags)) != 0) {
    bool has_text = (flags & ERR_TXT_STRING) != 0 && text[0] != '\0';
    if (begin(provider, file, line, function)) {
      set(provider, (uint32_t)code, has_text ? "%s" : NULL, text);
    }
  }
}
