/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Many threads on one device with wolfSSL, while it fails and recovers, or while the process forks:
 * every result is that of software, in every thread and in every child.
 *
 *   wolfssl_storm LIBRARY fake|plain     `fake` has sanitizers, whose allocator does not survive a
 *                                        fork beside other threads: there the device fails
 */
#include "rig.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/cmac.h>
#include <wolfssl/wolfcrypt/sha256.h>

#include "fake_board.h"

#define THREADS 8u
#define ROUNDS  600u
#define MOST    (100 * ROUNDS) /* a thread ends here though the device has worked too little */
#define LONGEST 3000u

static uint8_t message[LONGEST];
static atomic_uint wrong, running;
static uint64_t jobs_before;
static fake_board_lock_fn *lock;
static fake_board_unlock_fn *unlock;

static void gcm(int device, const uint8_t *key, uint32_t length, uint8_t *out) {
  Aes aes;
  uint8_t tag[16];
  CHECK_EQUAL(wc_AesInit(&aes, NULL, device), 0);
  CHECK_EQUAL(wc_AesGcmSetKey(&aes, key, 32), 0);
  CHECK_EQUAL(wc_AesGcmEncrypt(&aes, out, message, length, key, 12, tag, 16, NULL, 0), 0);
  CHECK_EQUAL(wc_AesGcmDecrypt(&aes, out, out, length, key, 12, tag, 16, NULL, 0), 0);
  memcpy(out, tag, sizeof(tag));
  wc_AesFree(&aes);
}

static void cbc(int device, const uint8_t *key, uint32_t length, uint8_t *out) {
  Aes aes;
  CHECK_EQUAL(wc_AesInit(&aes, NULL, device), 0);
  CHECK_EQUAL(wc_AesSetKey(&aes, key, 16, key, AES_ENCRYPTION), 0);
  CHECK_EQUAL(wc_AesCbcEncrypt(&aes, out, message, length - length % 16), 0);
  wc_AesFree(&aes);
}

static void hash(int device, const uint8_t *key, uint32_t length, uint8_t *out) {
  wc_Sha256 sha;
  CHECK_EQUAL(wc_InitSha256_ex(&sha, NULL, device), 0);
  CHECK_EQUAL(wc_Sha256Update(&sha, key, 32), 0);
  CHECK_EQUAL(wc_Sha256Update(&sha, message, length), 0);
  CHECK_EQUAL(wc_Sha256Final(&sha, out), 0);
  wc_Sha256Free(&sha);
}

static void cmac(int device, const uint8_t *key, uint32_t length, uint8_t *out) {
  Cmac mac;
  uint32_t size = 16;
  CHECK_EQUAL(wc_InitCmac_ex(&mac, key, 32, WC_CMAC_AES, NULL, NULL, device), 0);
  CHECK_EQUAL(wc_CmacUpdate(&mac, message, length / 2), 0);
  CHECK_EQUAL(wc_CmacUpdate(&mac, message + length / 2, length - length / 2), 0);
  CHECK_EQUAL(wc_CmacFinal(&mac, out, &size), 0);
}

static void play(uint32_t number) {
  static void (*const parts[])(int, const uint8_t *, uint32_t, uint8_t *) = {gcm, cbc, hash, cmac};
  uint8_t key[32], ours[LONGEST] = {0}, theirs[LONGEST] = {0};
  uint32_t length = 64 + number * 2654435761u % (LONGEST - 64);
  memset(key, (int)(number * 7 + 1), sizeof(key));
  parts[number % 4](DEVICE, key, length, ours);
  parts[number % 4](INVALID_DEVID, key, length, theirs);
  if (memcmp(ours, theirs, sizeof(ours)) != 0) {
    atomic_fetch_add(&wrong, 1);
  }
}

/* How much of the work falls to the device depends on when the machine lets threads and faults run:
 * a thread goes on until the device has worked enough to be a witness. */
