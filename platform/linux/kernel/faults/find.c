// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Finds the device in the device tree, or as a PCI function.
 */
#include <linux/of_address.h>
#include <linux/of_platform.h>
#include <linux/pci.h>
#include <linux/platform_device.h>

#include "find.h"

/* The numbers that platform/uml/pci.h has. */
#define FIND_PCI_VENDOR 0x1234
#define FIND_PCI_DEVICE 0x6f77

int faults_find(struct device **dev, void __iomem **registers)
{
	struct device_node *node = of_find_compatible_node(NULL, NULL, "outwork,outwork");
	struct platform_device *platform = node ? of_find_device_by_node(node) : NULL;
	struct pci_dev *pci = pci_get_device(FIND_PCI_VENDOR, FIND_PCI_DEVICE, NULL);

	*registers = NULL;
	if (platform) {
		*dev = &platform->dev;
		*registers = of_iomap(node, 0);
	} else if (pci) {
		*dev = &pci->dev;
		*registers = pci_iomap(pci, 0, 0);
	}
	of_node_put(node);
	return *registers ? 0 : -ENODEV;
}
