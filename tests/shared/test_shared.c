/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Clients of one board, each in a process of its own: they work at the same time and cannot access
 * each other's memory or keys; one that is killed, hangs or sends invalid messages does not affect
 * the others.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "outwork/outwork.h"
#include "outwork/shared.h"
#include "outwork/shared_server.h"

#define BYTES (1u << 20)
#define LOG2  4u

struct client {
  struct ow_shared shared;
  struct ow_platform platform;
  struct ow_device device;
  struct ow_queue queue;
  struct ow_queue_slot slots[1u << LOG2];
  uint8_t *room; /* after the ring */
};

static char path[64];
static pid_t server_pid;

static void serve(void) {
  struct ow_sim_parameters parameters;
  const char *why = NULL;
  ow_sim_defaults(&parameters);
  struct ow_sim *sim = ow_sim_open(&parameters, NULL);
  struct ow_shared_server *server = ow_shared_server_open(sim, path, &why);
  if (server == NULL) {
    fprintf(stderr, "the server: %s\n", why);
    _exit(1);
  }
  for (;;) {
    ow_shared_server_turn(server, 1000);
    CHECK_EQUAL(ow_shared_server_lost(server), 0);
  }
}

static void start_server(void) {
  snprintf(path, sizeof(path), "/tmp/outwork-test-%ld", (long)getpid());
  unlink(path);
  server_pid = fork();
  CHECK(server_pid >= 0);
  if (server_pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a failed test leaves no process behind */
    serve();
  }
  for (unsigned i = 0; access(path, F_OK) != 0; i++) {
    CHECK(i < 5000);
    usleep(1000);
  }
}

static const char *try_open(struct client *client) {
  const char *why = ow_shared_open(&client->shared, path, BYTES);
  if (why != NULL) {
    return why;
  }
  ow_shared_platform(&client->shared, &client->platform);
  CHECK_EQUAL(ow_device_attach(&client->device, &client->platform, &client->shared.capabilities),
              OW_OK);
  CHECK_EQUAL(ow_queue_open(&client->queue, &client->device, client->shared.queue,
                            client->shared.memory, client->slots, LOG2),
              OW_OK);
  client->room =
      (uint8_t *)client->shared.memory + ((OW_QUEUE_MEMORY_BYTES(LOG2) + 4095u) & ~(size_t)4095u);
  return NULL;
}

/* A queue of a client that went a moment ago may still be on its way back. */
static void open_client(struct client *client) {
  const char *why = try_open(client);
  for (unsigned i = 0; why != NULL && i < 2000; i++) {
    usleep(1000);
    why = try_open(client);
  }
  if (why != NULL) {
    fprintf(stderr, "%s\n", why);
  }
  CHECK(why == NULL);
}

static void close_client(struct client *client) {
  CHECK_EQUAL(ow_queue_close(&client->queue), OW_OK);
  ow_shared_close(&client->shared);
}

static ow_status run(struct client *client, struct ow_job *job) {
  ow_status status = ow_queue_submit(&client->queue, NULL, &job, 1);
  if (status == OW_OK) {
    status = ow_queue_wait(&client->queue, job);
  }
  return status == OW_OK ? job->status : status;
}

