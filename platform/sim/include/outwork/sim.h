/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The simulated board: the accelerator's RTL, compiled by Verilator, with a memory model, inside
 * the caller's process.
 *
 * DMA addresses are the process's own addresses, limited to registered memory; any
 * other address gets a decode error. The device clock stands still except inside
 * register accesses, `relax`, `wait_interrupt` and ow_sim_run, so software takes no device time.
 * Each library (libow_board_128, _64, _32) holds one data width. All calls on one board may come
 * from several threads; they take turns.
 */
#ifndef OUTWORK_SIM_H
#define OUTWORK_SIM_H

#include "outwork/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ow_sim;

/* Parameters of the board. Zero the struct, call ow_sim_defaults, then change members; see
 * platform/sim/boards for profiles. */
struct ow_sim_parameters {
  /* device clock; used only to convert cycles to seconds */
  uint64_t clock_hz;
  /* in bits; must be the library's width, or 0 */
  uint32_t data_width;
  /* cycles from an accepted read address to its first beat; at least 1 */
  uint32_t read_latency;
  /* cycles from the last write beat to its response; at least 1 */
  uint32_t write_response;
  /* beats in 100 cycles: 1 to 100 */
  uint32_t read_beats_per_100;
  /* the same for writes; ignored with shared_bandwidth */
  uint32_t write_beats_per_100;
  /* bursts: 1 to 64 */
  uint32_t reads_outstanding;
  /* bursts: 1 to 64 */
  uint32_t writes_outstanding;
  /* 1: reads and writes share the beats of read_beats_per_100 */
  uint32_t shared_bandwidth;
  /* cycles before a register access arrives at the device */
  uint32_t mmio_latency;
  /* cycles that one call of `relax` takes */
  uint32_t relax_cycles;
};

/* Sets the parameters of the reference board: 100 MHz, read latency 40 cycles, write response 20,
 * full bandwidth in both directions. */
void ow_sim_defaults(struct ow_sim_parameters *parameters);
/* Return the bits of this library's data bus, the AES rounds that its device has unrolled, and
 * whether the library can write waveforms. */
uint32_t ow_sim_data_width(void);
uint32_t ow_sim_aes_stages(void);
uint32_t ow_sim_can_trace(void);

/* Creates a board and resets it. Returns NULL if a parameter is out of range or memory is short;
 * then *error has the reason (static; `error` may be NULL). */
struct ow_sim *ow_sim_open(const struct ow_sim_parameters *parameters, const char **error);
void ow_sim_close(struct ow_sim *sim);
/* Fills in the platform of the driver, which is valid until ow_sim_close. */
void ow_sim_platform(struct ow_sim *sim, struct ow_platform *platform);
/* Resets the device for 4 cycles: ends all jobs, zeroises all keys. */
void ow_sim_reset(struct ow_sim *sim);

/* Registers memory that the device may access, to the byte: a beat that begins inside and ends
 * outside reads as 0xa5 outside and never writes there. Returns 0 if it overlaps registered memory,
 * or if memory is short. Unregister takes the same start address, and returns 0 if no memory was
 * registered there; no job in flight may use the memory. */
int ow_sim_register(struct ow_sim *sim, void *memory, size_t length);
int ow_sim_unregister(struct ow_sim *sim, void *memory);

/* Runs the clock for `cycles` cycles; returns the cycles since the board was opened. */
void ow_sim_run(struct ow_sim *sim, uint64_t cycles);
uint64_t ow_sim_cycles(const struct ow_sim *sim);
/* Returns the interrupt lines; bit n is queue n. */
uint32_t ow_sim_interrupts(const struct ow_sim *sim);
/* Sets the tamper input. */
void ow_sim_tamper(struct ow_sim *sim, int level);

struct ow_sim_statistics {
  uint64_t cycles;
  /* those of them that were left out, because the device was at rest */
  uint64_t rest_cycles;
  /* host time spent in the simulation */
  uint64_t host_nanoseconds;
  uint64_t read_bursts, read_beats;
  uint64_t write_bursts, write_beats;
  uint64_t mmio_reads, mmio_writes;
  /* bursts to memory that is not registered */
  uint64_t decode_errors;
  /* register accesses that got an error or no answer */
  uint64_t mmio_errors;
  /* violations of AXI rules by the device; see ow_sim_protocol_error */
  uint64_t protocol_errors;
};
void ow_sim_statistics(const struct ow_sim *sim, struct ow_sim_statistics *statistics);
/* Returns the first violation of an AXI rule and its cycle; NULL: none. */
const char *ow_sim_protocol_error(const struct ow_sim *sim);

