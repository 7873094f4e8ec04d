/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The simulated system on chip: a RISC-V CPU, memory and the accelerator on one clock, inside the
 * caller's process.
 *
 * The libraries libow_soc_128, _64 and _32 differ in the width of the accelerator's port to memory.
 * A system belongs to one thread at a time.
 */
#ifndef OUTWORK_SOC_H
#define OUTWORK_SOC_H

#include "outwork/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ow_soc;

/* Creates a system in reset with empty memory. The board's parameters describe memory for CPU and
 * accelerator, and the bus to its registers. coherent: the CPU's data cache drops each line that
 * the accelerator writes; else the program has to empty the cache. Returns NULL if a parameter is
 * out of range or memory is short; then *error has the reason. */
struct ow_soc *ow_soc_open(const struct ow_sim_parameters *parameters, int coherent,
                           const char **error);
void ow_soc_close(struct ow_soc *soc);

/* Return where RAM begins, and its bytes. */
uint32_t ow_soc_ram(void);
uint32_t ow_soc_ram_bytes(void);
/* Copies bytes to RAM. Returns 0 if they are not all in it. */
int ow_soc_load(struct ow_soc *soc, uint32_t address, const void *bytes, size_t bytes_len);
/* Copies bytes from RAM. Returns 0 if they are not all in it. */
int ow_soc_read(struct ow_soc *soc, void *bytes, uint32_t address, size_t bytes_len);

/* Runs until the program ends, there is much to read from the console, or `cycles` have passed.
 * Returns 1 if the program has ended. */
int ow_soc_run(struct ow_soc *soc, uint64_t cycles);
/* Returns the program's exit status. */
uint32_t ow_soc_status(const struct ow_soc *soc);
/* Takes what the program has printed, at most text_len bytes. Returns the number of bytes. */
size_t ow_soc_console(struct ow_soc *soc, char *text, size_t text_len);
/* Gives the program a character to read. Returns 0 if it has not read the last one yet. */
int ow_soc_type(struct ow_soc *soc, char character);

/* Writes an FST waveform of CPU, peripherals and accelerator from cycle `from` on, of so many
 * cycles; a cycle has two units of its time. Returns 0 if that cycle is over, if this library
 * cannot trace (ow_soc_can_trace), or if the file cannot be written. */
int ow_soc_trace(struct ow_soc *soc, const char *path, uint64_t from, uint32_t cycles);
/* Returns whether the library can write waveforms. */
uint32_t ow_soc_can_trace(void);

/* Returns the state of the system, and its length; it lives until the next call or the end. NULL if
 * a register of the accelerator has been accessed since reset: that state is not in it. */
const uint8_t *ow_soc_save(struct ow_soc *soc, size_t *bytes_len);
/* Goes on from what ow_soc_save of this library has given, for the same parameters, in a system
 * that has not run yet. Returns 0 if it is something else; then the system can only be closed. */
int ow_soc_restore(struct ow_soc *soc, const uint8_t *bytes, size_t bytes_len);

struct ow_soc_statistics {
  uint64_t cycles;
  uint64_t instructions;
  /* cycles in which the CPU waited for an interrupt (wfi) */
  uint64_t waiting_cycles;
  /* cycles in which the accelerator was simulated: it was at rest in the others */
  uint64_t device_cycles;
  /* reads of memory by the CPU's caches: lines, and words of atomic instructions */
  uint64_t instruction_reads, data_reads;
  /* host time spent in ow_soc_run */
  uint64_t host_nanoseconds;
  /* address of the last instruction that ended */
  uint32_t pc;
  /* bursts of the accelerator to memory that does not exist */
  uint64_t decode_errors;
  /* words of results that Outwork lite has given */
  uint64_t lite_results;
};
void ow_soc_statistics(const struct ow_soc *soc, struct ow_soc_statistics *statistics);
/* Returns the accelerator's first violation of an AXI rule; NULL: none. */
const char *ow_soc_protocol_error(const struct ow_soc *soc);

/* Counts cycles by instruction from now on: counts[n] gets those of the instruction at begin + 2 n,
 * with the cycles that it waited for. Cycles outside are not counted. Addresses are virtual ones.
 * May be called for several pieces of code: what they share is counted for the first. `counts`
 * must live as long as the system. */
void ow_soc_profile(struct ow_soc *soc, uint32_t begin, uint64_t *counts, size_t counts_len);

#ifdef __cplusplus
}
#endif

#endif
