// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Outwork as a PCI function: registers in BAR 0, an MSI-X or MSI message for each queue, the last
 * one for all further queues.
 *
 * The function has the numbers that its builder has given it. The driver knows none of them, and is
 * told by new_id or driver_override in sysfs.
 */
#include <linux/pci.h>

#include "outwork_linux.h"

#define OWK_PCI_REGISTERS 0
#define OWK_PCI_REGISTERS_BYTES (OW_QUEUE_OFFSET + OW_QUEUE_COUNT * OW_QUEUE_STRIDE)

/* What is acquired here is managed, and released after what owk_bind() adds. */
static int owk_pci_probe(struct pci_dev *pci, const struct pci_device_id *id)
{
	struct owk_resources resources = {};
	int error, found;

	if (pci_resource_len(pci, OWK_PCI_REGISTERS) < OWK_PCI_REGISTERS_BYTES)
		return dev_err_probe(&pci->dev, -ENODEV, "BAR 0 is too small for the registers\n");
	error = pcim_enable_device(pci);
	if (!error)
		error = pcim_iomap_regions(pci, BIT(OWK_PCI_REGISTERS), "outwork");
	if (error)
		return dev_err_probe(&pci->dev, error, "no registers\n");
	resources.registers = pcim_iomap_table(pci)[OWK_PCI_REGISTERS];
	resources.registers_address = pci_resource_start(pci, OWK_PCI_REGISTERS);
	pci_set_master(pci);
	found = pci_alloc_irq_vectors(pci, 1, OWK_QUEUES_MAX, PCI_IRQ_MSIX | PCI_IRQ_MSI);
	if (found < 0)
		return dev_err_probe(&pci->dev, found, "no MSI\n");
	for (; resources.interrupts < found; resources.interrupts++)
		resources.interrupt[resources.interrupts] =
			pci_irq_vector(pci, resources.interrupts);
	return owk_bind(&pci->dev, &resources);
}

static void owk_pci_shutdown(struct pci_dev *pci)
{
	owk_suspend(&pci->dev);
	pci_clear_master(pci);
}

static struct pci_driver owk_pci_driver = {
	.name = "outwork",
	.probe = owk_pci_probe,
	.shutdown = owk_pci_shutdown,
	.driver.pm = pm_sleep_ptr(&owk_pm),
};

int owk_pci_register(void)
{
	return pci_register_driver(&owk_pci_driver);
}

void owk_pci_unregister(void)
{
	pci_unregister_driver(&owk_pci_driver);
}
