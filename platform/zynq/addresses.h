/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Where the accelerator is on a Zynq-7000: read by block_design.tcl and by the device tree, so
 * plain numbers only.
 */
#ifndef OUTWORK_ZYNQ_ADDRESSES_H
#define OUTWORK_ZYNQ_ADDRESSES_H

/* The register window, in the range of M_AXI_GP0. */
#define OUTWORK_REGISTERS_ADDRESS 0x43c00000
#define OUTWORK_REGISTERS_BYTES   0x8000

/* Memory set aside for jobs: inside the DDR of the smallest of the boards. */
#define OUTWORK_MEMORY_ADDRESS 0x1e000000
#define OUTWORK_MEMORY_BYTES   0x1000000
#define OUTWORK_DDR_BYTES      0x20000000

/* IRQ_F2P[0], the line of queue 0, as the number of a shared peripheral interrupt: 61 less 32
 * (UG585, interrupts). The lines of the other queues follow. */
#define OUTWORK_INTERRUPT 29

#endif
