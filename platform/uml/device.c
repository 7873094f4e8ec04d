/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The simulated board as a PCI function of User Mode Linux: outwork_pci SOCKET
 *
 * Prints "ready", waits at the socket for the kernel (virtio_uml.device=SOCKET:1234) and ends with
 * it, then prints what it has counted. The kernel's
 * memory is mapped where its physical addresses are, so that the board's DMA goes straight to it.
 * SIGUSR1: it kills itself when the next job is announced, so that the device goes with a job.
 * Exit status 1: the board has broken a rule of its bus.
 */
#include "outwork/sim.h"
#include "outwork/spec.h"
#include "pci.h"
#include "vhost.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Clock cycles between two looks at the socket, while the board has work. */
#define STEP_CYCLES 64u
/* Cycles without a burst after which the board may have no work any more: longer than an interrupt
 * may wait for more completions. A job that computes for longer says so in a register. */
#define IDLE_CYCLES 20000u

/* What the peer asks for: struct virtio_pcidev_msg of Linux, followed by the data of a write. */
struct request {
  uint8_t operation, bar;
  uint16_t reserved;
  uint32_t length;
  uint64_t offset;
};
#define CONFIGURATION_READ  1u
#define CONFIGURATION_WRITE 2u
#define MEMORY_READ         3u
#define MEMORY_WRITE        4u
#define MESSAGE_INTERRUPT   7u

struct device {
  struct ow_vhost vhost;
  struct ow_pci pci;
  struct ow_sim *sim;
  struct ow_platform board;
  /* of the interrupt's lines, as seen last */
  uint32_t lines;
  /* the board has work until this cycle, or for longer if there are bursts */
  uint64_t busy_until, bursts;
  bool is_busy;
  uint64_t reads, writes, messages;
};

/* Whether it ends with the next doorbell. */
static volatile sig_atomic_t ends;

static void end_soon(int number) {
  (void)number;
  ends = 1;
}

static bool is_doorbell(uint64_t offset) {
  return offset >= OW_QUEUE_OFFSET &&
         (offset - OW_QUEUE_OFFSET) % OW_QUEUE_STRIDE == OW_QUEUE_DOORBELL_OFFSET;
}

static void keep_busy(struct device *device) {
  device->is_busy = true;
  device->busy_until = ow_sim_cycles(device->sim) + IDLE_CYCLES;
}

/* Sends a message for each line that has risen, and those that could not be sent before. */
static void update_interrupts(struct device *device) {
  const uint32_t lines = ow_sim_interrupts(device->sim);
  device->pci.pending |= lines & ~device->lines;
  device->lines = lines;
  for (unsigned i = 0; i < OW_PCI_VECTORS; i++) {
    struct {
      struct request request;
      uint32_t data;
    } message = {.request = {.operation = MESSAGE_INTERRUPT, .length = sizeof(message.data)}};
    if (ow_pci_message(&device->pci, i, &message.request.offset, &message.data) &&
        ow_vhost_send(&device->vhost, &message, sizeof(message.request) + sizeof(message.data))) {
      device->pci.pending &= ~(1u << i);
      device->messages++;
    }
  }
}

static uint32_t read_register(struct device *device, unsigned bar, uint64_t offset) {
  if (!ow_pci_answers(&device->pci) || bar > 1 || offset % 4 != 0) {
    return UINT32_MAX;
  }
  if (bar == 1) {
    return ow_pci_table_read(&device->pci, offset);
  }
  device->reads++;
  return offset < OW_PCI_REGISTERS_BYTES
             ? device->board.read32(device->board.context, (uint32_t)offset)
             : UINT32_MAX;
}

static void write_register(struct device *device, unsigned bar, uint64_t offset, uint32_t value) {
  if (!ow_pci_answers(&device->pci) || bar > 1 || offset % 4 != 0) {
    return;
  }
  if (bar == 1) {
    ow_pci_table_write(&device->pci, offset, value);
  } else if (offset < OW_PCI_REGISTERS_BYTES) {
    if (ends && is_doorbell(offset)) {
      (void)raise(SIGKILL);
    }
    device->writes++;
    device->board.write32(device->board.context, (uint32_t)offset, value);
    keep_busy(device);
  }
}

