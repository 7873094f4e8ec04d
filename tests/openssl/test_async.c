/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * One thread with many ASYNC_JOBs: all are on the device at once and succeed, even if the process
 * forks meanwhile.
 */
#include <openssl/async.h>
#include <openssl/core_dispatch.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keys.h"

#define JOBS 64u
/* in flight on a simulated board, where a signature takes a tenth of a second or more */
#define BOARD_SIGNATURES 12u
#define LENGTH           4096u

struct task {
  ASYNC_JOB *job;
  ASYNC_WAIT_CTX *wait;
  bool over;
  int good;
  uint8_t output[LENGTH], tag[16];
};

static struct host provider, reference;
static EVP_PKEY *keys[2]; /* the same key for both hosts */
static struct task tasks[JOBS];
static size_t in_flight = JOBS;
static uint8_t message[LENGTH];

static int seal(struct host *host, uint8_t *output, uint8_t tag[16], size_t number) {
  uint8_t key[32] = {(uint8_t)number}, iv[12] = {1, (uint8_t)number};
  int length;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(host->libctx, "AES-256-GCM", NULL);
  int good = EVP_EncryptInit_ex(context, cipher, NULL, key, iv) &&
             EVP_EncryptUpdate(context, output, &length, message, LENGTH) &&
             EVP_EncryptFinal_ex(context, output, &length) &&
             EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) > 0;
  EVP_CIPHER_free(cipher);
  EVP_CIPHER_CTX_free(context);
  return good;
}

/* Makes a deterministic signature: PKCS #1 v1.5. */
static int sign(struct host *host, uint8_t *output, uint8_t tag[16], size_t number) {
  uint8_t digest[32] = {(uint8_t)number};
  size_t length = LENGTH;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(host->libctx, keys[host == &reference], NULL);
  int good = EVP_PKEY_sign_init(context) > 0 &&
             EVP_PKEY_sign(context, output, &length, digest, sizeof(digest)) > 0;
  memset(tag, 0, 16);
  EVP_PKEY_CTX_free(context);
  return good;
}

#ifdef OSSL_FUNC_CIPHER_PIPELINE_ENCRYPT_INIT
#define PIPES 4u

/* Encrypts the message in four parts, as a pipeline if OpenSSL has pipelines. */
static int seal_parts(struct host *host, uint8_t *output, uint8_t tag[16], size_t number) {
  uint8_t key[32] = {(uint8_t)number}, ivs[PIPES][16] = {{1}, {2}, {3}, {4}};
  const unsigned char *iv[PIPES], *in[PIPES];
  unsigned char *out[PIPES];
  size_t lengths[PIPES], written[PIPES];
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  const EVP_CIPHER *cipher = host->ciphers[8]; /* AES-256-CTR */
  int good = 1;
  for (size_t i = 0; i < PIPES; i++) {
    lengths[i] = LENGTH / PIPES;
    iv[i] = ivs[i];
    in[i] = message + i * lengths[i];
    out[i] = output + i * lengths[i];
  }
  if (EVP_CIPHER_can_pipeline(cipher, 1)) {
    good = EVP_CipherPipelineEncryptInit(context, cipher, key, 32, PIPES, iv, 16) &&
           EVP_CipherPipelineUpdate(context, out, written, lengths, in, lengths);
  } else {
    for (size_t i = 0; i < PIPES && good; i++) {
      int length;
      good = EVP_EncryptInit_ex(context, cipher, NULL, key, ivs[i]) &&
             EVP_EncryptUpdate(context, out[i], &length, in[i], (int)lengths[i]);
    }
  }
  memset(tag, 0, 16);
  EVP_CIPHER_CTX_free(context);
  return good;
}
#endif

/* The operations of the tasks, and the number of device jobs of each. */
static int (*work)(struct host *host, uint8_t *output, uint8_t tag[16], size_t number) = seal;
static size_t jobs_each = 1;

static int run_task(void *argument) {
  size_t number = *(size_t *)argument;
  return work(&provider, tasks[number].output, tasks[number].tag, number);
}

