/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests clients of one board, each in a process of its own: they work at the same time and cannot
 * access each other's memory or keys; one that is killed, hangs or sends invalid messages does not
 * affect the others.
 */
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "outwork/mlkem.h"
#include "processes.h"

static const struct ow_key_material plain_key = {
    .properties = {.encrypt = true}, .key = key_bytes, .key_len = 16};
static const struct ow_key_material locked_key = {
    .properties = {.encrypt = true, .lock = true}, .key = key_bytes, .key_len = 16};

static void work(void) {
  struct client client;
  client_open(&client);
  for (unsigned i = 0; i < 40; i++) {
    CHECK_EQUAL(client_encrypt(&client, &inline_key, 16 + 1600 * (i % 5)), OW_OK);
  }
  client_close(&client);
}

static void side_by_side(void) {
  pid_t workers[6]; /* more than the board has queues, so some wait for one */
  for (unsigned i = 0; i < 6; i++) {
    workers[i] = process_start(work);
  }
  for (unsigned i = 0; i < 6; i++) {
    CHECK_EQUAL(process_end(workers[i]), 0);
  }
}

static void no_queue_is_left(void) {
  struct client clients[OW_QUEUE_COUNT], one_more;
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    client_open(&clients[i]);
  }
  const char *why = client_try_open(&one_more);
  if (why == NULL || strstr(why, "taken") == NULL) {
    fprintf(stderr, "%s\n", why != NULL ? why : "a client got a queue although all were in use");
  }
  CHECK(why != NULL && strstr(why, "taken") != NULL);
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    client_close(&clients[i]);
  }
}

/* A job cannot access another client's memory, nor the shared page before its own memory. */
static void foreign_memory(void) {
  struct client ours, theirs;
  client_open(&ours);
  client_open(&theirs);
  memset(theirs.room, 0x77, 64);
  uint64_t base = ours.shared.base;
  const uint64_t targets[] = {theirs.shared.base,
                              base - (uint64_t)(ours.room - (uint8_t *)ours.shared.memory) -
                                  OW_SHARED_PAGE};
  for (unsigned i = 0; i < 2; i++) {
    struct ow_job job = {.opcode = OW_OP_AES_ECB,
                         .key = inline_key,
                         .length = 64,
                         .source = ours.room,
                         .destination = ours.room};
    struct ow_job *jobs[] = {&job};
    ours.shared.base = targets[i]; /* for the addresses in the descriptor */
    CHECK_EQUAL(ow_queue_prepare(&ours.queue, NULL, jobs, 1), OW_OK);
    ours.shared.base = base;
    ow_queue_announce(&ours.queue);
    CHECK_EQUAL(ow_queue_wait(&ours.queue, &job), OW_OK);
    CHECK_EQUAL(job.status, OW_WINDOW_VIOLATION);
  }
  for (unsigned i = 0; i < 64; i++) {
    CHECK_EQUAL(theirs.room[i], 0x77);
  }
  CHECK_EQUAL(client_encrypt(&theirs, &inline_key, 64), OW_OK);
  CHECK_EQUAL(client_encrypt(&ours, &inline_key, 64), OW_OK);
  client_close(&theirs);
  client_close(&ours);
}

static void foreign_registers(void) {
  struct client client;
  client_open(&client);
  for (uint32_t offset = 0; offset < OW_QUEUE_OFFSET + OW_QUEUE_COUNT * OW_QUEUE_STRIDE;
       offset += OW_PAGE_SIZE) {
    bool own = offset == OW_QUEUE_OFFSET + client.shared.queue * OW_QUEUE_STRIDE;
    uint32_t value = client.platform.read32(&client.shared, offset + OW_QUEUE_RING_SIZE_OFFSET);
    CHECK(own ? value == CLIENT_LOG2 : value == UINT32_MAX);
  }
  client_close(&client);
}

