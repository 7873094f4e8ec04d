/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The server, its board and clients that use the protocol directly, in one process and one thread:
 * the test decides when the server runs, so every event has the same device cycle in each run.
 */
#ifndef OUTWORK_TEST_ONE_PROCESS_H
#define OUTWORK_TEST_ONE_PROCESS_H

#include "check.h"
#include "outwork/outwork.h"
#include "outwork/shared_server.h"
#include "outwork/sim.h"
#include "protocol.h"

#define RAW_LOG2 4u
/* Bytes of a client's memory: its rings, then space for data. */
#define RAW_ROOM 16384u

extern struct ow_sim *sim;
extern struct ow_platform board; /* the board as its owner sees it, with the global page */
extern struct ow_device owner;   /* the same with the driver */
extern struct ow_shared_server *server;
extern uint64_t now_ms; /* the server's clock */

/* Opens a board and its server, and closes both. */
void server_up(void);
void server_down(void);
/* Runs `count` turns of the server; none of them waits. */
void turns(unsigned count);

struct named_test {
  const char *name;
  void (*body)(void);
};
#define NAMED(test) {#test, test}
/* Runs all tests, or the one named `only`, each with a new board. */
int run_named(const struct named_test tests[], size_t tests_len, const char *only);

/* A client, hostile or not, that accesses its memory and its page without any checks. */
struct raw {
  int socket;
  struct shared_page *page;
  /* memory that the device can access */
  uint8_t *memory;
  size_t memory_len;
  struct shared_answer hello;
  uint32_t asked;
  /* the server has closed the connection */
  bool gone;
  /* added to the device's clock after `gone`, so that every timeout ends */
  uint64_t late_us;
  struct ow_platform platform;
  struct ow_device device;
  struct ow_queue queue;
  struct ow_queue_slot slots[1u << RAW_LOG2];
};

/* Connects to the server. Returns the socket, which the caller closes. */
int raw_connect(void);
void raw_send(int socket, const void *bytes, size_t length);
struct shared_message raw_message(enum shared_request request);
/* Runs the server until an answer has come. An answer to HELLO sets *memory, a file descriptor that
 * the caller closes; NULL: none may come. False: the server has closed the connection. */
bool raw_answer(int socket, struct shared_answer *answer, int *memory);
/* Runs the server until it has closed the connection, then closes the socket. */
void raw_await_end(int socket);
/* Returns whether the server has closed the connection; reads all answers first. */
bool raw_hung_up(int socket);
/* Joins the board. False: refused, with the status in raw->hello. */
bool raw_join(struct raw *raw, size_t bytes);
/* Joins, and opens the queue with the driver. */
void raw_open(struct raw *raw, size_t bytes);
/* Closes the connection, but keeps the mappings. */
void raw_leave(struct raw *raw);
/* Closes the connection, if it is open, and removes the mappings. */
void raw_forget(struct raw *raw);
/* Returns the address of a byte of the client's memory as the device sees it. */
uint64_t raw_address(const struct raw *raw, const void *memory);
/* Accesses a register through the page; reads all ones if the server has closed the connection. */
uint32_t raw_read(struct raw *raw, uint32_t offset);
void raw_write(struct raw *raw, uint32_t offset, uint32_t value);
/* Writes a register directly on the board: the job might end within a turn of the server. */
void raw_bus_write(const struct raw *raw, uint32_t offset, uint32_t value);
/* Writes the doorbell through the page; does not run the server. */
void raw_doorbell(struct raw *raw, uint32_t value);
/* Asks the server to load a locked key. OW_OP_NOP: an AES key to encrypt with; otherwise a MAC key
 * for this opcode. */
ow_status raw_key(struct raw *raw, uint8_t *slot, uint8_t opcode, const uint8_t key[16]);

/* Encrypts copies of the block of FIPS 197, C.1, as an honest client does. Returns the job's
 * status; if it is OW_OK, the result has been checked. */
ow_status raw_known_answer(struct raw *raw, uint32_t blocks);
/* Encrypts one block with the key in a slot; does not check the result. */
ow_status raw_encrypt_with_slot(struct raw *raw, uint8_t slot);

/* Writes a descriptor to the ring, without the driver's checks. */
void raw_put(struct raw *raw, uint32_t index, const struct ow_descriptor *descriptor);
/* Submits the AES-GCM decryption of a forged message of `length` bytes, whose output goes to as
 * many segments of one byte. Returns the segment list; *out is the memory of the output. */
struct ow_segment *raw_forged(struct raw *raw, uint32_t length, uint8_t **out);

/* Check that every queue, except `taken` queues of the test, can be opened, works, and can be
 * closed. */
void all_other_queues_work(unsigned taken);
void all_queues_work(void);
/* Checks that no slot has a key. */
void no_key_is_left(void);

#endif