static bool device_has_worked(void) {
  return rig_jobs() - jobs_before > ROUNDS;
}

static void *worker(void *seed) {
  for (uint32_t i = 0; i < ROUNDS || (i < MOST && !device_has_worked()); i++) {
    play((uint32_t)(uintptr_t)seed * ROUNDS + i);
  }
  atomic_fetch_sub(&running, 1);
  return NULL;
}

static void mend(struct fake_device *fake) {
  fake->gone = false;
  fake->idle = false;
  fake->bad_cookie = false;
  fake->force_status = 0;
}

/* Starts a different failure each time, and ends it half of the time. */
static void harm(unsigned turn) {
  struct fake_device *fake = lock();
  if (fake == NULL) {
    return;
  }
  fake->force_status = turn % 8 == 0 ? OW_DEVICE_READ_ERROR : turn % 8 == 2 ? 0x77 : 0;
  fake->bad_cookie = turn % 16 == 4;
  fake->idle = turn % 64 == 6;
  fake->gone = turn % 64 == 38;
  if (turn % 16 == 12) {
    fake->queues[turn / 16 % OW_QUEUE_COUNT].halt = OW_HALT_RING_READ;
  }
  if (turn % 2 != 0) {
    mend(fake);
  }
  unlock();
}

/* In the child: its counters begin at nothing, and its own device does the work. */
static void fork_one(uint32_t number) {
  int status;
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    uint64_t before = rig_jobs();
    atomic_store(&wrong, 0);
    for (uint32_t i = 0; i < 8; i++) {
      play(number + i);
    }
    _exit(before == 0 && atomic_load(&wrong) == 0 && rig_jobs() != 0 ? 0 : 1);
  }
  CHECK(waitpid(pid, &status, 0) == pid);
  CHECK(WIFEXITED(status));
  CHECK_EQUAL(WEXITSTATUS(status), 0);
}

static void storm(bool fails) {
  pthread_t ids[THREADS];
  unsigned turns = 0;
  jobs_before = rig_jobs();
  atomic_store(&running, THREADS);
  for (uintptr_t i = 0; i < THREADS; i++) {
    CHECK(pthread_create(&ids[i], NULL, worker, (void *)i) == 0);
  }
  for (; atomic_load(&running) != 0; turns++) {
    if (fails) {
      harm(turns);
      usleep(200);
    } else {
      fork_one(turns);
    }
  }
  for (unsigned i = 0; i < THREADS; i++) {
    pthread_join(ids[i], NULL);
  }
  printf("%u faults or forks, %llu jobs of the device, %llu requests that it failed, %u wrong\n",
         turns, (unsigned long long)(rig_jobs() - jobs_before), (unsigned long long)rig_failures(),
         wrong);
  CHECK(turns >= 2);
  CHECK_EQUAL(atomic_load(&wrong), 0);
  CHECK(device_has_worked());
  CHECK((rig_failures() > 20) == fails);
}

/* Once the device works, it is used again. */
static void recovers(void) {
  uint64_t before = rig_jobs();
  for (unsigned tries = 0; tries < 500 && rig_jobs() == before; tries++) {
    struct fake_device *fake = lock();
    if (fake != NULL) {
      mend(fake);
      unlock();
    }
    play(tries);
    usleep(10000);
  }
  CHECK(rig_jobs() > before);
  CHECK_EQUAL(atomic_load(&wrong), 0);
}

int main(int argc, char **argv) {
  bool fails = rig_is(argc, argv, "fake");
  void *library = dlopen(argv[1], RTLD_NOW);
  CHECK(library != NULL);
  *(void **)&lock = dlsym(library, "fake_board_lock");
  *(void **)&unlock = dlsym(library, "fake_board_unlock");
  CHECK(lock != NULL && unlock != NULL);
  rig_open(argv[1]);
  fill(message, sizeof(message));
  play(0); /* opens the device */
  CHECK(rig_jobs() != 0);
  storm(fails);
  recovers();
  rig_close();
  return 0;
}
