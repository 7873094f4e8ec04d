/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Errors, raised where the application looks for them.
 *
 * An application that contains a libcrypto of its own has an error queue of its own too. The core's
 * functions reach it; what the default provider inside has raised lies in the queue of the
 * libcrypto that we were bound to, and is carried over.
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
  /* An application that contains a libcrypto has other functions than the one we were bound to. */
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