/* A burst as recorded, for tests that prove that no byte outside the buffers was accessed. */
struct ow_sim_access {
  uint64_t cycle;
  /* first byte read or written */
  uint64_t address;
  /* bytes; of a write: to the last byte written */
  uint32_t length;
  /* 0: read, 1: write */
  uint32_t write;
};
/* Records bursts in the caller's array until it is full. NULL: stops recording. */
void ow_sim_log(struct ow_sim *sim, struct ow_sim_access *accesses, size_t accesses_len);
/* Returns the number of bursts since ow_sim_log, including those that did not fit. */
size_t ow_sim_log_count(const struct ow_sim *sim);

/* A burst when the memory accepts its address. */
struct ow_sim_burst {
  /* cycle in which the device first offered the address */
  uint64_t offered;
  /* cycle in which the memory accepted it */
  uint64_t cycle;
  /* as on the bus */
  uint64_t address;
  /* bytes to the end of the last beat */
  uint32_t length;
  /* 0: read, 1: write */
  uint32_t write;
  /* AXI ID: the number of the queue */
  uint32_t id;
};
typedef void (*ow_sim_watcher)(void *context, const struct ow_sim_burst *burst);
/* Calls `watcher` for every burst, from inside the call that runs the clock; the watcher must not
 * call the board. NULL: stops. */
void ow_sim_watch(struct ow_sim *sim, ow_sim_watcher watcher, void *context);

/* Writes an FST waveform from the next doorbell to the completion record of the `jobs`th job after
 * it. Returns 0 if this library cannot trace, or the file cannot be written. */
int ow_sim_trace(struct ow_sim *sim, const char *path, uint32_t jobs);
/* Writes an FST waveform of the next `cycles` cycles. Returns 0 as above. */
int ow_sim_trace_cycles(struct ow_sim *sim, const char *path, uint32_t cycles);
/* Returns whether a waveform is being written, or waits for its doorbell. */
int ow_sim_tracing(const struct ow_sim *sim);

/* Faults to inject. `at` counts bursts (for flips: beats) from the call on; 0 is the next one. */
typedef enum ow_sim_fault_kind {
  OW_SIM_LATE_READ = 1,  /* burst `at` is answered `value` cycles later */
  OW_SIM_LATE_WRITE = 2, /* the response of burst `at` comes `value` cycles later */
  /* every beat of read burst `at` has response `value` (2 SLVERR, 3 DECERR) */
  OW_SIM_READ_ERROR = 3,
  OW_SIM_WRITE_ERROR = 4, /* write burst `at` is not written; its response is `value` */
  /* the next read burst that covers `address` has response `value` */
  OW_SIM_READ_ERROR_ADDRESS = 5,
  /* the next write burst that covers `address` has response `value` */
  OW_SIM_WRITE_ERROR_ADDRESS = 6,
  OW_SIM_FLIP_READ = 7,           /* read beat `at` has bit `value` of its data inverted */
  OW_SIM_STUCK_READ_ADDRESS = 8,  /* ARREADY stays low from burst `at` on */
  OW_SIM_STUCK_WRITE_ADDRESS = 9, /* AWREADY stays low from burst `at` on */
  OW_SIM_STUCK_WRITE_DATA = 10,   /* WREADY stays low from burst `at` on */
  OW_SIM_NO_READ_RESPONSE = 11,   /* from read burst `at` on there are no beats */
  OW_SIM_NO_WRITE_RESPONSE = 12,  /* from write burst `at` on there are no responses */
  OW_SIM_LOST_INTERRUPT = 13,     /* the interrupt lines read low */
  OW_SIM_STUCK_INTERRUPT = 14,    /* the interrupt lines read high */
  /* register reads return all ones, writes are lost: the device is missing from the bus */
  OW_SIM_DEAD_REGISTERS = 15
} ow_sim_fault_kind;

struct ow_sim_fault {
  ow_sim_fault_kind kind;
  uint32_t value;
  uint64_t at;
  uint64_t address;
};
/* Adds a fault; at most 16 at a time. Returns 0 if there is no room. A fault of one burst or beat
 * removes itself afterwards. */
int ow_sim_inject(struct ow_sim *sim, const struct ow_sim_fault *fault);
/* Removes all faults; what they have stopped continues. */
void ow_sim_mend(struct ow_sim *sim);

#ifdef __cplusplus
}
#endif

#endif
