/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The table of digests, and the default provider's functions for each.
 */
#include "digest.h"

#define NEWCTX(name, index, opcode)                                                                \
  static void *name(void *provider) {                                                              \
    return owp_digest_new(provider, index, opcode);                                                \
  }
NEWCTX(new_sha1, OWP_SHA1, OW_OP_SHA1)
NEWCTX(new_sha224, OWP_SHA224, OW_OP_SHA224)
NEWCTX(new_sha256, OWP_SHA256, OW_OP_SHA256)
NEWCTX(new_sha384, OWP_SHA384, OW_OP_SHA384)
NEWCTX(new_sha512, OWP_SHA512, OW_OP_SHA512)
NEWCTX(new_sha512_224, OWP_SHA512_224, OW_OP_SHA512_224)
NEWCTX(new_sha512_256, OWP_SHA512_256, OW_OP_SHA512_256)
NEWCTX(new_sha3_224, OWP_SHA3_224, OW_OP_SHA3_224)
NEWCTX(new_sha3_256, OWP_SHA3_256, OW_OP_SHA3_256)
NEWCTX(new_sha3_384, OWP_SHA3_384, OW_OP_SHA3_384)
NEWCTX(new_sha3_512, OWP_SHA3_512, OW_OP_SHA3_512)
NEWCTX(new_shake_128, OWP_SHAKE_128, OW_OP_SHAKE128)
NEWCTX(new_shake_256, OWP_SHAKE_256, OW_OP_SHAKE256)

static const struct {
  const char *name;
  OSSL_FUNC_digest_newctx_fn *newctx;
} kinds[OWP_DIGESTS] = {
    [OWP_SHA1] = {"SHA1", new_sha1},
    [OWP_SHA224] = {"SHA2-224", new_sha224},
    [OWP_SHA256] = {"SHA2-256", new_sha256},
    [OWP_SHA384] = {"SHA2-384", new_sha384},
    [OWP_SHA512] = {"SHA2-512", new_sha512},
    [OWP_SHA512_224] = {"SHA2-512/224", new_sha512_224},
    [OWP_SHA512_256] = {"SHA2-512/256", new_sha512_256},
    [OWP_SHA3_224] = {"SHA3-224", new_sha3_224},
    [OWP_SHA3_256] = {"SHA3-256", new_sha3_256},
    [OWP_SHA3_384] = {"SHA3-384", new_sha3_384},
    [OWP_SHA3_512] = {"SHA3-512", new_sha3_512},
    [OWP_SHAKE_128] = {"SHAKE-128", new_shake_128},
    [OWP_SHAKE_256] = {"SHAKE-256", new_shake_256},
};

static const int passed[] = {OSSL_FUNC_DIGEST_GET_PARAMS, OSSL_FUNC_DIGEST_GETTABLE_PARAMS,
                             OSSL_FUNC_DIGEST_GETTABLE_CTX_PARAMS,
                             OSSL_FUNC_DIGEST_SETTABLE_CTX_PARAMS, 0};

#define TAKE(ID, member)                                                                           \
  case OSSL_FUNC_DIGEST_##ID:                                                                      \
    calls->member = OSSL_FUNC_digest_##member(theirs);                                             \
    break

static bool take_calls(struct owp_digest_calls *calls, const OSSL_DISPATCH *theirs, void *context) {
  *calls = (struct owp_digest_calls){.context = context};
  for (; theirs->function_id != 0; theirs++) {
    switch (theirs->function_id) {
      TAKE(NEWCTX, newctx);
      TAKE(FREECTX, freectx);
      TAKE(DUPCTX, dupctx);
      TAKE(INIT, init);
      TAKE(UPDATE, update);
      TAKE(FINAL, final);
      TAKE(GET_CTX_PARAMS, get_ctx_params);
      TAKE(SET_CTX_PARAMS, set_ctx_params);
#ifdef OSSL_FUNC_DIGEST_SQUEEZE
      TAKE(SQUEEZE, squeeze);
#endif
    default:
      break;
    }
  }
  return calls->newctx != NULL && calls->freectx != NULL && calls->dupctx != NULL &&
         calls->init != NULL && calls->update != NULL && calls->final != NULL;
}

/* Returns the bytes of a digest, of a SHAKE the default length; 0: unknown. */
static size_t default_len(const OSSL_DISPATCH *theirs) {
  size_t length = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_DIGEST_PARAM_SIZE, &length),
                         OSSL_PARAM_construct_end()};
  for (; theirs->function_id != 0; theirs++) {
    if (theirs->function_id == OSSL_FUNC_DIGEST_GET_PARAMS &&
        !OSSL_FUNC_digest_get_params(theirs)(params)) {
      length = 0;
    }
  }
  return length;
}

/* Lists our functions: the required ones, and each optional one that the default provider has. */
static void ours_like(OSSL_DISPATCH ours[OWP_DISPATCH_MAX], const OSSL_DISPATCH *theirs) {
  size_t count = 0;
  for (const OSSL_DISPATCH *one = owp_digest_functions; one->function_id != 0; one++) {
    ours[count++] = *one;
  }
  for (; theirs->function_id != 0; theirs++) {
    for (const OSSL_DISPATCH *one = owp_digest_optional; one->function_id != 0; one++) {
      if (one->function_id == theirs->function_id) {
        ours[count++] = *one;
      }
    }
  }
  ours[count] = (OSSL_DISPATCH){0, NULL};
}

void owp_digests_make(struct owp_provider *provider) {
  void *context = OSSL_PROVIDER_get0_provider_ctx(provider->software);
  size_t count = 0;
  for (unsigned i = 0; i < OWP_DIGESTS; i++) {
    const OSSL_ALGORITHM *theirs = owp_software_find(provider, OSSL_OP_DIGEST, kinds[i].name);
    OSSL_DISPATCH *dispatch = provider->digest_dispatch[i], ours[OWP_DISPATCH_MAX];
    const OSSL_DISPATCH first = {OSSL_FUNC_DIGEST_NEWCTX, (void (*)(void))kinds[i].newctx};
    if (theirs == NULL ||
        !take_calls(&provider->digest_calls[i], theirs->implementation, context)) {
      continue;
    }
    ours_like(ours, theirs->implementation);
    if (owp_merge(dispatch, first, ours, theirs->implementation, passed)) {
      provider->digest_names[i] = theirs->algorithm_names;
      provider->digest_lens[i] = default_len(theirs->implementation);
      provider->digests[count++] =
          (OSSL_ALGORITHM){theirs->algorithm_names, OWP_PROPERTIES, dispatch, OWP_DESCRIPTION};
    }
  }
}
