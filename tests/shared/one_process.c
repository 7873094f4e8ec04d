/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Implements one_process.h: the server, its board and its clients in one process.
 */
#include "one_process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct ow_sim *sim;
struct ow_platform board;
struct ow_device owner;
struct ow_shared_server *server;
uint64_t now_ms;
static char path[64];

/* Device time: half a million cycles, where a job takes some thousand. */
#define RAW_TIMEOUT_US 5000u
/* Turns of the server after which a test fails; each is some thousand cycles. */
#define TURNS_MAX 20000u

void server_up(void) {
  struct ow_sim_parameters parameters;
  const char *why = NULL;
  ow_sim_defaults(&parameters);
  sim = ow_sim_open(&parameters, NULL);
  ow_sim_platform(sim, &board);
  CHECK_EQUAL(ow_device_open(&owner, &board), OW_OK);
  snprintf(path, sizeof(path), "/tmp/outwork-raw-%ld", (long)getpid());
  unlink(path);
  server = ow_shared_server_open(sim, path, &why);
  if (server == NULL) {
    fprintf(stderr, "%s\n", why);
  }
  CHECK(server != NULL);
}

void server_down(void) {
  ow_shared_server_close(server);
  ow_sim_close(sim);
}

void turns(unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    ow_shared_server_turn_at(server, 0, now_ms);
  }
}

int run_named(const struct named_test tests[], size_t tests_len, const char *only) {
  for (size_t i = 0; i < tests_len; i++) {
    if (only == NULL || strcmp(only, tests[i].name) == 0) {
      server_up();
      tests[i].body();
      server_down();
      printf("ok %s\n", tests[i].name);
      fflush(stdout);
    }
  }
  return 0;
}

int raw_connect(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, path, strlen(path));
  int file = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  while (connect(file, (const struct sockaddr *)&address, sizeof(address)) != 0) {
    CHECK_EQUAL(errno, EAGAIN); /* the server has not accepted earlier connections */
    turns(1);
  }
  return file;
}

void raw_send(int socket, const void *bytes, size_t length) {
  CHECK(send(socket, bytes, length, MSG_NOSIGNAL) == (ssize_t)length);
}

struct shared_message raw_message(enum shared_request request) {
  return (struct shared_message){
      .magic = OW_SHARED_MAGIC, .version = OW_SHARED_VERSION, .request = (uint16_t)request};
}

bool raw_answer(int socket, struct shared_answer *answer, int *memory) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part = {.iov_base = answer, .iov_len = sizeof(*answer)};
  struct msghdr got = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = control.room,
                       .msg_controllen = sizeof(control.room)};
  ssize_t length = -1;
  for (unsigned i = 0; length < 0; i++) {
    CHECK(i < TURNS_MAX);
    turns(1);
    length = recvmsg(socket, &got, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    CHECK(length >= 0 || errno == EAGAIN || errno == ECONNRESET);
  }
  const struct cmsghdr *sent = length > 0 ? CMSG_FIRSTHDR(&got) : NULL;
  if (sent != NULL) {
    int file;
    memcpy(&file, CMSG_DATA(sent), sizeof(file));
    CHECK(memory != NULL);
    *memory = file;
  }
  return length == (ssize_t)sizeof(*answer);
}

void raw_await_end(int socket) {
  struct shared_answer answer;
  int memory = -1;
  while (raw_answer(socket, &answer, &memory)) {
  }
  if (memory >= 0) {
    close(memory);
  }
  close(socket);
}

static bool map(void *context, uint64_t *address, void *memory, size_t length,
                ow_direction direction) {
  (void)direction;
  (void)length;
  *address = raw_address(context, memory);
  return true;
}

static uint32_t read32(void *context, uint32_t offset) {
  const struct raw *raw = context;
  return raw_read(context, offset - OW_QUEUE_OFFSET - raw->hello.queue * OW_QUEUE_STRIDE);
}

static void write32(void *context, uint32_t offset, uint32_t value) {
  const struct raw *raw = context;
  raw_write(context, offset - OW_QUEUE_OFFSET - raw->hello.queue * OW_QUEUE_STRIDE, value);
}

static void relax(void *context) {
  (void)context;
  turns(1);
}

static void barrier(void *context) {
  (void)context;
}

