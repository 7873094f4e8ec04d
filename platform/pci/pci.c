/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The registers of a PCI function (PCI Local Bus 3.0: 6.1, 6.2.5 and 6.8.2).
 */
#include "pci.h"

#include <string.h>

#define COMMAND        0x04u
#define COMMAND_MEMORY 2u
#define COMMAND_MASTER 4u
#define STATUS         0x06u
#define BAR_0          0x10u
#define BAR_1          0x14u
#define BAR_BYTES_1    0x1000u
#define CAPABILITIES   0x34u
#define MSIX           0x40u
#define MSIX_CONTROL   (MSIX + 2u)
#define MSIX_ENABLE    0x8000u
#define MSIX_MASK_ALL  0x4000u
/* Of BAR 1. */
#define PENDING 0x800u

static uint16_t get16(const struct ow_pci *pci, unsigned offset) {
  return (uint16_t)(pci->configuration[offset] | pci->configuration[offset + 1] << 8);
}

static void put(struct ow_pci *pci, unsigned offset, unsigned bytes, uint32_t value) {
  for (unsigned i = 0; i < bytes; i++) {
    pci->configuration[offset + i] = (uint8_t)(value >> 8 * i);
  }
}

void ow_pci_reset(struct ow_pci *pci) {
  *pci = (struct ow_pci){0};
  put(pci, 0x00, 2, OW_PCI_VENDOR);
  put(pci, 0x02, 2, OW_PCI_DEVICE);
  put(pci, STATUS, 2, 0x10);   /* there are capabilities */
  put(pci, 0x08, 4, 0x108000); /* revision 0; an encryption controller of another kind */
  put(pci, CAPABILITIES, 1, MSIX);
  put(pci, MSIX, 2, 0x11); /* MSI-X, and no capability after it */
  put(pci, MSIX_CONTROL, 2, OW_PCI_VECTORS - 1);
  put(pci, MSIX + 4, 4, 1);            /* the table: BAR 1, offset 0 */
  put(pci, MSIX + 8, 4, PENDING | 1u); /* pending bits: BAR 1 */
  for (unsigned i = 0; i < OW_PCI_VECTORS; i++) {
    pci->table[4 * i + 3] = 1; /* masked */
  }
}

static const uint32_t bar_bytes[2] = {OW_PCI_REGISTERS_BYTES, BAR_BYTES_1};

/* Returns the bits of a byte of configuration space that can be written. */
static uint8_t writable(uint64_t offset) {
  if (offset >= BAR_0 && offset < BAR_1 + 4) {
    return (uint8_t)(~(bar_bytes[(offset - BAR_0) / 4] - 1u) >> 8 * (offset % 4));
  }
  switch (offset) {
  case COMMAND:
    return COMMAND_MEMORY | COMMAND_MASTER;
  case COMMAND + 1:
    return 4; /* disables the interrupt's pin, which there is not */
  case 0x3c:
    return 0xff; /* the interrupt line, of which software takes notes here */
  case MSIX_CONTROL + 1:
    return (MSIX_ENABLE | MSIX_MASK_ALL) >> 8;
  default:
    return 0;
  }
}

void ow_pci_configuration_read(const struct ow_pci *pci, uint64_t offset, uint8_t *data,
                               size_t data_len) {
  for (size_t i = 0; i < data_len; i++) {
    data[i] = offset + i < sizeof(pci->configuration) ? pci->configuration[offset + i] : 0xff;
  }
}

void ow_pci_configuration_write(struct ow_pci *pci, uint64_t offset, const uint8_t *data,
                                size_t data_len) {
  for (size_t i = 0; i < data_len && offset + i < sizeof(pci->configuration); i++) {
    const uint8_t mask = writable(offset + i);
    uint8_t *byte = &pci->configuration[offset + i];
    *byte = (uint8_t)((*byte & ~mask) | (data[i] & mask));
  }
}

uint32_t ow_pci_table_read(const struct ow_pci *pci, uint64_t offset) {
  if (offset == PENDING) {
    return pci->pending;
  }
  return offset < sizeof(pci->table) ? pci->table[offset / 4] : 0;
}

void ow_pci_table_write(struct ow_pci *pci, uint64_t offset, uint32_t value) {
  if (offset < sizeof(pci->table)) {
    pci->table[offset / 4] = value;
  }
}

int ow_pci_bar(const struct ow_pci *pci, uint64_t address, uint64_t *offset) {
  for (unsigned i = 0; i < 2; i++) {
    const uint64_t begin = get16(pci, BAR_0 + 4 * i) | (uint64_t)get16(pci, BAR_0 + 4 * i + 2)
                                                           << 16;
    if (address >= begin && address - begin < bar_bytes[i]) {
      *offset = address - begin;
      return (int)i;
    }
  }
  return -1;
}

bool ow_pci_is_master(const struct ow_pci *pci) {
  return (get16(pci, COMMAND) & COMMAND_MASTER) != 0;
}

bool ow_pci_answers(const struct ow_pci *pci) {
  return (get16(pci, COMMAND) & COMMAND_MEMORY) != 0;
}

bool ow_pci_message(const struct ow_pci *pci, unsigned vector, uint64_t *address, uint32_t *data) {
  const uint32_t *entry = &pci->table[4 * vector];
  *address = entry[0] | (uint64_t)entry[1] << 32;
  *data = entry[2];
  return (pci->pending >> vector & 1u) != 0 && (entry[3] & 1u) == 0 && ow_pci_is_master(pci) &&
         (get16(pci, MSIX_CONTROL) & (MSIX_ENABLE | MSIX_MASK_ALL)) == MSIX_ENABLE;
}
