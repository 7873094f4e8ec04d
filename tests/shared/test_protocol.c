/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests connections to the shared board: silent clients, invalid messages, clients that end at any
 * step. None may keep a queue, leave a file descriptor, a key or memory behind, or disturb others.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "one_process.h"

#define MEGABYTE (1u << 20)
#define SILENT   40u

static const uint8_t secret[16] = {1, 2, 3};

static unsigned open_files(void) {
  DIR *folder = opendir("/proc/self/fd");
  unsigned count = 0;
  CHECK(folder != NULL);
  while (readdir(folder) != NULL) {
    count++;
  }
  closedir(folder);
  return count;
}

/* Returns how often clients' memory is mapped in this process, by the server or by the test. */
static unsigned mappings(void) {
  FILE *file = fopen("/proc/self/maps", "r");
  char line[512];
  unsigned count = 0;
  CHECK(file != NULL);
  while (fgets(line, sizeof(line), file) != NULL) {
    count += strstr(line, "memfd:outwork") != NULL;
  }
  fclose(file);
  return count;
}

static void silent_connections_hold_no_queue(void) {
  int silent[SILENT];
  unsigned files = open_files();
  for (unsigned i = 0; i < SILENT; i++) {
    silent[i] = raw_connect();
  }
  turns(5);
  all_queues_work();
  CHECK(open_files() < files + SILENT + 20); /* the server keeps few of them open */
  for (unsigned i = 0; i < SILENT; i++) {
    close(silent[i]);
  }
  turns(5);
  CHECK_EQUAL(open_files(), files);
}

static void a_connection_has_one_second_for_its_hello(void) {
  struct shared_message hello = raw_message(SHARED_HELLO);
  struct shared_answer answer;
  int memory = -1, late = raw_connect();
  turns(2);
  now_ms += 999;
  turns(2);
  hello.bytes = 4096;
  raw_send(late, &hello, sizeof(hello));
  CHECK(raw_answer(late, &answer, &memory));
  CHECK_EQUAL(answer.status, OW_OK);
  close(memory);
  int silent = raw_connect();
  turns(2);
  now_ms += 1000;
  turns(2);
  CHECK_EQUAL(recv(silent, &answer, sizeof(answer), MSG_DONTWAIT), 0);
  now_ms += 1000000; /* a client with a queue may be silent */
  turns(2);
  CHECK(recv(late, &answer, sizeof(answer), MSG_DONTWAIT) < 0 && errno == EAGAIN);
  close(silent);
  close(late);
}

/* HELLO is refused while all queues are in use, and waits while one of them is being reset. */
static void a_queue_on_its_way_back_is_waited_for(void) {
  struct raw clients[OW_QUEUE_COUNT], next;
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    raw_open(&clients[i], 8 * MEGABYTE);
  }
  CHECK(!raw_join(&next, MEGABYTE));
  CHECK_EQUAL(next.hello.status, OW_BUSY);
  uint8_t *out;
  (void)raw_forged(&clients[2], 2000, &out);
  ow_sim_run(sim, 10000);
  raw_forget(&clients[2]);
  raw_open(&clients[2], MEGABYTE);
  for (unsigned i = 0; i < OW_QUEUE_COUNT; i++) {
    CHECK_EQUAL(raw_known_answer(&clients[i], 20), OW_OK);
    raw_forget(&clients[i]);
  }
}

/* Sends a message with this number of file descriptors. */
static void send_with(int socket, const void *bytes, size_t length, unsigned descriptors) {
  char control[CMSG_SPACE(sizeof(int) * 32)] = {0};
  struct iovec part = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptors != 0) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * descriptors);
    for (unsigned i = 0; i < descriptors; i++) {
      memcpy(CMSG_DATA(header) + sizeof(int) * i, &socket, sizeof(socket));
    }
  }
  CHECK_EQUAL(sendmsg(socket, &message, MSG_NOSIGNAL), (long)length);
}

