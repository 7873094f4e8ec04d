/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Implements processes.h: a board's server and its clients, each in a process of its own.
 */
#include "processes.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outwork/shared_server.h"

char server_path[64];
pid_t server_pid;
const uint8_t key_bytes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
const struct ow_key inline_key = {.bytes = key_bytes, .key_len = 16};

static void serve(void) {
  struct ow_sim_parameters parameters;
  const char *why = NULL;
  ow_sim_defaults(&parameters);
  struct ow_sim *sim = ow_sim_open(&parameters, NULL);
  struct ow_shared_server *server = ow_shared_server_open(sim, server_path, &why);
  if (server == NULL) {
    fprintf(stderr, "the server: %s\n", why);
    _exit(1);
  }
  for (;;) {
    ow_shared_server_turn(server, 1000);
    CHECK_EQUAL(ow_shared_server_lost(server), 0);
  }
}

void server_start(void) {
  snprintf(server_path, sizeof(server_path), "/tmp/outwork-test-%ld", (long)getpid());
  unlink(server_path);
  server_pid = fork();
  CHECK(server_pid >= 0);
  if (server_pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a failed test leaves no process behind */
    serve();
  }
  for (unsigned i = 0; access(server_path, F_OK) != 0; i++) {
    CHECK(i < 5000);
    usleep(1000);
  }
}

pid_t process_start(void (*body)(void)) {
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    body();
    _exit(0);
  }
  return pid;
}

int process_end(pid_t pid) {
  int status;
  CHECK(waitpid(pid, &status, 0) == pid);
  return status;
}

const char *client_try_open(struct client *client) {
  const char *why = ow_shared_open(&client->shared, server_path, CLIENT_BYTES);
  if (why != NULL) {
    return why;
  }
  ow_shared_platform(&client->shared, &client->platform);
  CHECK_EQUAL(ow_device_attach(&client->device, &client->platform, &client->shared.capabilities),
              OW_OK);
  CHECK_EQUAL(ow_queue_open(&client->queue, &client->device, client->shared.queue,
                            client->shared.memory, client->slots, CLIENT_LOG2),
              OW_OK);
  client->room = (uint8_t *)client->shared.memory +
                 ((OW_QUEUE_MEMORY_BYTES(CLIENT_LOG2) + 4095u) & ~(size_t)4095u);
  return NULL;
}

void client_open(struct client *client) {
  const char *why = client_try_open(client);
  for (unsigned i = 0; why != NULL && i < 2000; i++) {
    usleep(1000);
    why = client_try_open(client);
  }
  if (why != NULL) {
    fprintf(stderr, "%s\n", why);
  }
  CHECK(why == NULL);
}

void client_close(struct client *client) {
  CHECK_EQUAL(ow_queue_close(&client->queue), OW_OK);
  ow_shared_close(&client->shared);
}

ow_status client_run(struct client *client, struct ow_job *job) {
  ow_status status = ow_queue_submit(&client->queue, NULL, &job, 1);
  if (status == OW_OK) {
    status = ow_queue_wait(&client->queue, job);
  }
  return status == OW_OK ? job->status : status;
}

ow_status client_encrypt(struct client *client, const struct ow_key *key, uint32_t length) {
  static const uint8_t plain[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                    0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
  static const uint8_t cipher[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                     0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
  for (uint32_t i = 0; i < length; i += 16) {
    memcpy(client->room + i, plain, 16);
  }
  static struct ow_job job; /* static: after a timeout the queue still refers to it */
  job = (struct ow_job){.opcode = OW_OP_AES_ECB,
                        .key = *key,
                        .length = length,
                        .source = client->room,
                        .destination = client->room};
  ow_status status = client_run(client, &job);
  for (uint32_t i = 0; status == OW_OK && i < length; i += 16) {
    CHECK(memcmp(client->room + i, cipher, 16) == 0);
  }
  return status;
}