static void foreign_keys(void) {
  struct client ours, theirs;
  struct ow_key_handle slot = {.slot = 0xee};
  client_open(&ours);
  client_open(&theirs);
  CHECK_EQUAL(ow_shared_key_load(&ours.shared, &slot, &locked_key), OW_OK);
  const struct ow_key key = {.slot = slot.slot, .generation = slot.generation};
  CHECK_EQUAL(client_encrypt(&ours, &key, 64), OW_OK);
  CHECK_EQUAL(client_encrypt(&theirs, &key, 64), OW_KEY_DENIED);
  CHECK_EQUAL(ow_shared_key_zeroise(&theirs.shared, &slot), OW_KEY_DENIED);
  CHECK_EQUAL(client_encrypt(&ours, &key, 64), OW_OK);
  struct ow_key_handle stale = slot;
  stale.generation--;
  CHECK_EQUAL(ow_shared_key_zeroise(&ours.shared, &stale), OW_KEY_GONE);
  stale.slot = 0xff;
  CHECK_EQUAL(ow_shared_key_zeroise(&ours.shared, &stale), OW_KEY_DENIED);
  CHECK_EQUAL(client_encrypt(&ours, &key, 64), OW_OK);
  CHECK_EQUAL(ow_shared_key_zeroise(&ours.shared, &slot), OW_OK);
  CHECK_EQUAL(client_encrypt(&ours, &key, 64), OW_KEY_DENIED);
  CHECK_EQUAL(client_encrypt(&theirs, &inline_key, 64), OW_OK);
  client_close(&theirs);
  client_close(&ours);
}

/* Computes HMAC-SHA-256 of 64 bytes; the key may be in a slot. */
static ow_status authenticate(struct client *client, uint8_t tag[64], const struct ow_key *key) {
  static struct ow_job job;
  job = (struct ow_job){.opcode = OW_OP_HMAC_SHA256,
                        .tag_len = 32,
                        .key = *key,
                        .length = 64,
                        .source = client->room};
  ow_status status = client_run(client, &job);
  memcpy(tag, job.tag, 64);
  return status;
}

static void keys_of_other_kinds(void) {
  struct client client;
  struct ow_key_handle slot = {.slot = 0xee};
  uint8_t expected[64] = {0}, got[64] = {1};
  struct ow_key_material material = {
      .properties = {.mac = true}, .opcode = OW_OP_HMAC_SHA256, .key = key_bytes, .key_len = 16};
  client_open(&client);
  CHECK_EQUAL(authenticate(&client, expected, &inline_key), OW_OK);
  CHECK_EQUAL(ow_shared_key_load(&client.shared, &slot, &material), OW_OK);
  const struct ow_key key = {.slot = slot.slot, .generation = slot.generation};
  CHECK_EQUAL(authenticate(&client, got, &key), OW_OK);
  CHECK(memcmp(got, expected, 32) == 0);
  CHECK_EQUAL(client_encrypt(&client, &key, 64), OW_BAD_KEY); /* the key is for another opcode */
  CHECK_EQUAL(ow_shared_key_zeroise(&client.shared, &slot), OW_OK);

  static const uint8_t long_key[200];
  material.key = long_key;
  material.key_len = sizeof(long_key);
  CHECK_EQUAL(ow_shared_key_load(&client.shared, &slot, &material), OW_BAD_ARGUMENT);
  material.opcode = OW_OP_EC_SIGN;
  material.key_len = 32;
  material.curve = 99;
  CHECK_EQUAL(ow_shared_key_load(&client.shared, &slot, &material), OW_BAD_ARGUMENT);
  material.curve = OW_CURVE_P384; /* the key has the length for P-256 */
  CHECK_EQUAL(ow_shared_key_load(&client.shared, &slot, &material), OW_BAD_ARGUMENT);
  CHECK_EQUAL(client_encrypt(&client, &inline_key, 64), OW_OK);
  client_close(&client);
}