/* Sends a message as the first of a connection, and from a client with a queue: it ends both. */
static void ends_the_connection(const void *bytes, size_t length, unsigned descriptors) {
  int file = raw_connect();
  send_with(file, bytes, length, descriptors);
  raw_await_end(file);
  struct raw client;
  CHECK(raw_join(&client, 4096));
  send_with(client.socket, bytes, length, descriptors);
  raw_await_end(client.socket);
  client.socket = -1;
  munmap(client.page, OW_SHARED_PAGE + client.memory_len);
}

static void nonsense_ends_the_connection_and_nothing_else(void) {
  static const size_t lengths[] = {0, 2, 3, 15, 16, 4096};
  struct {
    struct shared_message message;
    uint8_t more[4096];
  } sent;
  struct raw other;
  unsigned files = open_files();
  raw_open(&other, MEGABYTE);
  for (unsigned request = 0; request < 6; request++) {
    memset(&sent, 0, sizeof(sent));
    sent.message = raw_message((enum shared_request)request);
    sent.message.bytes = 4096;
    for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
      ends_the_connection(&sent, lengths[i], 0);
    }
    ends_the_connection(&sent, sizeof(sent.message) - 1, 0);
    ends_the_connection(&sent, sizeof(sent.message) + 1, 0);
    ends_the_connection(&sent, sizeof(sent.message), 1);
    ends_the_connection(&sent, sizeof(sent.message), 32);
    ends_the_connection(&sent, 1, 1);
    sent.message.version ^= 1;
    ends_the_connection(&sent, sizeof(sent.message), 0);
    sent.message.version ^= 1;
    sent.message.magic ^= 0x80000000u;
    ends_the_connection(&sent, sizeof(sent.message), 0);
  }
  int file = raw_connect(); /* wakes the server for a page that does not exist yet */
  raw_send(file, "", 1);
  raw_await_end(file);
  for (unsigned request = SHARED_KEY_LOAD; request <= SHARED_KEY_ZEROISE + 1;
       request++) { /* before HELLO */
    struct shared_message early = raw_message((enum shared_request)request);
    early.bytes = 4096;
    file = raw_connect();
    raw_send(file, &early, sizeof(early));
    raw_await_end(file);
  }
  CHECK_EQUAL(raw_known_answer(&other, 64), OW_OK);
  raw_forget(&other);
  turns(10);
  CHECK_EQUAL(open_files(), files);
  all_queues_work();
}

static void sizes_out_of_range_are_refused(void) {
  static const uint64_t sizes[] = {0,
                                   1,
                                   63,
                                   65,
                                   OW_SHARED_BYTES_MAX + 64ull,
                                   UINT64_C(1) << 32,
                                   UINT64_C(1) << 63,
                                   UINT64_MAX - 63,
                                   UINT64_MAX};
  unsigned files = open_files();
  for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    struct raw client;
    CHECK(!raw_join(&client, (size_t)sizes[i]));
    CHECK_EQUAL(client.hello.status, OW_BAD_ARGUMENT);
  }
  struct raw client;
  uint8_t slot;
  struct shared_answer answer;
  raw_open(&client, MEGABYTE);
  struct shared_message again = raw_message(SHARED_HELLO), key = raw_message(SHARED_KEY_LOAD);
  again.bytes = 4096;
  raw_send(client.socket, &again, sizeof(again));
  CHECK(raw_answer(client.socket, &answer, NULL));
  CHECK_EQUAL(answer.status, OW_BAD_ARGUMENT);
  for (unsigned length = 0; length < 256; length++) {
    key.key_len = (uint8_t)length;
    key.two_keys = length > 64;
    if (length != 16 && length != 24 && length != 32) {
      raw_send(client.socket, &key, sizeof(key));
      CHECK(raw_answer(client.socket, &answer, NULL));
      CHECK_EQUAL(answer.status, OW_BAD_ARGUMENT);
    }
  }
  no_key_is_left();
  CHECK_EQUAL(raw_key(&client, &slot, OW_OP_NOP, secret), OW_OK);
  CHECK_EQUAL(raw_known_answer(&client, 64), OW_OK);
  raw_forget(&client);
  turns(10);
  CHECK_EQUAL(open_files(), files);
  no_key_is_left();
}

