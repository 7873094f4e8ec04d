/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Makes the provider known to the OpenSSL that is linked to the same static program, under the name
 * that its module has elsewhere: a static program cannot load modules.
 */
#include <openssl/crypto.h>
#include <openssl/provider.h>

OSSL_provider_init_fn OSSL_provider_init;

/* Runs before main, and so before OpenSSL reads its configuration or options name a provider. */
__attribute__((constructor)) static void add_provider(void) {
  (void)OSSL_PROVIDER_add_builtin(NULL, "outwork", OSSL_provider_init);
}