/* Loads seeds of ML-KEM-512, reserves a slot for an AES key, and lets a job make it there. */
static void keys_that_jobs_make(void) {
  static const uint8_t seeds[96] = {4, 5, 6};
  static uint8_t ek[OW_MLKEM_EK_BYTES(2)], dk[OW_MLKEM_DK_BYTES(2)];
  static uint8_t ciphertext[OW_MLKEM_CIPHERTEXT_BYTES(2)], secret[32], expected[64], got[64];
  struct client ours, theirs;
  struct ow_key_handle kem = {0}, made = {0};
  struct ow_key_material material = {
      .opcode = OW_OP_MLKEM_DECAPSULATE, .key = seeds, .key_len = 64};
  client_open(&ours);
  client_open(&theirs);
  struct ow_mlkem *mlkem = (struct ow_mlkem *)(ours.room + 4096);
  CHECK_EQUAL((uintptr_t)mlkem % 64, 0);
  CHECK_EQUAL(ow_mlkem_init(mlkem, &ours.queue), OW_OK);
  CHECK_EQUAL(ow_mlkem_generate(mlkem, ek, dk, OW_MLKEM_512, seeds, seeds + 32), OW_OK);
  CHECK_EQUAL(ow_mlkem_encapsulate(mlkem, ciphertext, secret, OW_MLKEM_512, ek, seeds + 64), OW_OK);
  CHECK_EQUAL(ow_shared_key_load(&ours.shared, &kem, &material), OW_OK);
  CHECK_EQUAL(ow_mlkem_slot_decapsulate(mlkem, got, OW_MLKEM_512, &kem, ciphertext), OW_KEY_DENIED);

  material = (struct ow_key_material){
      .properties = {.mac = true}, .opcode = OW_OP_HMAC_SHA256, .key_len = 32, .reserve = true};
  CHECK_EQUAL(ow_shared_key_load(&ours.shared, &made, &material), OW_OK);
  const struct ow_key key = {.slot = made.slot, .generation = made.generation};
  CHECK_EQUAL(authenticate(&ours, got, &key), OW_KEY_DENIED); /* not made yet */
  /* A neighbour neither makes it nor takes the reservation back. */
  struct ow_mlkem *foreign = (struct ow_mlkem *)(theirs.room + 4096);
  struct ow_key_handle their_kem = {0};
  material =
      (struct ow_key_material){.opcode = OW_OP_MLKEM_DECAPSULATE, .key = seeds, .key_len = 64};
  CHECK_EQUAL(ow_mlkem_init(foreign, &theirs.queue), OW_OK);
  CHECK_EQUAL(ow_shared_key_load(&theirs.shared, &their_kem, &material), OW_OK);
  CHECK_EQUAL(ow_mlkem_slot_decapsulate_to(foreign, &made, OW_MLKEM_512, &their_kem, ciphertext),
              OW_KEY_DENIED);
  CHECK_EQUAL(ow_shared_key_zeroise(&theirs.shared, &made), OW_KEY_DENIED);

  struct ow_counters before = {0}, after = {0};
  ow_queue_counters(&ours.queue, &before);
  CHECK_EQUAL(ow_mlkem_slot_decapsulate_to(mlkem, &made, OW_MLKEM_512, &kem, ciphertext), OW_OK);
  CHECK_EQUAL(authenticate(&ours, got, &key), OW_OK);
  ow_queue_counters(&ours.queue, &after);
  CHECK_EQUAL(after.jobs - before.jobs, 2);
  const struct ow_key plain = {.bytes = secret, .key_len = 32};
  CHECK_EQUAL(authenticate(&ours, expected, &plain), OW_OK);
  CHECK(memcmp(got, expected, 32) == 0);
  CHECK_EQUAL(authenticate(&theirs, got, &key), OW_KEY_DENIED);

  /* One that no job has made ends with its client. */
  CHECK_EQUAL(ow_shared_key_zeroise(&ours.shared, &made), OW_OK);
  material = (struct ow_key_material){.key_len = 16, .reserve = true};
  CHECK_EQUAL(ow_shared_key_load(&ours.shared, &made, &material), OW_OK);
  CHECK_EQUAL(ow_shared_key_zeroise(&ours.shared, &made), OW_OK);
  CHECK_EQUAL(ow_shared_key_load(&ours.shared, &made, &material), OW_OK);
  material.key_len = 17;
  CHECK_EQUAL(ow_shared_key_load(&ours.shared, &made, &material), OW_BAD_ARGUMENT);
  material.key = key_bytes;
  material.key_len = 16;
  CHECK_EQUAL(ow_shared_key_load(&ours.shared, &made, &material), OW_BAD_ARGUMENT);
  client_close(&theirs);
  client_close(&ours);
}

static int ready[2];

/* Loads a key, writes its slot to `ready`, and keeps jobs in flight until it is killed. */
static void victim(void) {
  struct client client;
  struct ow_key_handle slot = {0};
  client_open(&client);
  CHECK_EQUAL(ow_shared_key_load(&client.shared, &slot, &locked_key), OW_OK);
  CHECK(write(ready[1], &slot.slot, 1) == 1);
  static struct ow_job jobs[8];
  for (;;) {
    for (unsigned i = 0; i < 8; i++) {
      struct ow_job *job = &jobs[i];
      if (job->status != OW_PENDING) {
        *job = (struct ow_job){.opcode = OW_OP_AES_ECB,
                               .key = {.slot = slot.slot, .generation = slot.generation},
                               .length = 65536,
                               .source = client.room,
                               .destination = client.room};
        (void)ow_queue_submit(&client.queue, NULL, &job, 1);
      }
    }
    (void)ow_queue_poll(&client.queue, NULL);
  }
}

