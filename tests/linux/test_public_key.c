/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Operations with public keys in the kernel module, on a fake device whose engine only pretends:
 * jobs that run one after the other, that wait for an entry, that fail, and what is wiped.
 */
#include "public_key.h"

#include "queue.h"
#include "requests.h"

enum { BYTES = 32 };

static struct {
  unsigned jobs;
  u8 key[4 * BYTES], input[4 * BYTES];
  size_t key_len, input_len;
} engine;

/* Its results are the key's bytes, each one more. */
static unsigned pretend(struct fake_pka_job *job) {
  CHECK(job->key_len <= sizeof(engine.key) && job->input_len <= sizeof(engine.input));
  engine.jobs++;
  engine.key_len = job->key_len;
  engine.input_len = job->input_len;
  memcpy(engine.key, job->key, job->key_len);
  memcpy(engine.input, job->input, job->input_len);
  job->output_len = job->opcode == OW_OP_EC_CHECK ? 0 : 2u * BYTES;
  for (size_t i = 0; i < job->output_len; i++) {
    job->output[i] = (u8)(job->key[i % BYTES] + 1);
  }
  return job->opcode == OW_OP_EC_VERIFY ? OW_DEVICE_AUTH_FAILED : OW_DEVICE_OK;
}

static void fit(struct fake_device *device) {
  device->registers[OW_GLOBAL_ENGINES_OFFSET / 4] |= 1u << OW_ENGINE_PKA;
  device->registers[OW_GLOBAL_PKA_OFFSET / 4] =
      0x1fffu << OW_GLOBAL_PKA_OPERATIONS_SHIFT | 1u << OW_GLOBAL_PKA_CURVES_SHIFT;
  device->pka = pretend;
}

/* Time passes: the device works, and the watchdog looks. */
static void pass_time(void) {
  pump();
  owk_watchdog(&device.watchdog.work);
}

static void open_with_engine(void) {
  fit_device = fit;
  kernel_wait = pass_time;
  memset(&engine, 0, sizeof(engine));
  open_device();
  CHECK(device.places != NULL);
  CHECK(owk_has_curve(&device, OW_CURVE_P256) && !owk_has_curve(&device, OW_CURVE_P384));
}

static bool is_clear(const void *memory, size_t bytes) {
  const u8 *at = memory;
  while (bytes != 0 && at[bytes - 1] == 0) {
    bytes--;
  }
  return bytes == 0;
}

/* A private operation: random bytes by the AES engine, then the job, whose key is wiped. */
static void test_jobs_of_an_operation_follow_each_other(void) {
  struct owk_device *found;
  u8 d[BYTES], point[2 * BYTES];
  open_with_engine();
  random_bytes(d, sizeof(d));
  const struct ow_ec_private key = {.curve = OW_CURVE_P256, .d = {d, sizeof(d)}};
  struct owk_place *place = owk_place_take(&found);
  CHECK(found == &device && place != NULL);
  CHECK_EQUAL(ow_ec_public(place->pka, point, &key), OW_OK);
  CHECK_EQUAL(engine.jobs, 1);
  CHECK_EQUAL(engine.key_len, BYTES);
  CHECK(memcmp(engine.key, d, BYTES) == 0);
  CHECK(engine.input_len == 8 + BYTES && !is_clear(engine.input, 8));
  for (unsigned i = 0; i < sizeof(point); i++) {
    CHECK_EQUAL(point[i], (u8)(d[i % BYTES] + 1));
  }
  CHECK(is_clear(place->pka->key, sizeof(place->pka->key)));
  CHECK(is_clear(place->pka->input, sizeof(place->pka->input)));
  CHECK(is_clear(place->pka->output, sizeof(place->pka->output)));
  CHECK(fake->queues[0].jobs > 1); /* the generator's too */
  CHECK_EQUAL(fake->queues[0].jobs, (u64)owk_counts.requests.value);
  CHECK_EQUAL(queue->slow, 0);
  memset(place->source, 1, sizeof(place->source));
  memset(place->result, 1, sizeof(place->result));
  owk_place_give(found, place);
  CHECK(is_clear(place->source, sizeof(place->source)));
  CHECK(is_clear(place->result, sizeof(place->result)));
  CHECK_EQUAL(device.places->users.value, 0);
  close_device();
}

