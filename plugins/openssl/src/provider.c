/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The entry point that OpenSSL loads: configuration, parameters, the lists of algorithms.
 */
#include "provider.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "async.h"

/* Parameters of this provider: counters of this process, and two texts. */
#define OWP_PARAM_JOBS         "jobs"         /* jobs done by the device */
#define OWP_PARAM_BYTES        "bytes"        /* bytes processed by the device */
#define OWP_PARAM_CPU_REQUESTS "cpu-requests" /* requests done by the CPU, for any reason */
#define OWP_PARAM_CPU_BYTES    "cpu-bytes"
#define OWP_PARAM_CPU_POLICY   "cpu-policy" /* of these: too small for the device */
#define OWP_PARAM_CPU_FAULT    "cpu-fault"  /* of these: the device failed */
/* what is wrong with settings or device; may be empty */
#define OWP_PARAM_COMPLAINT "complaint"
#define OWP_PARAM_POLICY    "policy" /* the policy in the configuration; may be empty */

/* Keys of the provider's section in openssl.cnf. */
static const char *const keys[] = {"platform", "library", "socket", "policy", "counters", "quiet"};
enum { PLATFORM, LIBRARY, SOCKET, POLICY, COUNTERS, QUIET, KEYS };

static const OSSL_PARAM *gettable(void *context) {
  static const OSSL_PARAM params[] = {
      OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
      OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
      OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
      OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL),
      OSSL_PARAM_uint64(OWP_PARAM_JOBS, NULL),
      OSSL_PARAM_uint64(OWP_PARAM_BYTES, NULL),
      OSSL_PARAM_uint64(OWP_PARAM_CPU_REQUESTS, NULL),
      OSSL_PARAM_uint64(OWP_PARAM_CPU_BYTES, NULL),
      OSSL_PARAM_uint64(OWP_PARAM_CPU_POLICY, NULL),
      OSSL_PARAM_uint64(OWP_PARAM_CPU_FAULT, NULL),
      OSSL_PARAM_utf8_ptr(OWP_PARAM_COMPLAINT, NULL, 0),
      OSSL_PARAM_utf8_ptr(OWP_PARAM_POLICY, NULL, 0),
      OSSL_PARAM_END,
  };
  (void)context;
  return params;
}

static bool set_text(OSSL_PARAM params[], const char *name, const char *value) {
  OSSL_PARAM *param = OSSL_PARAM_locate(params, name);
  return param == NULL || OSSL_PARAM_set_utf8_ptr(param, value != NULL ? value : "");
}

static bool set_count(OSSL_PARAM params[], const char *name, uint64_t value) {
  OSSL_PARAM *param = OSSL_PARAM_locate(params, name);
  return param == NULL || OSSL_PARAM_set_uint64(param, value);
}

static int get_params(void *context, OSSL_PARAM params[]) {
  const struct owp_provider *provider = context;
  OSSL_PARAM *status = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS);
  struct ow_offload_totals totals;
  uint64_t requests = 0;
  ow_offload_totals(provider->offload, &totals);
  for (unsigned i = 0; i < OW_CPU_REASONS; i++) {
    requests += totals.cpu_requests[i];
  }
  return set_text(params, OSSL_PROV_PARAM_NAME, "Outwork crypto offload") &&
         set_text(params, OSSL_PROV_PARAM_VERSION, OUTWORK_VERSION) &&
         set_text(params, OSSL_PROV_PARAM_BUILDINFO, "for " OPENSSL_VERSION_TEXT) &&
         set_text(params, OWP_PARAM_COMPLAINT, ow_offload_complaint(provider->offload)) &&
         set_text(params, OWP_PARAM_POLICY, ow_offload_policy(provider->offload)) &&
         (status == NULL || OSSL_PARAM_set_int(status, 1)) &&
         set_count(params, OWP_PARAM_JOBS, totals.jobs) &&
         set_count(params, OWP_PARAM_BYTES, totals.bytes) &&
         set_count(params, OWP_PARAM_CPU_REQUESTS, requests) &&
         set_count(params, OWP_PARAM_CPU_BYTES, totals.cpu_bytes) &&
         set_count(params, OWP_PARAM_CPU_POLICY, totals.cpu_requests[OW_FALLBACK_POLICY]) &&
         set_count(params, OWP_PARAM_CPU_FAULT, totals.cpu_requests[OW_CPU_FAULT]);
}

static const OSSL_ALGORITHM *query(void *context, int operation, int *no_store) {
  struct owp_provider *provider = context;
  *no_store = 0;
  switch (operation) {
  case OSSL_OP_CIPHER:
    return provider->ciphers;
  case OSSL_OP_MAC:
    return provider->macs;
  case OSSL_OP_DIGEST:
    return provider->digests;
  case OSSL_OP_RAND:
    return provider->rands;
#ifdef OSSL_OP_SKEYMGMT
  case OSSL_OP_SKEYMGMT:
    return provider->skeys;
#endif
  default:
    return owp_pkeys_query(provider, operation);
  }
}