static void its_memory_cannot_be_taken_from_the_server(void) {
  struct shared_message hello = raw_message(SHARED_HELLO);
  struct shared_answer answer;
  int memory = -1, file = raw_connect();
  hello.bytes = 8192;
  raw_send(file, &hello, sizeof(hello));
  CHECK(raw_answer(file, &answer, &memory));
  CHECK(ftruncate(memory, 0) != 0);
  CHECK(ftruncate(memory, 1 << 20) != 0);
  CHECK(fcntl(memory, F_ADD_SEALS, F_SEAL_WRITE) != 0);
  CHECK_EQUAL(fallocate(memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 12288), 0);
  turns(5); /* the server reads zeros from the hole */
  CHECK_EQUAL(ow_shared_server_clients(server), 1);
  close(memory);
  close(file);
}

static void who_takes_no_answers_is_given_up(void) {
  struct raw client, other;
  struct shared_message message = raw_message(SHARED_KEY_ZEROISE);
  raw_open(&other, MEGABYTE);
  raw_open(&client, MEGABYTE);
  for (unsigned i = 0; ow_shared_server_clients(server) == 2; i++) {
    CHECK(i < 10000);
    (void)send(client.socket, &message, sizeof(message), MSG_NOSIGNAL | MSG_DONTWAIT);
    turns(1);
  }
  CHECK_EQUAL(raw_known_answer(&other, 64), OW_OK);
  raw_forget(&client);
  raw_forget(&other);
}

enum step { /* what a client does last */
            CONNECTED,
            SAID_HELLO,
            WAS_ANSWERED,
            HAS_OPENED,
            LOADS_A_KEY,
            HAS_A_KEY,
            ZEROISES_IT,
            ACCESSES_A_REGISTER,
            HAS_JOBS,
            RESETS_ITS_QUEUE,
            STEPS
};

static void goes_as_far_as(enum step step) {
  struct shared_message hello = raw_message(SHARED_HELLO);
  struct raw client;
  uint8_t slot, *out;
  if (step <= SAID_HELLO) {
    int file = raw_connect();
    hello.bytes = MEGABYTE;
    if (step == SAID_HELLO) {
      raw_send(file, &hello, sizeof(hello));
    }
    close(file);
    return;
  }
  if (step == WAS_ANSWERED) {
    CHECK(raw_join(&client, 8 * MEGABYTE));
  } else {
    raw_open(&client, 8 * MEGABYTE);
  }
  struct shared_message key = raw_message(SHARED_KEY_LOAD);
  key.encrypt = key.lock = 1;
  key.key_len = 16;
  if (step == LOADS_A_KEY) {
    raw_send(client.socket, &key, sizeof(key));
  }
  if (step >= HAS_A_KEY) {
    CHECK_EQUAL(raw_key(&client, &slot, OW_OP_NOP, secret), OW_OK);
  }
  if (step == ZEROISES_IT) {
    struct shared_message zeroise = raw_message(SHARED_KEY_ZEROISE);
    zeroise.slot = slot;
    raw_send(client.socket, &zeroise, sizeof(zeroise));
  }
  if (step >= ACCESSES_A_REGISTER) {
    atomic_store(&client.page->offset, OW_QUEUE_STATUS_OFFSET);
    atomic_store(&client.page->asked, client.asked + 1);
  }
  if (step >= HAS_JOBS) {
    (void)raw_forged(&client, 500, &out);
    ow_sim_run(sim, 3000);
  }
  if (step == RESETS_ITS_QUEUE) {
    raw_bus_write(&client, OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_RESET_MASK);
  }
  raw_forget(&client);
}