static void on_command(void *context, uint8_t *answer, size_t answer_len, const uint8_t *command,
                       size_t command_len) {
  struct device *device = context;
  struct request request;
  if (command_len < sizeof(request)) {
    return;
  }
  memcpy(&request, command, sizeof(request));
  const uint8_t *data = command + sizeof(request);
  const size_t data_len = command_len - sizeof(request);
  uint32_t value = 0;
  switch (request.operation) {
  case CONFIGURATION_READ:
    ow_pci_configuration_read(&device->pci, request.offset, answer,
                              request.length < answer_len ? request.length : answer_len);
    break;
  case CONFIGURATION_WRITE:
    ow_pci_configuration_write(&device->pci, request.offset, data,
                               request.length < data_len ? request.length : data_len);
    break;
  case MEMORY_READ:
    if (request.length == sizeof(value) && answer_len >= sizeof(value)) {
      value = read_register(device, request.bar, request.offset);
      memcpy(answer, &value, sizeof(value));
    }
    break;
  case MEMORY_WRITE:
    if (request.length == sizeof(value) && data_len >= sizeof(value)) {
      memcpy(&value, data, sizeof(value));
      write_register(device, request.bar, request.offset, value);
    }
    break;
  default:
    break;
  }
  update_interrupts(device);
}

static bool on_memory(void *context, void *memory, size_t length) {
  struct device *device = context;
  return ow_sim_register(device->sim, memory, length) != 0;
}

/* Runs the clock for a while. */
static void step(struct device *device) {
  struct ow_sim_statistics statistics;
  ow_sim_run(device->sim, STEP_CYCLES);
  ow_sim_statistics(device->sim, &statistics);
  const uint64_t bursts = statistics.read_bursts + statistics.write_bursts;
  if (bursts != device->bursts) {
    device->bursts = bursts;
    keep_busy(device);
  }
  update_interrupts(device);
}

/* Returns whether the board has work. A public-key job makes no bursts for long. */
static bool has_work(struct device *device) {
  if (device->is_busy && ow_sim_cycles(device->sim) >= device->busy_until) {
    const uint32_t status = device->board.read32(device->board.context, OW_GLOBAL_STATUS_OFFSET);
    device->is_busy = (status & OW_GLOBAL_STATUS_BUSY_MASK) != 0;
    if (device->is_busy) {
      keep_busy(device);
    }
  }
  return device->is_busy;
}

/* Until the kernel ends. */
static void serve(struct device *device) {
  for (;;) {
    struct pollfd file = {.fd = device->vhost.socket, .events = POLLIN};
    const int found = poll(&file, 1, has_work(device) ? 0 : -1);
    if (found > 0 && !ow_vhost_serve(&device->vhost)) {
      return;
    }
    if (found == 0) {
      step(device);
    } else {
      update_interrupts(device); /* there may be a buffer for a message now */
    }
  }
}

int main(int argc, char **argv) {
  static struct device device;
  struct ow_sim_parameters parameters;
  const char *error = NULL;
  if (argc != 2) {
    fprintf(stderr, "usage: outwork_pci SOCKET\n");
    return 2;
  }
  ow_sim_defaults(&parameters);
  device.sim = ow_sim_open(&parameters, &error);
  if (device.sim == NULL) {
    fprintf(stderr, "outwork_pci: no board: %s\n", error);
    return 2;
  }
  const struct sigaction soon = {.sa_handler = end_soon, .sa_flags = SA_RESTART};
  (void)sigaction(SIGUSR1, &soon, NULL);
  ow_sim_platform(device.sim, &device.board);
  ow_pci_reset(&device.pci);
  const struct ow_vhost_handler handler = {
      .context = &device, .command = on_command, .memory = on_memory};
  const int listener = ow_vhost_listen(argv[1]);
  if (listener >= 0) {
    printf("ready\n");
    fflush(stdout);
  }
  if (listener < 0 || !ow_vhost_open(&device.vhost, listener, &handler)) {
    fprintf(stderr, "outwork_pci: cannot serve at %s: %s\n", argv[1], strerror(errno));
    return 2;
  }
  close(listener);
  serve(&device);
  ow_vhost_close(&device.vhost);

  struct ow_sim_statistics statistics;
  ow_sim_statistics(device.sim, &statistics);
  printf("board: cycles %" PRIu64 " reads %" PRIu64 " writes %" PRIu64 " messages %" PRIu64
         " outside %" PRIu64 " violations %" PRIu64 "\n",
         statistics.cycles, device.reads, device.writes, device.messages, statistics.decode_errors,
         statistics.protocol_errors);
  const char *violation = ow_sim_protocol_error(device.sim);
  if (violation != NULL) {
    fprintf(stderr, "outwork_pci: the board has broken a rule of AXI: %s\n", violation);
  }
  ow_sim_close(device.sim);
  return violation != NULL;
}
