/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/*
 * The device that is to fail, on whichever bus.
 */
#ifndef OUTWORK_FAULTS_FIND_H
#define OUTWORK_FAULTS_FIND_H

#include <linux/device.h>
#include <linux/io.h>

/* Finds the device, whether the driver has it or not, and maps its registers. The caller gives both
 * back: put_device(), iounmap().
 */
int faults_find(struct device **dev, void __iomem **registers);

#endif
