/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests PSA with many threads on one device that fails and recovers, and with forked processes:
 * in every thread and in every child, each result must equal that of software.
 *
 *   psa_storm LIBRARY BOARD     BOARD: `fake` is made to fail; others are not
 *
 * Before release 3.6 the keys of Mbed TLS are not thread-safe: there the threads only hash.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mbedtls/version.h>

#include "message.h"

#define THREADS 8u
#define ROWS    48u
#define TURNS   3000u
#define MOST    (100 * TURNS) /* the storm ends here though the device has worked too little */
#define LONGEST 3000u

enum kind { HASH, AEAD, MAC, CIPHER, KINDS };

/* A request, and its result from software. */
static struct row {
  enum kind kind;
  uint32_t length;
  uint8_t answer[LONGEST + 16];
  size_t answer_len;
} rows[ROWS];

static const psa_algorithm_t algs[KINDS] = {PSA_ALG_SHA_256, PSA_ALG_GCM, PSA_ALG_CMAC,
                                            PSA_ALG_CTR};
static psa_key_id_t keys[KINDS];
static uint8_t message[LONGEST];
/* requests that each thread runs at least */
static unsigned rounds;
/* the threads continue while this is set */
static atomic_bool under_way;
static atomic_uint wrong;

static psa_status_t play_hash(const struct row *row, uint8_t *out, size_t *out_len) {
  psa_hash_operation_t operation = psa_hash_operation_init();
  CHECK_EQUAL(psa_hash_setup(&operation, algs[HASH]), PSA_SUCCESS);
  CHECK_EQUAL(psa_hash_update(&operation, message, row->length / 2), PSA_SUCCESS);
  CHECK_EQUAL(psa_hash_update(&operation, message + row->length / 2, row->length - row->length / 2),
              PSA_SUCCESS);
  return psa_hash_finish(&operation, out, LONGEST, out_len);
}

static psa_status_t play_mac(const struct row *row, uint8_t *out, size_t *out_len) {
  psa_mac_operation_t operation = psa_mac_operation_init();
  CHECK_EQUAL(psa_mac_sign_setup(&operation, keys[MAC], algs[MAC]), PSA_SUCCESS);
  CHECK_EQUAL(psa_mac_update(&operation, message, row->length / 3), PSA_SUCCESS);
  CHECK_EQUAL(psa_mac_update(&operation, message + row->length / 3, row->length - row->length / 3),
              PSA_SUCCESS);
  return psa_mac_sign_finish(&operation, out, LONGEST, out_len);
}

static psa_status_t play_cipher(const struct row *row, uint8_t *out, size_t *out_len) {
  static const uint8_t iv[16] = {5};
  psa_cipher_operation_t operation = psa_cipher_operation_init();
  size_t more = 0;
  CHECK_EQUAL(psa_cipher_encrypt_setup(&operation, keys[CIPHER], algs[CIPHER]), PSA_SUCCESS);
  CHECK_EQUAL(psa_cipher_set_iv(&operation, iv, sizeof(iv)), PSA_SUCCESS);
  CHECK_EQUAL(psa_cipher_update(&operation, message, row->length, out, LONGEST, out_len),
              PSA_SUCCESS);
  psa_status_t status = psa_cipher_finish(&operation, out + *out_len, LONGEST - *out_len, &more);
  *out_len += more;
  return status;
}

static void play(const struct row *row, uint8_t *out, size_t *out_len) {
  static const uint8_t nonce[12] = {7};
  psa_status_t status = row->kind == HASH  ? play_hash(row, out, out_len)
                        : row->kind == MAC ? play_mac(row, out, out_len)
                        : row->kind == CIPHER
                            ? play_cipher(row, out, out_len)
                            : psa_aead_encrypt(keys[AEAD], algs[AEAD], nonce, sizeof(nonce), NULL,
                                               0, message, row->length, out, LONGEST + 16, out_len);
  CHECK_EQUAL(status, PSA_SUCCESS);
}

static void check(const struct row *row) {
  uint8_t out[LONGEST + 16];
  size_t length = 0;
  play(row, out, &length);
  if (length != row->answer_len || memcmp(out, row->answer, length) != 0) {
    atomic_fetch_add(&wrong, 1);
  }
}

static void *worker(void *seed) {
  for (uint32_t i = 0; i < rounds || atomic_load(&under_way); i++) {
    check(&rows[((uint32_t)(uintptr_t)seed * 5 + i) % ROWS]);
  }
  return NULL;
}

static void prepare(void) {
  uint8_t bytes[32];
  fill(bytes, sizeof(bytes));
  fill(message, sizeof(message));
  for (unsigned kind = AEAD; kind < KINDS; kind++) {
    psa_key_usage_t usage = kind == MAC ? PSA_KEY_USAGE_SIGN_MESSAGE : PSA_KEY_USAGE_ENCRYPT;
    keys[kind] = import(PSA_KEY_TYPE_AES, 0, algs[kind], usage, bytes, sizeof(bytes));
  }
  choose(false);
  for (unsigned i = 0; i < ROWS; i++) {
    struct row *row = &rows[i];
    row->kind = MBEDTLS_VERSION_NUMBER >= 0x03060000 ? (enum kind)(i % KINDS) : HASH;
    row->length = 100 + roll(LONGEST - 100);
    play(row, row->answer, &row->answer_len);
  }
  choose(true);
}

/* Forks. In the child, the job counter must start at 0 and a device of its own must do the work. */
static void fork_one(void) {
  int status;
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    uint64_t before = jobs();
    for (unsigned i = 0; i < 8; i++) {
      check(&rows[i]);
    }
    _exit(before == 0 && atomic_load(&wrong) == 0 && jobs() != 0 ? 0 : 1);
  }
  CHECK(waitpid(pid, &status, 0) == pid);
  CHECK(WIFEXITED(status));
  CHECK_EQUAL(WEXITSTATUS(status), 0);
}

static bool device_has_worked(uint64_t before) {
  return jobs() - before > rounds / 4;
}

/* How much of the work falls to the device depends on when the machine lets threads and faults run:
 * the storm goes on until the device has worked enough to be a witness. */
static void storm(bool fails) {
  pthread_t ids[THREADS];
  uint64_t before = jobs();
  atomic_store(&under_way, fails);
  for (uintptr_t i = 0; i < THREADS; i++) {
    CHECK(pthread_create(&ids[i], NULL, worker, (void *)i) == 0);
  }
  for (unsigned turns = 0; fails && (turns < TURNS || (turns < MOST && !device_has_worked(before)));
       turns++) {
    disturb();
    usleep(100);
  }
  atomic_store(&under_way, false);
  for (unsigned i = 0; i < THREADS; i++) {
    pthread_join(ids[i], NULL);
  }
  printf("%llu jobs, %u wrong\n", (unsigned long long)(jobs() - before), wrong);
  CHECK_EQUAL(atomic_load(&wrong), 0);
  CHECK(device_has_worked(before));
}

static void some_rows(void) {
  for (unsigned i = 0; i < 4; i++) {
    check(&rows[i]);
  }
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  bool fake = strcmp(argv[2], "fake") == 0;
  rounds = fake ? 400 : 12;
  begin(argv[1]);
  prepare();
  fork_one(); /* before the parent has opened the device */
  some_rows();
  CHECK(jobs() != 0);
  fork_one(); /* while the parent has it open */
  storm(false);
  if (fake) {
    trouble(argv[1]);
    storm(true);
    recover(some_rows);
    CHECK_EQUAL(atomic_load(&wrong), 0);
  }
  fork_one();
  end();
  return 0;
}
