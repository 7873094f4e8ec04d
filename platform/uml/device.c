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
#include "function.h"
#include "vhost.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
  struct ow_function function;
};

static bool send_interrupt(void *context, uint64_t address, uint32_t data) {
  struct device *device = context;
  const struct {
    struct request request;
    uint32_t data;
  } message = {
      .request = {.operation = MESSAGE_INTERRUPT, .length = sizeof(data), .offset = address},
      .data = data};
  return ow_vhost_send(&device->vhost, &message, sizeof(message.request) + sizeof(message.data));
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
    ow_pci_configuration_read(&device->function.pci, request.offset, answer,
                              request.length < answer_len ? request.length : answer_len);
    break;
  case CONFIGURATION_WRITE:
    ow_pci_configuration_write(&device->function.pci, request.offset, data,
                               request.length < data_len ? request.length : data_len);
    break;
  case MEMORY_READ:
    if (request.length == sizeof(value) && answer_len >= sizeof(value)) {
      value = ow_function_read(&device->function, request.bar, request.offset);
      memcpy(answer, &value, sizeof(value));
    }
    break;
  case MEMORY_WRITE:
    if (request.length == sizeof(value) && data_len >= sizeof(value)) {
      memcpy(&value, data, sizeof(value));
      ow_function_write(&device->function, request.bar, request.offset, value);
    }
    break;
  default:
    break;
  }
  ow_function_update_interrupts(&device->function);
}

static bool on_memory(void *context, void *memory, size_t length) {
  struct device *device = context;
  return ow_sim_register(device->function.sim, memory, length) != 0;
}

/* Until the kernel ends. */
static void serve(struct device *device) {
  for (;;) {
    struct pollfd file = {.fd = device->vhost.socket, .events = POLLIN};
    const int found = poll(&file, 1, ow_function_has_work(&device->function) ? 0 : -1);
    if (found > 0 && !ow_vhost_serve(&device->vhost)) {
      return;
    }
    if (found == 0) {
      ow_function_step(&device->function);
    } else {
      /* there may be a buffer for a message now */
      ow_function_update_interrupts(&device->function);
    }
  }
}

int main(int argc, char **argv) {
  static struct device device = {.function = {.interrupt = send_interrupt, .context = &device}};
  if (argc != 2) {
    fprintf(stderr, "usage: outwork_pci SOCKET\n");
    return 2;
  }
  if (!ow_function_open(&device.function)) {
    return 2;
  }
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
  return ow_function_close(&device.function) ? 0 : 1;
}
