/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * No branch and no address of the driver's calls for ML-KEM and ML-DSA depends on a secret: keys,
 * seeds and results are marked for valgrind's memcheck (secret.h) on their way to a fake device and
 * back.
 */
#include "check.h"
#include "fake_device.h"
#include "rig.h"
#include "secret.h"

enum { SLOT = 3 };
static unsigned jobs;

/* Returns bytes that depend on all of key and input. */
static unsigned lattice(struct fake_pka_job *job) {
  unsigned k = job->parameters[0] & OW_LATTICE_PARAMETERS_FIRST_K_MASK;
  uint8_t sum = 0;
  switch (job->opcode) {
  case OW_OP_MLKEM_KEYGEN:
    job->output_len = OW_MLKEM_DK_BYTES(k);
    break;
  case OW_OP_MLKEM_ENCAPSULATE:
    job->output_len = OW_MLKEM_CIPHERTEXT_BYTES(k) + OW_MLKEM_SECRET_BYTES;
    break;
  case OW_OP_MLKEM_DECAPSULATE:
    job->output_len = OW_MLKEM_SECRET_BYTES;
    break;
  case OW_OP_MLDSA_KEYGEN:
    job->output_len = OW_MLDSA_PUBLIC_BYTES(k) + OW_MLDSA_PRIVATE_BYTES(k);
    break;
  default:
    job->output_len = OW_MLDSA_SIGNATURE_BYTES(k);
    break;
  }
  for (size_t i = 0; i < job->key_len; i++) {
    sum ^= job->key[i];
  }
  for (size_t i = 0; i < job->input_len; i++) {
    sum ^= job->input[i];
  }
  memset(job->output, sum, job->output_len);
  jobs++;
  return OW_DEVICE_OK;
}

/* Returns whether the last byte of a result came from secrets: it is as undefined as they are. */
static bool is_secret(const uint8_t *bytes, size_t length) {
  uint8_t undefined = 0;
  CHECK_EQUAL(VALGRIND_GET_VBITS(bytes + length - 1, &undefined, 1), 1);
  return undefined != 0;
}

static void test_mlkem(struct rig *rig) {
  struct ow_mlkem *mlkem = rig_allocate(rig, sizeof(*mlkem), 64);
  uint8_t d[32] = {1}, z[32] = {2}, m[32] = {3}, shared[32];
  uint8_t ek[OW_MLKEM_EK_BYTES(3)], dk[OW_MLKEM_DK_BYTES(3)];
  uint8_t ciphertext[OW_MLKEM_CIPHERTEXT_BYTES(3)];
  SECRET(d, sizeof(d));
  SECRET(z, sizeof(z));
  SECRET(m, sizeof(m));
  CHECK_EQUAL(ow_mlkem_init(mlkem, &rig->queue), OW_OK);
  CHECK_EQUAL(ow_mlkem_generate(mlkem, ek, dk, OW_MLKEM_768, d, z), OW_OK);
  CHECK(is_secret(dk, sizeof(dk)));
  CHECK_EQUAL(ow_mlkem_encapsulate(mlkem, ciphertext, shared, OW_MLKEM_768, ek, m), OW_OK);
  CHECK(is_secret(shared, sizeof(shared)));
  CHECK_EQUAL(ow_mlkem_decapsulate(mlkem, shared, OW_MLKEM_768, dk, ciphertext), OW_OK);
  CHECK(is_secret(shared, sizeof(shared)));
  const struct ow_key_properties properties = {.queues = 1, .decrypt = true};
  CHECK_EQUAL(ow_mlkem_slot_load(&rig->device, SLOT, &properties, OW_MLKEM_768, d, z), OW_OK);
  ow_mlkem_close(mlkem);
}

static void test_mldsa(struct rig *rig) {
  struct ow_mldsa *mldsa = rig_allocate(rig, sizeof(*mldsa), 64);
  uint8_t xi[32] = {1}, mu[64] = {2}, rnd[32] = {3};
  uint8_t pk[OW_MLDSA_PUBLIC_BYTES(4)], sk[OW_MLDSA_PRIVATE_BYTES(4)];
  uint8_t signature[OW_MLDSA_SIGNATURE_BYTES(4)];
  SECRET(xi, sizeof(xi));
  SECRET(rnd, sizeof(rnd));
  CHECK_EQUAL(ow_mldsa_init(mldsa, &rig->queue), OW_OK);
  CHECK_EQUAL(ow_mldsa_generate(mldsa, pk, sk, OW_MLDSA_44, xi), OW_OK);
  CHECK(is_secret(sk, sizeof(sk)));
  CHECK_EQUAL(ow_mldsa_sign(mldsa, signature, OW_MLDSA_44, sk, mu, rnd), OW_OK);
  CHECK(is_secret(signature, sizeof(signature)));
  const struct ow_key_properties properties = {.queues = 1};
  CHECK_EQUAL(ow_mldsa_slot_load(&rig->device, SLOT, &properties, OW_MLDSA_44, xi), OW_OK);
  ow_mldsa_close(mldsa);
}

/* As rig_open(), with a lattice engine. */
static void open_with_lattice(struct rig *rig, struct fake_device *fake) {
  const uint32_t opcodes = 1u << (OW_OP_MLKEM_KEYGEN & 15u) |
                           1u << (OW_OP_MLKEM_ENCAPSULATE & 15u) |
                           1u << (OW_OP_MLKEM_DECAPSULATE & 15u) |
                           1u << (OW_OP_MLDSA_KEYGEN & 15u) | 1u << (OW_OP_MLDSA_SIGN & 15u);
  fake_open(fake);
  fake->registers[OW_GLOBAL_ENGINES_OFFSET / 4] |= 1u << OW_ENGINE_LATTICE;
  fake->registers[OW_GLOBAL_LATTICE_OFFSET / 4] =
      opcodes << OW_GLOBAL_LATTICE_OPERATIONS_SHIFT | 1u << OW_GLOBAL_LATTICE_VERSION_SHIFT;
  fake->lattice = lattice;
  rig->under = fake;
  void *memory = fake_allocate(fake, OW_QUEUE_MEMORY_BYTES(RIG_LOG2), 64);
  CHECK_EQUAL(ow_device_open(&rig->device, &fake->platform), OW_OK);
  CHECK_EQUAL(ow_queue_grant(&rig->device, 0, NULL), OW_OK);
  CHECK_EQUAL(ow_queue_open(&rig->queue, &rig->device, 0, memory, rig->slots, RIG_LOG2), OW_OK);
}

int main(void) {
  struct rig rig;
  if (!RUNNING_ON_VALGRIND) {
    printf("run this under valgrind: it finds nothing otherwise\n");
    return 1;
  }
  open_with_lattice(&rig, malloc(sizeof(struct fake_device)));
  test_mlkem(&rig);
  CHECK_EQUAL(jobs, 3);
  test_mldsa(&rig);
  CHECK_EQUAL(jobs, 5);
  rig_close(&rig);
  return 0;
}