/* With the ring full of other requests an operation waits for an entry. */
static void test_an_operation_waits_for_an_entry(void) {
  struct owk_device *found;
  struct request *requests[ENTRIES];
  struct owk_key key;
  u8 point[2 * BYTES] = {1};
  open_with_engine();
  new_key(&key);
  for (unsigned i = 0; i < ENTRIES; i++) {
    requests[i] = make_request(&key, 64, 1, false);
    CHECK_EQUAL(submit(requests[i]), -EINPROGRESS);
  }
  struct owk_place *place = owk_place_take(&found);
  CHECK_EQUAL(ow_ec_check(place->pka, OW_CURVE_P256, point), OW_OK);
  CHECK_EQUAL(owk_counts.backlogged.value, 1);
  CHECK_EQUAL(engine.jobs, 1);
  owk_place_give(found, place);
  for (unsigned i = 0; i < ENTRIES; i++) {
    CHECK_EQUAL(requests[i]->ended, 1);
    free(requests[i]);
  }
  owk_key_clear(&key);
  close_device();
}

static unsigned done_in_software;
static int ended;

static int on_device(struct owk_place *place, void *request) {
  CHECK(request == &done_in_software);
  return owk_operation_error(ow_ec_check(place->pka, OW_CURVE_P256, place->source));
}

static int verify(struct owk_place *place, void *request) {
  (void)request;
  return owk_operation_error(
      ow_ecdsa_verify_raw(place->pka, OW_CURVE_P256, place->source, place->source, place->source));
}

static int in_software(void *request) {
  CHECK(request == &done_in_software);
  done_in_software++;
  return 7;
}

static void tell(struct crypto_async_request *base, int error) {
  (void)base;
  ended = error;
}

/* Runs an operation as a worker does. Returns what its caller is told. */
static int operate(int (*run)(struct owk_place *place, void *request)) {
  static struct crypto_async_request base = {.complete = tell};
  struct owk_operation operation = {
      .on_device = run, .in_software = in_software, .request = &done_in_software, .base = &base};
  ended = 1;
  done_in_software = 0;
  CHECK_EQUAL(owk_operation_begin(&operation), -EINPROGRESS);
  return ended;
}

static void test_software_does_what_the_device_does_not(void) {
  open_with_engine();
  CHECK_EQUAL(owk_workers_open(), 0);
  CHECK_EQUAL(operate(on_device), 0);
  CHECK_EQUAL(done_in_software, 0);
  CHECK_EQUAL(operate(verify), -EKEYREJECTED);
  CHECK_EQUAL(done_in_software, 0);
  CHECK_EQUAL(owk_counts.operations.value, 2);

  fake->force_status = OW_DEVICE_BAD_OPERAND;
  CHECK_EQUAL(operate(on_device), 7);
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_FORM].value, 1);
  fake->force_status = OW_DEVICE_READ_ERROR;
  CHECK_EQUAL(operate(on_device), 7);
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_DEVICE].value, 1);
  fake->force_status = 0;
  queue->queue.halted = true;
  CHECK_EQUAL(operate(on_device), 7);
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_DEVICE].value, 2);
  pass_time(); /* the watchdog resets it */
  CHECK_EQUAL(operate(on_device), 0);

  owk_device_withdraw(&device);
  CHECK_EQUAL(operate(on_device), 7);
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_ABSENT].value, 1);
  CHECK_EQUAL(owk_counts.operations.value, 3);
  owk_device_publish(&device);
  close_device();
}

static unsigned looks;
static u32 step;

/* The device counts cycles, but ends no job. */
static void pass_long_time(void) {
  fake->registers[(OW_QUEUE_OFFSET + OW_QUEUE_BUSY_CYCLES_OFFSET) / 4] += step;
  looks++;
  owk_watchdog(&device.watchdog.work);
}