static void teardown(void *context) {
  struct owp_provider *provider = context;
  if (provider->offload != NULL) {
    ow_offload_close(provider->offload);
  }
  owp_pkeys_free(provider);
  owp_software_close(provider);
  OPENSSL_free(provider);
}

/* Returns whether standard error may be written to: a daemon may have given its number to a
 * connection. systemd says in JOURNAL_STREAM which socket is its journal's. */
static bool has_standard_error(void) {
  struct stat status;
  if (fstat(STDERR_FILENO, &status) != 0) {
    return false;
  }
  if (!S_ISSOCK(status.st_mode)) {
    return true;
  }
  const char *journal = secure_getenv("JOURNAL_STREAM");
  char ours[48];
  snprintf(ours, sizeof(ours), "%ju:%ju", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
  return journal != NULL && strcmp(journal, ours) == 0;
}

/* Says that the device cannot be reached. The program continues on the CPU. */
static void report(const char *complaint) {
  if (has_standard_error()) {
    fprintf(stderr,
            "outwork: the CPU does the device's work: %s. Run `outwork doctor`; quiet = 1 in the "
            "provider's section of openssl.cnf silences this.\n",
            complaint);
  }
}

/* Returns whether a switch is on. */
static bool is_on(const char *value) {
  return value != NULL && *value != '\0' && strcmp(value, "0") != 0;
}

/* Reads the settings from the configuration; those that it lacks, from the environment. */
static void read_settings(struct ow_offload_settings *settings, const OSSL_CORE_HANDLE *handle,
                          const OSSL_DISPATCH *in) {
  OSSL_FUNC_core_get_params_fn *core_get_params = NULL;
  char *values[KEYS] = {NULL};
  OSSL_PARAM params[KEYS + 1];
  for (; in->function_id != 0; in++) {
    if (in->function_id == OSSL_FUNC_CORE_GET_PARAMS) {
      core_get_params = OSSL_FUNC_core_get_params(in);
    }
  }
  for (unsigned i = 0; i < KEYS; i++) {
    params[i] = OSSL_PARAM_construct_utf8_ptr(keys[i], &values[i], 0);
  }
  params[KEYS] = OSSL_PARAM_construct_end();
  if (core_get_params == NULL || !core_get_params(handle, params)) {
    memset(values, 0, sizeof(values));
  }
  bool quiet = is_on(values[QUIET] != NULL ? values[QUIET] : secure_getenv("OUTWORK_QUIET"));
  *settings = (struct ow_offload_settings){
      .platform = values[PLATFORM],
      .library = values[LIBRARY] != NULL ? values[LIBRARY] : secure_getenv("OUTWORK_LIBRARY"),
      .socket = values[SOCKET],
      .policy = values[POLICY] != NULL ? values[POLICY] : secure_getenv("OUTWORK_POLICY"),
      .counters = values[COUNTERS] != NULL ? values[COUNTERS] : secure_getenv("OUTWORK_COUNTERS"),
      .host = "openssl",
      .may_pause = owp_async_may_pause,
      .pause = owp_async_pause,
      .report = quiet ? NULL : report,
  };
}

static const OSSL_DISPATCH functions[] = {
    {OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))teardown},
    {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))gettable},
    {OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))get_params},
    {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query},
    {OSSL_FUNC_PROVIDER_GET_CAPABILITIES, (void (*)(void))owp_pkeys_capabilities},
    {0, NULL}};

__attribute__((visibility("default"))) OSSL_provider_init_fn OSSL_provider_init;

int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                       const OSSL_DISPATCH **out, void **context) {
  struct ow_offload_settings settings;
  struct owp_provider *provider = OPENSSL_zalloc(sizeof(*provider));
  if (provider == NULL) {
    return 0;
  }
  provider->handle = handle;
  owp_errors_open(provider, in);
  read_settings(&settings, handle, in);
  if (owp_software_open(provider) && owp_pkeys_make(provider, in)) {
    provider->offload = ow_offload_open(&settings);
  }
  if (provider->offload == NULL) {
    owp_raise(provider, __FILE__, __LINE__, __func__, ERR_R_INIT_FAIL,
              "outwork: no memory, or no default provider");
    teardown(provider);
    return 0;
  }
  owp_ciphers_make(provider);
  owp_macs_make(provider);
  owp_digests_make(provider);
  owp_rands_make(provider);
  owp_skeys_make(provider);
  *out = functions;
  *context = provider;
  return 1;
}