/* FIPS 197, C.1: many copies of the block, under a key that travels along or one in a slot. */
static ow_status encrypt(struct client *client, const struct ow_key *key, uint32_t length) {
  static const uint8_t plain[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                    0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
  static const uint8_t cipher[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                     0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
  for (uint32_t i = 0; i < length; i += 16) {
    memcpy(client->room + i, plain, 16);
  }
  static struct ow_job job; /* may outlive this call, where the server is gone */
  job = (struct ow_job){.opcode = OW_OP_AES_ECB,
                        .key = *key,
                        .length = length,
                        .source = client->room,
                        .destination = client->room};
  ow_status status = run(client, &job);
  for (uint32_t i = 0; status == OW_OK && i < length; i += 16) {
    CHECK(memcmp(client->room + i, cipher, 16) == 0);
  }
  return status;
}

static const uint8_t key_bytes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const struct ow_key inline_key = {.bytes = key_bytes, .key_len = 16};
static const struct ow_key_material plain_key = {
    .properties = {.encrypt = true}, .key = key_bytes, .key_len = 16};
static const struct ow_key_material locked_key = {
    .properties = {.encrypt = true, .lock = true}, .key = key_bytes, .key_len = 16};

static pid_t in_child(void (*body)(void)) {
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    body();
    _exit(0);
  }
  return pid;
}

static int ends(pid_t pid) {
  int status;
  CHECK(waitpid(pid, &status, 0) == pid);
  return status;
}

static void work(void) {
  struct client client;
  open_client(&client);
  for (unsigned i = 0; i < 40; i++) {
    CHECK_EQUAL(encrypt(&client, &inline_key, 16 + 1600 * (i % 5)), OW_OK);
  }
  close_client(&client);
}

static void side_by_side(void) {
  pid_t workers[6]; /* more than there are queues: some wait for one */
  for (unsigned i = 0; i < 6; i++) {
    workers[i] = in_child(work);
  }
  for (unsigned i = 0; i < 6; i++) {
    CHECK_EQUAL(ends(workers[i]), 0);
  }
}

static void no_queue_is_left(void) {
  struct client clients[OW_QUEUE_COUNT], one_more;
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    open_client(&clients[i]);
  }
  const char *why = try_open(&one_more);
  if (why == NULL || strstr(why, "taken") == NULL) {
    fprintf(stderr, "%s\n", why != NULL ? why : "a fifth queue");
  }
  CHECK(why != NULL && strstr(why, "taken") != NULL);
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    close_client(&clients[i]);
  }
}

/* Another's memory, and the page of registers before one's own. */
static void foreign_memory(void) {
  struct client ours, theirs;
  open_client(&ours);
  open_client(&theirs);
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
    ours.shared.base = targets[i]; /* the descriptor is written with another's addresses */
    CHECK_EQUAL(ow_queue_prepare(&ours.queue, NULL, jobs, 1), OW_OK);
    ours.shared.base = base;
    ow_queue_announce(&ours.queue);
    CHECK_EQUAL(ow_queue_wait(&ours.queue, &job), OW_OK);
    CHECK_EQUAL(job.status, OW_WINDOW_VIOLATION);
  }
  for (unsigned i = 0; i < 64; i++) {
    CHECK_EQUAL(theirs.room[i], 0x77);
  }
  CHECK_EQUAL(encrypt(&theirs, &inline_key, 64), OW_OK);
  CHECK_EQUAL(encrypt(&ours, &inline_key, 64), OW_OK);
  close_client(&theirs);
  close_client(&ours);
}

static void foreign_registers(void) {
  struct client client;
  open_client(&client);
  for (uint32_t offset = 0; offset < OW_QUEUE_OFFSET + OW_QUEUE_COUNT * OW_QUEUE_STRIDE;
       offset += OW_PAGE_SIZE) {
    bool own = offset == OW_QUEUE_OFFSET + client.shared.queue * OW_QUEUE_STRIDE;
    uint32_t value = client.platform.read32(&client.shared, offset + OW_QUEUE_RING_SIZE_OFFSET);
    CHECK(own ? value == LOG2 : value == UINT32_MAX);
  }
  close_client(&client);
}