/* A public-key job has time as long as the device counts its cycles, but not for ever. */
static void test_a_long_job_has_time(void) {
  enum { STEP = 1 << 22, PATIENCE = (40 << 20) / STEP };
  kernel_is_quiet = true;
  for (unsigned stands = 0; stands < 2; stands++) {
    open_with_engine();
    kernel_wait = pass_long_time;
    fake->idle = true;
    step = stands ? 0 : STEP;
    looks = 0;
    CHECK_EQUAL(operate(on_device), 7);
    CHECK_EQUAL(queue->resets, 1);
    CHECK(stands ? looks <= 3 : looks > PATIENCE && looks < PATIENCE + 4);
    CHECK_EQUAL(queue->slow, 0);
    fake->idle = false;
    kernel_wait = pass_time;
    CHECK_EQUAL(operate(on_device), 0);
    close_device();
  }
  kernel_is_quiet = false;
}

static struct owk_place *held;
static unsigned waits;

/* An operation goes on while the device goes: its next job finds none. */
static void end_operation(void) {
  u8 point[2 * BYTES] = {1};
  waits++;
  CHECK_EQUAL(device.places->users.value, 1);
  CHECK_EQUAL(ow_ec_check(held->pka, OW_CURVE_P256, point), OW_BUSY);
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_ABSENT].value, 1);
  owk_place_give(&device, held);
}

/* Who takes the device away waits until no place is in use. */
static void test_the_device_goes_within_an_operation(void) {
  struct owk_device *found;
  open_with_engine();
  held = owk_place_take(&found);
  kernel_wait = end_operation;
  waits = 0;
  owk_device_withdraw(&device);
  CHECK_EQUAL(waits, 1);
  CHECK(owk_place_take(&found) == NULL);
  CHECK_EQUAL(owk_counts.fallbacks[OWK_FALLBACK_ABSENT].value, 2);
  close_device();
}

/* The other CPU goes as far as it can: until it takes a lock that this one holds. */
static void end_device(void) {
  if (device.places->lock.held) {
    kernel_unlocked = end_device;
    return;
  }
  kernel_unlocked = NULL;
  kernel_zero = NULL;
  close_device();
  device.places = NULL;
}

/* Who waits on another CPU for the last place takes the memory of all away as soon as he may. */
static void test_the_last_place_is_given_back(void) {
  struct owk_device *found;
  open_with_engine();
  struct owk_place *place = owk_place_take(&found);
  kernel_zero = end_device;
  owk_place_give(found, place);
  CHECK(device.places == NULL);
}

/* Numbers from a list: at the end of the place, and no longer than it. */
static void test_numbers_are_read_from_lists(void) {
  struct owk_device *found;
  u8 memory[BYTES];
  open_with_engine();
  random_bytes(memory, sizeof(memory));
  struct scatterlist list[2] = {{.memory = memory, .length = 5},
                                {.memory = memory + 5, .length = BYTES - 5, .end = true}};
  struct owk_place *place = owk_place_take(&found);
  memset(place->source, 0xee, sizeof(place->source));
  CHECK(owk_source_read(place, BYTES + 3, list, BYTES));
  CHECK(is_clear(place->source, 3) && memcmp(place->source + 3, memory, BYTES) == 0);
  CHECK(!owk_source_read(place, BYTES - 1, list, BYTES));
  CHECK(!owk_source_read(place, BYTES + 1, list, BYTES + 1));
  CHECK(!owk_source_read(place, OWK_SOURCE_MAX + 1, list, BYTES));
  random_bytes(place->result, BYTES);
  CHECK_EQUAL(owk_result_write(place, BYTES - 2, list), 0);
  CHECK(memcmp(memory, place->result, BYTES - 2) == 0);
  CHECK(memory[BYTES - 1] == place->source[BYTES + 2]);
  CHECK_EQUAL(owk_result_write(place, BYTES + 1, list), -EINVAL);
  owk_place_give(found, place);
  close_device();
}

int main(void) {
  RUN(test_jobs_of_an_operation_follow_each_other);
  RUN(test_an_operation_waits_for_an_entry);
  RUN(test_software_does_what_the_device_does_not);
  RUN(test_a_long_job_has_time);
  RUN(test_the_device_goes_within_an_operation);
  RUN(test_the_last_place_is_given_back);
  RUN(test_numbers_are_read_from_lists);
  return 0;
}