static void killed(void) {
  struct client other;
  uint8_t slot;
  client_open(&other);
  CHECK(pipe(ready) == 0);
  pid_t pid = process_start(victim);
  CHECK(read(ready[0], &slot, 1) == 1);
  usleep(50000);
  CHECK_EQUAL(client_encrypt(&other, &inline_key, 4096), OW_OK);
  CHECK(kill(pid, SIGKILL) == 0);
  (void)process_end(pid);
  CHECK_EQUAL(client_encrypt(&other, &inline_key, 4096), OW_OK);
  /* The server has zeroised the key: the slot, though it was locked, can be loaded again. */
  struct ow_key_handle again = {.slot = 0xee};
  for (unsigned i = 0; again.slot != slot; i++) {
    CHECK(i < 1000);
    CHECK_EQUAL(ow_shared_key_load(&other.shared, &again, &plain_key), OW_OK);
    if (again.slot != slot) {
      CHECK_EQUAL(ow_shared_key_zeroise(&other.shared, &again), OW_OK);
      usleep(1000);
    }
  }
  client_close(&other);
  no_queue_is_left(); /* all four can be opened again */
}

/* A client that is stopped, but not dead, does not delay the others. */
static void stopped(void) {
  struct client other;
  uint8_t slot;
  client_open(&other);
  CHECK(pipe(ready) == 0);
  pid_t pid = process_start(victim);
  CHECK(read(ready[0], &slot, 1) == 1);
  CHECK(kill(pid, SIGSTOP) == 0);
  for (unsigned i = 0; i < 20; i++) {
    CHECK_EQUAL(client_encrypt(&other, &inline_key, 4096), OW_OK);
  }
  CHECK(kill(pid, SIGKILL) == 0);
  (void)process_end(pid);
  client_close(&other);
}

static void nonsense(void) {
  struct client other;
  client_open(&other);
  for (unsigned i = 0; i < 20; i++) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char bytes[300];
    memcpy(address.sun_path, server_path, strlen(server_path));
    int file = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    CHECK(connect(file, (const struct sockaddr *)&address, sizeof(address)) == 0);
    memset(bytes, (int)i, sizeof(bytes));
    CHECK(send(file, bytes, i == 0 ? 1 : i * 13, MSG_NOSIGNAL) > 0);
    CHECK_EQUAL(recv(file, bytes, sizeof(bytes), 0), 0); /* the server closed the connection */
    close(file);
    CHECK_EQUAL(client_encrypt(&other, &inline_key, 64), OW_OK);
  }
  memset(other.shared.mapped, 0xff, 64); /* what the client writes: doorbell, register access */
  ow_shared_close(&other.shared);
  work();
}

/* A ring of invalid descriptors affects only its own queue. */
static void rubbish(void) {
  struct client ours, theirs;
  client_open(&ours);
  client_open(&theirs);
  memset(ours.shared.memory, 0xa5, OW_QUEUE_MEMORY_BYTES(CLIENT_LOG2));
  ours.platform.write32(&ours.shared, ours.queue.page + OW_QUEUE_DOORBELL_OFFSET, 9);
  for (unsigned i = 0; i < 10; i++) {
    CHECK_EQUAL(client_encrypt(&theirs, &inline_key, 4096), OW_OK);
  }
  CHECK_EQUAL(ow_queue_reset(&ours.queue), OW_OK);
  CHECK_EQUAL(client_encrypt(&ours, &inline_key, 4096), OW_OK);
  client_close(&theirs);
  client_close(&ours);
}

/* When the server ends, no client waits for it without limit. Must run last. */
static void server_dies(void) {
  struct client client;
  client_open(&client);
  CHECK(kill(server_pid, SIGKILL) == 0);
  (void)process_end(server_pid);
  CHECK(client_encrypt(&client, &inline_key, 64) != OW_OK);
  CHECK(ow_queue_close(&client.queue) != OW_OK);
  ow_shared_close(&client.shared);
  CHECK(client_try_open(&client) != NULL);
  unlink(server_path);
}

int main(void) {
  server_start();
  RUN(work);
  RUN(side_by_side);
  RUN(no_queue_is_left);
  RUN(foreign_memory);
  RUN(foreign_registers);
  RUN(foreign_keys);
  RUN(keys_of_other_kinds);
  RUN(keys_that_jobs_make);
  RUN(killed);
  RUN(stopped);
  RUN(nonsense);
  RUN(rubbish);
  RUN(server_dies);
  return 0;
}