static void foreign_keys(void) {
  struct client ours, theirs;
  struct ow_key_handle slot = {.slot = 0xee};
  open_client(&ours);
  open_client(&theirs);
  CHECK_EQUAL(ow_shared_key_load(&ours.shared, &slot, &locked_key), OW_OK);
  const struct ow_key key = {.slot = slot.slot, .generation = slot.generation};
  CHECK_EQUAL(encrypt(&ours, &key, 64), OW_OK);
  CHECK_EQUAL(encrypt(&theirs, &key, 64), OW_KEY_DENIED);
  CHECK_EQUAL(ow_shared_key_zeroise(&theirs.shared, &slot), OW_KEY_DENIED);
  CHECK_EQUAL(encrypt(&ours, &key, 64), OW_OK);
  struct ow_key_handle stale = slot;
  stale.generation--;
  CHECK_EQUAL(ow_shared_key_zeroise(&ours.shared, &stale), OW_KEY_GONE);
  stale.slot = 0xff;
  CHECK_EQUAL(ow_shared_key_zeroise(&ours.shared, &stale), OW_KEY_DENIED);
  CHECK_EQUAL(encrypt(&ours, &key, 64), OW_OK);
  CHECK_EQUAL(ow_shared_key_zeroise(&ours.shared, &slot), OW_OK);
  CHECK_EQUAL(encrypt(&ours, &key, 64), OW_KEY_DENIED);
  CHECK_EQUAL(encrypt(&theirs, &inline_key, 64), OW_OK);
  close_client(&theirs);
  close_client(&ours);
}

/* HMAC-SHA-256 of 64 bytes, with the key in a slot or not. */
static ow_status authenticate(struct client *client, uint8_t tag[64], const struct ow_key *key) {
  static struct ow_job job;
  job = (struct ow_job){.opcode = OW_OP_HMAC_SHA256,
                        .tag_len = 32,
                        .key = *key,
                        .length = 64,
                        .source = client->room};
  ow_status status = run(client, &job);
  memcpy(tag, job.tag, 64);
  return status;
}

static void keys_of_other_kinds(void) {
  struct client client;
  struct ow_key_handle slot = {.slot = 0xee};
  uint8_t expected[64] = {0}, got[64] = {1};
  struct ow_key_material material = {
      .properties = {.mac = true}, .opcode = OW_OP_HMAC_SHA256, .key = key_bytes, .key_len = 16};
  open_client(&client);
  CHECK_EQUAL(authenticate(&client, expected, &inline_key), OW_OK);
  CHECK_EQUAL(ow_shared_key_load(&client.shared, &slot, &material), OW_OK);
  const struct ow_key key = {.slot = slot.slot, .generation = slot.generation};
  CHECK_EQUAL(authenticate(&client, got, &key), OW_OK);
  CHECK(memcmp(got, expected, 32) == 0);
  CHECK_EQUAL(encrypt(&client, &key, 64), OW_BAD_KEY); /* it is one opcode's */
  CHECK_EQUAL(ow_shared_key_zeroise(&client.shared, &slot), OW_OK);

  static const uint8_t long_key[200];
  material.key = long_key;
  material.key_len = sizeof(long_key);
  CHECK_EQUAL(ow_shared_key_load(&client.shared, &slot, &material), OW_BAD_ARGUMENT);
  material.opcode = OW_OP_EC_SIGN;
  material.key_len = 32;
  material.curve = 99;
  CHECK_EQUAL(ow_shared_key_load(&client.shared, &slot, &material), OW_BAD_ARGUMENT);
  material.curve = OW_CURVE_P384; /* with a key of P-256's length */
  CHECK_EQUAL(ow_shared_key_load(&client.shared, &slot, &material), OW_BAD_ARGUMENT);
  CHECK_EQUAL(encrypt(&client, &inline_key, 64), OW_OK);
  close_client(&client);
}

static int ready[2];