/* Starts or resumes a task. Returns true if it is paused. */
static bool step(size_t number) {
  struct task *task = &tasks[number];
  switch (ASYNC_start_job(&task->job, task->wait, &task->good, run_task, &number, sizeof(number))) {
  case ASYNC_PAUSE:
    return true;
  case ASYNC_FINISH:
    task->over = true;
    return false;
  default:
    CHECK(!"no job can be had");
    return false;
  }
}

static bool is_readable(struct task *task) {
  OSSL_ASYNC_FD descriptor;
  size_t count = 0;
  CHECK(ASYNC_WAIT_CTX_get_all_fds(task->wait, NULL, &count));
  CHECK_EQUAL(count, 1); /* `openssl speed` supports only one */
  CHECK(ASYNC_WAIT_CTX_get_all_fds(task->wait, &descriptor, &count));
  struct pollfd look = {.fd = descriptor, .events = POLLIN};
  return poll(&look, 1, 0) == 1;
}

static void begin_all(void) {
  for (size_t i = 0; i < in_flight; i++) {
    struct task *task = &tasks[i];
    *task = (struct task){.wait = ASYNC_WAIT_CTX_new()};
    CHECK(step(i));
    CHECK(is_readable(task));
  }
}

static void end_all(void) {
  for (size_t left = in_flight; left != 0;) {
    left = 0;
    for (size_t i = 0; i < in_flight; i++) {
      left += !tasks[i].over && step(i) ? 1 : 0;
    }
  }
  for (size_t i = 0; i < in_flight; i++) {
    uint8_t output[LENGTH] = {0}, tag[16];
    CHECK(tasks[i].good == 1);
    CHECK(work(&reference, output, tag, i));
    CHECK(memcmp(output, tasks[i].output, LENGTH) == 0);
    CHECK(memcmp(tag, tasks[i].tag, sizeof(tag)) == 0);
    ASYNC_WAIT_CTX_free(tasks[i].wait);
  }
}

static void all_at_once(void) {
  uint64_t before = host_count(&provider, "jobs");
  begin_all();
  CHECK_EQUAL(host_count(&provider, "jobs"), before); /* all jobs are in flight */
  end_all();
  CHECK_EQUAL(host_count(&provider, "jobs"), before + in_flight * jobs_each);
}

/* The child has no part in what the parent's device does for its jobs. */
static void fork_in_between(void) {
  int status;
  begin_all();
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    end_all();
    _exit(host_count(&provider, "jobs") == 0 && work(&provider, message, tasks[0].tag, 0) &&
                  host_count(&provider, "jobs") == jobs_each
              ? 0
              : 1);
  }
  CHECK(waitpid(pid, &status, 0) == pid);
  CHECK(WIFEXITED(status));
  CHECK_EQUAL(WEXITSTATUS(status), 0);
  end_all();
}

/* A program may end with jobs in flight. */
static void abandoned(void) {
  begin_all();
}

/* `board`: a simulated board, on which signatures take long; `board all`: as many as elsewhere. */
int main(int argc, char **argv) {
  bool board = argc > 1 && strcmp(argv[1], "board") == 0;
  bool all = argc > 2 && strcmp(argv[2], "all") == 0;
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  CHECK(ASYNC_is_capable());
  CHECK(ASYNC_init_thread(JOBS, JOBS));
  CHECK(seal(&provider, tasks[0].output, tasks[0].tag, 0)); /* opens the device */
  RUN(all_at_once);
  RUN(all_at_once);
  RUN(fork_in_between);
#ifdef OSSL_FUNC_CIPHER_PIPELINE_ENCRYPT_INIT
  work = seal_parts;
  jobs_each = PIPES;
  RUN(all_at_once);
  RUN(fork_in_between);
  jobs_each = 1;
#endif
  keys[1] = EVP_PKEY_Q_keygen(reference.libctx, NULL, "RSA", (size_t)1024);
  keys[0] = keys_move(&provider, keys[1]);
  work = sign;
  in_flight = board && !all ? BOARD_SIGNATURES : JOBS;
  RUN(all_at_once);
  if (!board) {
    RUN(fork_in_between);
  }
  RUN(abandoned);
  return 0;
}