/* As for a real client: after the server has closed the connection, every timeout ends. */
static uint64_t microseconds(void *context) {
  struct raw *raw = context;
  raw->late_us += raw->gone ? 1000u : 0u;
  return board.microseconds(board.context) + raw->late_us;
}

bool raw_join(struct raw *raw, size_t bytes) {
  struct shared_message hello = raw_message(SHARED_HELLO);
  int memory = -1;
  *raw = (struct raw){.socket = raw_connect(), .memory_len = bytes};
  hello.bytes = bytes;
  raw_send(raw->socket, &hello, sizeof(hello));
  CHECK(raw_answer(raw->socket, &raw->hello, &memory));
  if (raw->hello.status != OW_OK) {
    close(raw->socket);
    return false;
  }
  raw->page = mmap(NULL, OW_SHARED_PAGE + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  CHECK(raw->page != MAP_FAILED);
  close(memory);
  raw->memory = (uint8_t *)raw->page + OW_SHARED_PAGE;
  raw->platform = (struct ow_platform){.context = raw,
                                       .read32 = read32,
                                       .write32 = write32,
                                       .map = map,
                                       .barrier = barrier,
                                       .relax = relax,
                                       .microseconds = microseconds};
  CHECK_EQUAL(ow_device_attach(&raw->device, &raw->platform, &raw->hello.capabilities), OW_OK);
  raw->device.timeout_us = RAW_TIMEOUT_US;
  return true;
}

void raw_open(struct raw *raw, size_t bytes) {
  CHECK(raw_join(raw, bytes));
  CHECK_EQUAL(
      ow_queue_open(&raw->queue, &raw->device, raw->hello.queue, raw->memory, raw->slots, RAW_LOG2),
      OW_OK);
  raw->queue.timeout_us = RAW_TIMEOUT_US;
}

void raw_leave(struct raw *raw) {
  close(raw->socket);
  raw->socket = -1;
}

void raw_forget(struct raw *raw) {
  if (raw->socket >= 0) {
    raw_leave(raw);
  }
  munmap(raw->page, OW_SHARED_PAGE + raw->memory_len);
}

uint64_t raw_address(const struct raw *raw, const void *memory) {
  return raw->hello.base + (uint64_t)((const uint8_t *)memory - (const uint8_t *)raw->page);
}

bool raw_hung_up(int socket) {
  uint8_t answer[sizeof(struct shared_answer)];
  ssize_t length;
  do {
    length = recv(socket, answer, sizeof(answer), MSG_DONTWAIT);
  } while (length > 0);
  return length == 0 || errno != EAGAIN;
}

/* Accesses a register through the page, and runs the server until it has answered. */
static uint32_t reach(struct raw *raw, uint32_t is_write, uint32_t offset, uint32_t value) {
  atomic_store(&raw->page->offset, offset);
  atomic_store(&raw->page->value, value);
  atomic_store(&raw->page->is_write, is_write);
  atomic_store(&raw->page->asked, ++raw->asked);
  for (unsigned i = 0; atomic_load(&raw->page->answered) != raw->asked; i++) {
    CHECK(i < TURNS_MAX);
    if (raw_hung_up(raw->socket)) {
      raw->gone = true;
      return UINT32_MAX;
    }
    turns(1);
  }
  return atomic_load(&raw->page->answer);
}

uint32_t raw_read(struct raw *raw, uint32_t offset) {
  return reach(raw, 0, offset, 0);
}

void raw_write(struct raw *raw, uint32_t offset, uint32_t value) {
  (void)reach(raw, 1, offset, value);
}

void raw_bus_write(const struct raw *raw, uint32_t offset, uint32_t value) {
  board.write32(board.context, OW_QUEUE_OFFSET + raw->hello.queue * OW_QUEUE_STRIDE + offset,
                value);
}

void raw_doorbell(struct raw *raw, uint32_t value) {
  atomic_store(&raw->page->doorbell, value);
  atomic_fetch_add(&raw->page->doorbells, 1u);
}

ow_status raw_key(struct raw *raw, uint8_t *slot, uint8_t opcode, const uint8_t key[16]) {
  struct shared_message message = raw_message(SHARED_KEY_LOAD);
  struct shared_answer answer;
  message.encrypt = opcode == OW_OP_NOP;
  message.mac = opcode != OW_OP_NOP;
  message.lock = 1;
  message.opcode = opcode;
  message.key_len = 16;
  memcpy(message.key, key, 16);
  raw_send(raw->socket, &message, sizeof(message));
  CHECK(raw_answer(raw->socket, &answer, NULL));
  *slot = answer.slot;
  return (ow_status)answer.status;
}

static const uint8_t plain[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                  0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
static const uint8_t cipher[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                   0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
static const uint8_t key_bytes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static ow_status encrypt(struct raw *raw, const struct ow_key *key, uint32_t blocks) {
  uint8_t *room = raw->memory + RAW_ROOM;
  struct ow_job job = {.opcode = OW_OP_AES_ECB,
                       .key = *key,
                       .length = 16 * blocks,
                       .source = room,
                       .destination = room};
  for (uint32_t i = 0; i < blocks; i++) {
    memcpy(room + (size_t)16 * i, plain, 16);
  }
  return ow_queue_run(&raw->queue, &job);
}

ow_status raw_known_answer(struct raw *raw, uint32_t blocks) {
  const struct ow_key key = {.bytes = key_bytes, .key_len = 16};
  ow_status status = encrypt(raw, &key, blocks);
  for (uint32_t i = 0; status == OW_OK && i < blocks; i++) {
    CHECK(memcmp(raw->memory + RAW_ROOM + (size_t)16 * i, cipher, 16) == 0);
  }
  return status;
}

ow_status raw_encrypt_with_slot(struct raw *raw, uint8_t slot) {
  const struct ow_key key = {.slot = slot};
  return encrypt(raw, &key, 1);
}

void raw_put(struct raw *raw, uint32_t index, const struct ow_descriptor *descriptor) {
  memcpy(raw->memory + (size_t)OW_DESCRIPTOR_SIZE * (index % (1u << RAW_LOG2)), descriptor,
         OW_DESCRIPTOR_SIZE);
}

struct ow_segment *raw_forged(struct raw *raw, uint32_t length, uint8_t **out) {
  uint8_t *in = raw->memory + 0x100000, *to = raw->memory + 0x200000;
  struct ow_segment *list = (struct ow_segment *)(void *)(raw->memory + 0x300000);
  CHECK(raw->memory_len >= 0x300000 + sizeof(*list) * (size_t)(length + 16));
  memset(in, 0x5c, length + 16);
  for (uint32_t i = 0; i < length + 16; i++) {
    list[i] = (struct ow_segment){.address = raw_address(raw, to + i), .length = 1};
  }
  const struct ow_descriptor forged = {
      .control = OW_OP_AES_GCM | 16u << OW_DESCRIPTOR_CONTROL_TAG_LENGTH_SHIFT |
                 OW_DESCRIPTOR_CONTROL_DECRYPT_MASK | OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK |
                 OW_DESCRIPTOR_CONTROL_DESTINATION_LIST_MASK,
      .source = raw_address(raw, in),
      .destination = raw_address(raw, list),
      .context = raw_address(raw, raw->memory + RAW_ROOM),
      .length = length};
  raw_put(raw, 0, &forged);
  raw_bus_write(raw, OW_QUEUE_DOORBELL_OFFSET, 1);
  *out = to;
  return list;
}

void all_other_queues_work(unsigned taken) {
  struct raw clients[OW_QUEUE_COUNT];
  for (unsigned i = 0; i < OW_QUEUE_COUNT - taken; i++) {
    raw_open(&clients[i], 1u << 20);
    CHECK_EQUAL(raw_known_answer(&clients[i], 20), OW_OK);
  }
  for (unsigned i = 0; i < OW_QUEUE_COUNT - taken; i++) {
    raw_forget(&clients[i]);
  }
  turns(10);
  CHECK_EQUAL(ow_shared_server_clients(server), taken);
  CHECK_EQUAL(ow_shared_server_lost(server), 0);
}

void all_queues_work(void) {
  all_other_queues_work(0);
}

void no_key_is_left(void) {
  for (unsigned slot = 0; slot < owner.capabilities.key_slots; slot++) {
    struct ow_key_info info;
    CHECK_EQUAL(ow_key_query(&owner, &info, (uint8_t)slot), OW_OK);
    CHECK(!info.valid && !info.reserved);
  }
}
