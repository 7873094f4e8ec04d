/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The simulated board as a PCI function of a machine in QEMU: outwork_qemu PROXY QTEST
 *
 * Both are numbers of open sockets: the other end of PROXY is that of QEMU's x-pci-proxy-dev, of
 * QTEST that of its -qtest. It ends with QEMU, and prints what it has counted. The guest's memory
 * is mapped where its physical addresses are, so that the board's DMA goes straight to it. QEMU
 * takes interrupts of such a device for KVM only, so a message is written to the address of the
 * local APIC by QTEST. SIGUSR1: as in ow_function_open().
 * Exit status 1: the board has broken a rule of its bus.
 */
#include "function.h"
#include "proxy.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct device {
  struct ow_proxy proxy;
  struct ow_function function;
  int qtest;
};

static bool send_interrupt(void *context, uint64_t address, uint32_t data) {
  const struct device *device = context;
  char line[64];
  const int length =
      snprintf(line, sizeof(line), "writel 0x%" PRIx64 " 0x%" PRIx32 "\n", address, data);
  return send(device->qtest, line, (size_t)length, MSG_NOSIGNAL) == length;
}

static uint32_t read_configuration(void *context, uint32_t offset, unsigned bytes) {
  const struct device *device = context;
  uint32_t value = 0;
  ow_pci_configuration_read(&device->function.pci, offset, (uint8_t *)&value,
                            bytes < sizeof(value) ? bytes : sizeof(value));
  return value;
}

static void write_configuration(void *context, uint32_t offset, unsigned bytes, uint32_t value) {
  struct device *device = context;
  ow_pci_configuration_write(&device->function.pci, offset, (const uint8_t *)&value,
                             bytes < sizeof(value) ? bytes : sizeof(value));
}

static uint32_t read_bar(void *context, uint64_t address, unsigned bytes) {
  struct device *device = context;
  uint64_t offset = 0;
  const int bar = ow_pci_bar(&device->function.pci, address, &offset);
  return bar < 0 || bytes != sizeof(uint32_t)
             ? UINT32_MAX
             : ow_function_read(&device->function, (unsigned)bar, offset);
}

static void write_bar(void *context, uint64_t address, unsigned bytes, uint32_t value) {
  struct device *device = context;
  uint64_t offset = 0;
  const int bar = ow_pci_bar(&device->function.pci, address, &offset);
  if (bar >= 0 && bytes == sizeof(uint32_t)) {
    ow_function_write(&device->function, (unsigned)bar, offset, value);
  }
}

static bool on_memory(void *context, void *memory, size_t length) {
  struct device *device = context;
  return ow_sim_register(device->function.sim, memory, length) != 0;
}

static void on_reset(void *context) {
  struct device *device = context;
  ow_pci_reset(&device->function.pci);
  ow_sim_reset(device->function.sim);
}

/* Until QEMU ends. */
static void serve(struct device *device) {
  for (;;) {
    struct pollfd files[2] = {{.fd = device->proxy.socket, .events = POLLIN},
                              {.fd = device->qtest, .events = POLLIN}};
    const int found = poll(files, 2, ow_function_has_work(&device->function) ? 0 : -1);
    if (files[0].revents != 0 && !ow_proxy_serve(&device->proxy)) {
      return;
    }
    if (files[1].revents != 0) {
      char answers[256]; /* to messages that were written: nothing to learn */
      if (recv(device->qtest, answers, sizeof(answers), 0) <= 0) {
        return;
      }
    }
    if (found == 0) {
      ow_function_step(&device->function);
    } else {
      ow_function_update_interrupts(&device->function);
    }
  }
}

int main(int argc, char **argv) {
  static struct device device = {
      .function = {.interrupt = send_interrupt, .context = &device},
      .proxy.handler = {.context = &device,
                        .configuration_read = read_configuration,
                        .configuration_write = write_configuration,
                        .bar_read = read_bar,
                        .bar_write = write_bar,
                        .memory = on_memory,
                        .reset = on_reset},
  };
  if (argc != 3) {
    fprintf(stderr, "usage: outwork_qemu PROXY QTEST\n");
    return 2;
  }
  device.proxy.socket = atoi(argv[1]);
  device.qtest = atoi(argv[2]);
  if (!ow_function_open(&device.function)) {
    return 2;
  }
  serve(&device);
  return ow_function_close(&device.function) ? 0 : 1;
}