static void a_client_may_end_at_any_step(void) {
  unsigned files = open_files();
  struct raw other;
  raw_open(&other, MEGABYTE);
  for (unsigned round = 0; round < 3 * STEPS; round++) {
    goes_as_far_as((enum step)(round % STEPS));
    turns(round / STEPS); /* the next client comes before, while or after this one is closed */
    CHECK_EQUAL(raw_known_answer(&other, 8), OW_OK);
  }
  turns(20);
  all_other_queues_work(1);
  raw_forget(&other);
  turns(10);
  no_key_is_left();
  CHECK_EQUAL(open_files(), files);
  CHECK_EQUAL(mappings(), 0);
}

/* Memory does not answer, so no reset ends. The queue is given to no client, and its memory stays
 * registered; once memory answers, the next request for a queue makes the server try again. */
static void a_queue_whose_reset_does_not_end_comes_back(void) {
  const struct ow_sim_fault stuck = {.kind = OW_SIM_NO_READ_RESPONSE};
  struct raw client, next;
  uint8_t slot, *out;
  raw_open(&client, 8 * MEGABYTE);
  CHECK_EQUAL(raw_key(&client, &slot, OW_OP_NOP, secret), OW_OK);
  void *memory = (void *)(uintptr_t)(client.hello.base + OW_SHARED_PAGE);
  (void)raw_forged(&client, 100, &out);
  CHECK(ow_sim_inject(sim, &stuck));
  ow_sim_run(sim, 500);
  raw_forget(&client);
  turns(40);
  CHECK_EQUAL(ow_shared_server_lost(server), 1);
  CHECK_EQUAL(ow_sim_register(sim, memory, 64), 0); /* it is still registered */
  for (unsigned i = 0; i < OW_QUEUE_COUNT - 1; i++) {
    CHECK(raw_join(&next, MEGABYTE));
    CHECK(next.hello.queue != client.hello.queue);
    raw_forget(&next);
    turns(40);
  }
  ow_sim_mend(sim);
  CHECK(raw_join(&next, MEGABYTE));
  raw_forget(&next);
  turns(40);
  CHECK_EQUAL(ow_shared_server_lost(server), 0);
  no_key_is_left();
  all_queues_work();
}

/* The same with a device that has disappeared from the bus: writes to it are lost. */
static void a_queue_comes_back_with_its_device(void) {
  const struct ow_sim_fault away = {.kind = OW_SIM_DEAD_REGISTERS};
  struct raw client, next;
  uint8_t slot;
  raw_open(&client, MEGABYTE);
  CHECK_EQUAL(raw_key(&client, &slot, OW_OP_NOP, secret), OW_OK);
  CHECK(ow_sim_inject(sim, &away));
  raw_forget(&client);
  turns(40);
  CHECK_EQUAL(ow_shared_server_lost(server), 1);
  ow_sim_mend(sim);
  CHECK(raw_join(&next, MEGABYTE));
  turns(40);
  CHECK_EQUAL(ow_shared_server_lost(server), 0);
  no_key_is_left();
  raw_forget(&next);
  turns(10);
  all_queues_work();
}

int main(int count, char **names) {
  static const struct named_test tests[] = {
      NAMED(silent_connections_hold_no_queue),
      NAMED(a_connection_has_one_second_for_its_hello),
      NAMED(a_queue_on_its_way_back_is_waited_for),
      NAMED(nonsense_ends_the_connection_and_nothing_else),
      NAMED(sizes_out_of_range_are_refused),
      NAMED(its_memory_cannot_be_taken_from_the_server),
      NAMED(who_takes_no_answers_is_given_up),
      NAMED(a_client_may_end_at_any_step),
      NAMED(a_queue_whose_reset_does_not_end_comes_back),
      NAMED(a_queue_comes_back_with_its_device),
  };
  return run_named(tests, sizeof(tests) / sizeof(tests[0]), count > 1 ? names[1] : NULL);
}
