/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A PCI function: configuration space, the accelerator's registers in BAR 0, the table of MSI-X in
 * BAR 1.
 */
#ifndef OUTWORK_PCI_H
#define OUTWORK_PCI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Its numbers, which no driver claims. */
#define OW_PCI_VENDOR          0x1234u
#define OW_PCI_DEVICE          0x6f77u
#define OW_PCI_REGISTERS_BYTES 0x8000u
/* One for each queue. */
#define OW_PCI_VECTORS 4u

struct ow_pci {
  uint8_t configuration[256];
  uint32_t table[4 * OW_PCI_VECTORS];
  /* bit n: message n has not been sent yet */
  uint32_t pending;
};

/* Sets the state after a reset. */
void ow_pci_reset(struct ow_pci *pci);
/* Read and write configuration space and BAR 1, little endian; outside they read as ones. */
void ow_pci_configuration_read(const struct ow_pci *pci, uint64_t offset, uint8_t *data,
                               size_t data_len);
void ow_pci_configuration_write(struct ow_pci *pci, uint64_t offset, const uint8_t *data,
                                size_t data_len);
uint32_t ow_pci_table_read(const struct ow_pci *pci, uint64_t offset);
void ow_pci_table_write(struct ow_pci *pci, uint64_t offset, uint32_t value);
/* Returns the BAR that answers at an address of the bus, and the place in it. -1: none. */
int ow_pci_bar(const struct ow_pci *pci, uint64_t address, uint64_t *offset);
/* Returns whether the function may access memory, and answers at its BARs. */
bool ow_pci_is_master(const struct ow_pci *pci);
bool ow_pci_answers(const struct ow_pci *pci);
/* Returns whether a message that is pending may be sent now; sets its address and data. */
bool ow_pci_message(const struct ow_pci *pci, unsigned vector, uint64_t *address, uint32_t *data);

#endif
