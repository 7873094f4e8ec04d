/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * TLS 1.3 with hybrid groups of ML-KEM and certificates of ML-DSA: the device does all operations
 * with keys of the side that has the callback. Its registers count the jobs. Releases before 5.9 do
 * not pass ML-KEM and ML-DSA.
 *
 *   wolfssl_hybrid LIBRARY flaky
 */
#include "session.h"

#include <wolfssl/wolfcrypt/asn_public.h>
#include <wolfssl/wolfcrypt/wc_mldsa.h>

static const struct suite {
  int group;
  const char *name;
  byte level;
  int key_type, signature_type;
  /* operations of client and server */
  unsigned jobs[2];
} suites[] = {
    {WOLFSSL_X25519MLKEM768, "X25519MLKEM768", WC_ML_DSA_44, ML_DSA_44_TYPE, CTC_ML_DSA_44, {6, 4}},
    {WOLFSSL_X25519MLKEM768, "X25519MLKEM768", WC_ML_DSA_65, ML_DSA_65_TYPE, CTC_ML_DSA_65, {6, 4}},
    {WOLFSSL_X25519MLKEM768, "X25519MLKEM768", WC_ML_DSA_87, ML_DSA_87_TYPE, CTC_ML_DSA_87, {6, 4}},
    {WOLFSSL_SECP256R1MLKEM768,
     "SecP256r1MLKEM768",
     WC_ML_DSA_65,
     ML_DSA_65_TYPE,
     CTC_ML_DSA_65,
     {6, 4}},
    {WOLFSSL_SECP384R1MLKEM1024,
     "SecP384r1MLKEM1024",
     WC_ML_DSA_65,
     ML_DSA_65_TYPE,
     CTC_ML_DSA_65,
     {6, 4}},
};

static WC_RNG rng;
static uint8_t certificate[16384], key[16384];

/* Makes a certificate that its own key has signed, without the callback. */
static struct session_identity make_identity(const struct suite *suite) {
  static wc_MlDsaKey pair;
  Cert cert;
  CHECK_EQUAL(wc_MlDsaKey_Init(&pair, NULL, INVALID_DEVID), 0);
  CHECK_EQUAL(wc_MlDsaKey_SetParams(&pair, suite->level), 0);
  CHECK_EQUAL(wc_MlDsaKey_MakeKey(&pair, &rng), 0);
  CHECK_EQUAL(wc_InitCert(&cert), 0);
  snprintf(cert.subject.commonName, sizeof(cert.subject.commonName), "localhost");
  cert.isCA = 1;
  cert.selfSigned = 1;
  cert.sigType = suite->signature_type;
  int body = wc_MakeCert_ex(&cert, certificate, sizeof(certificate), suite->key_type, &pair, &rng);
  CHECK(body > 0);
  int whole = wc_SignCert_ex(body, cert.sigType, certificate, sizeof(certificate), suite->key_type,
                             &pair, &rng);
  CHECK(whole > body);
  int key_len = wc_MlDsaKey_KeyToDer(&pair, key, sizeof(key));
  CHECK(key_len > 0);
  wc_MlDsaKey_Free(&pair);
  return (struct session_identity){.certificate = certificate,
                                   .key = key,
                                   .certificate_len = (size_t)whole,
                                   .key_len = (size_t)key_len,
                                   .format = WOLFSSL_FILETYPE_ASN1};
}

/* One session; the device does as many operations as it is to do. Each is one job or more. */
static void play(const struct suite *suite, const struct session_identity *identity,
                 bool server_with, bool device_there) {
  struct session session;
  const unsigned wanted = device_there ? suite->jobs[server_with] : 0;
  const uint64_t before = rig_jobs();
  const uint32_t device_before = rig_device_jobs();
  session_open(&session, wolfTLSv1_3_server_method(), wolfTLSv1_3_client_method(), server_with,
               identity, suite->group);
  session_handshake(&session);
  const uint64_t operations = rig_jobs() - before;
  const uint32_t jobs = rig_device_jobs() - device_before;
  CHECK(strcmp(wolfSSL_get_curve_name(session.client), suite->name) == 0);
  CHECK(strcmp(wolfSSL_get_curve_name(session.server), suite->name) == 0);
  printf("%s, ML-DSA at level %u, %s: %llu operations, %u jobs\n", suite->name, suite->level,
         server_with ? "server" : "client", (unsigned long long)operations, jobs);
  CHECK_EQUAL(operations, wanted);
  CHECK(device_there ? jobs >= wanted : jobs == 0);
  session_send(&session, 40000);
  session_close(&session);
}

static void sessions(void) {
  for (unsigned i = 0; i < sizeof(suites) / sizeof(suites[0]); i++) {
    const struct session_identity identity = make_identity(&suites[i]);
    play(&suites[i], &identity, false, true);
    play(&suites[i], &identity, true, true);
  }
  CHECK_EQUAL(rig_failures(), 0);
}

/* The same without the device: wolfSSL does it all. */
static void without_device(void) {
  const struct session_identity identity = make_identity(&suites[1]);
  rig_allow(0);
  play(&suites[1], &identity, false, false);
  play(&suites[1], &identity, true, false);
  CHECK(rig_failures() != 0);
}

int main(int argc, char **argv) {
  (void)rig_is(argc, argv, "flaky");
  CHECK_EQUAL(wolfSSL_Init(), WOLFSSL_SUCCESS);
  CHECK_EQUAL(wc_InitRng_ex(&rng, NULL, INVALID_DEVID), 0);
  rig_open_for(argv[1], OW_OP_MODEXP, OW_OP_MLDSA_VERIFY);
  RUN(sessions);
  RUN(without_device);
  rig_close();
  CHECK_EQUAL(wc_FreeRng(&rng), 0);
  wolfSSL_Cleanup();
  return 0;
}