/* Loads a key, has jobs in flight, and is killed. */
static void victim(void) {
  struct client client;
  struct ow_key_handle slot = {0};
  open_client(&client);
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
  open_client(&other);
  CHECK(pipe(ready) == 0);
  pid_t pid = in_child(victim);
  CHECK(read(ready[0], &slot, 1) == 1);
  usleep(50000);
  CHECK_EQUAL(encrypt(&other, &inline_key, 4096), OW_OK);
  CHECK(kill(pid, SIGKILL) == 0);
  (void)ends(pid);
  CHECK_EQUAL(encrypt(&other, &inline_key, 4096), OW_OK);
  /* Its key is zeroised: the slot is empty, and can be loaded again with the same lock. */
  struct ow_key_handle again = {.slot = 0xee};
  for (unsigned i = 0; again.slot != slot; i++) {
    CHECK(i < 1000);
    CHECK_EQUAL(ow_shared_key_load(&other.shared, &again, &plain_key), OW_OK);
    if (again.slot != slot) {
      CHECK_EQUAL(ow_shared_key_zeroise(&other.shared, &again), OW_OK);
      usleep(1000);
    }
  }
  close_client(&other);
  no_queue_is_left(); /* all four are there again */
}

/* Stopped, not dead: it costs the others nothing. */
static void stopped(void) {
  struct client other;
  uint8_t slot;
  open_client(&other);
  CHECK(pipe(ready) == 0);
  pid_t pid = in_child(victim);
  CHECK(read(ready[0], &slot, 1) == 1);
  CHECK(kill(pid, SIGSTOP) == 0);
  for (unsigned i = 0; i < 20; i++) {
    CHECK_EQUAL(encrypt(&other, &inline_key, 4096), OW_OK);
  }
  CHECK(kill(pid, SIGKILL) == 0);
  (void)ends(pid);
  close_client(&other);
}

static void nonsense(void) {
  struct client other;
  open_client(&other);
  for (unsigned i = 0; i < 20; i++) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char bytes[300];
    memcpy(address.sun_path, path, strlen(path));
    int file = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    CHECK(connect(file, (const struct sockaddr *)&address, sizeof(address)) == 0);
    memset(bytes, (int)i, sizeof(bytes));
    CHECK(send(file, bytes, i == 0 ? 1 : i * 13, MSG_NOSIGNAL) > 0);
    CHECK_EQUAL(recv(file, bytes, sizeof(bytes), 0), 0); /* hung up */
    close(file);
    CHECK_EQUAL(encrypt(&other, &inline_key, 64), OW_OK);
  }
  memset(other.shared.mapped, 0xff,
         64); /* the page's words of ours: a doorbell, a register access */
  ow_shared_close(&other.shared);
  work();
}

/* A ring of rubbish halts its own queue. */
static void rubbish(void) {
  struct client ours, theirs;
  open_client(&ours);
  open_client(&theirs);
  memset(ours.shared.memory, 0xa5, OW_QUEUE_MEMORY_BYTES(LOG2));
  ours.platform.write32(&ours.shared, ours.queue.page + OW_QUEUE_DOORBELL_OFFSET, 9);
  for (unsigned i = 0; i < 10; i++) {
    CHECK_EQUAL(encrypt(&theirs, &inline_key, 4096), OW_OK);
  }
  CHECK_EQUAL(ow_queue_reset(&ours.queue), OW_OK);
  CHECK_EQUAL(encrypt(&ours, &inline_key, 4096), OW_OK);
  close_client(&theirs);
  close_client(&ours);
}

/* Last: the server ends, and no client waits for it without limit. */
static void server_dies(void) {
  struct client client;
  open_client(&client);
  CHECK(kill(server_pid, SIGKILL) == 0);
  (void)ends(server_pid);
  CHECK(encrypt(&client, &inline_key, 64) != OW_OK);
  CHECK(ow_queue_close(&client.queue) != OW_OK);
  ow_shared_close(&client.shared);
  CHECK(try_open(&client) != NULL);
  unlink(path);
}

int main(void) {
  start_server();
  RUN(work);
  RUN(side_by_side);
  RUN(no_queue_is_left);
  RUN(foreign_memory);
  RUN(foreign_registers);
  RUN(foreign_keys);
  RUN(keys_of_other_kinds);
  RUN(killed);
  RUN(stopped);
  RUN(nonsense);
  RUN(rubbish);
  RUN(server_dies);
  return 0;
}
