/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The simulated board: the accelerator's RTL, verilated, and a memory behind it, inside the
 * caller's process.
 *
 * DMA addresses are the process's own addresses, limited to the memory that has been registered;
 * anything else is answered with a decode error. The device clock stands still except inside
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

/* The board. Zero it, call ow_sim_defaults, change what differs: see platform/sim/boards for
 * profiles. */
struct ow_sim_parameters {
  uint64_t clock_hz;       /* device clock; turns cycles into seconds and nothing else */
  uint32_t data_width;     /* bits; must be the library's. 0: whatever it is */
  uint32_t read_latency;   /* cycles from an accepted read address to its first beat, at least 1 */
  uint32_t write_response; /* cycles from the last write beat to its response, at least 1 */
  uint32_t read_beats_per_100;  /* 1 to 100 beats in 100 cycles */
  uint32_t write_beats_per_100; /* the same for writes; with shared_bandwidth only
                                   read_beats_per_100 counts */
  uint32_t reads_outstanding;   /* bursts, 1 to 64 */
  uint32_t writes_outstanding;  /* bursts, 1 to 64 */
  uint32_t shared_bandwidth;    /* 1: reads and writes share one budget of beats */
  uint32_t mmio_latency; /* cycles that a register access travels before the device sees it */
  uint32_t relax_cycles; /* cycles of one `relax` */
};

/* The reference board: 100 MHz, 40 cycles read latency, 20 write response, full bandwidth both
 * ways. */
void ow_sim_defaults(struct ow_sim_parameters *parameters);
/* Bits of the data bus in this library, rounds unrolled, and whether it can write waveforms. */
uint32_t ow_sim_data_width(void);
uint32_t ow_sim_aes_stages(void);
uint32_t ow_sim_can_trace(void);

/* A board out of reset; NULL if the parameters make no sense or memory is short (*error, may be
 * NULL, then says why). */
struct ow_sim *ow_sim_open(const struct ow_sim_parameters *parameters, const char **error);
void ow_sim_close(struct ow_sim *sim);
/* Fills the driver's platform. It is valid until ow_sim_close. */
void ow_sim_platform(struct ow_sim *sim, struct ow_platform *platform);
/* Resets the device for 4 cycles: all jobs are gone, keys are zeroised. */
void ow_sim_reset(struct ow_sim *sim);

/* Memory the device may touch. Byte-exact: a beat that begins inside and ends outside reads as 0xa5
 * outside and never writes there. 0 if it overlaps other registered memory, or memory is short (1:
 * registered, or: was registered). Do not unregister memory of jobs in flight. */
int ow_sim_register(struct ow_sim *sim, void *memory, size_t length);
int ow_sim_unregister(struct ow_sim *sim, void *memory);

/* Runs the clock. */
void ow_sim_run(struct ow_sim *sim, uint64_t cycles);
uint64_t ow_sim_cycles(const struct ow_sim *sim);
/* The interrupt lines, bit n is queue n. */
uint32_t ow_sim_interrupts(const struct ow_sim *sim);
/* The tamper input. */
void ow_sim_tamper(struct ow_sim *sim, int level);

struct ow_sim_statistics {
  uint64_t cycles;
  uint64_t host_nanoseconds; /* spent simulating */
  uint64_t read_bursts, read_beats;
  uint64_t write_bursts, write_beats;
  uint64_t mmio_reads, mmio_writes;
  uint64_t decode_errors; /* bursts that touched memory that is not registered */
  uint64_t mmio_errors;   /* register accesses answered with an error, or never */
  uint64_t
      protocol_errors; /* AXI rules broken by the device: ow_sim_protocol_error tells the first */
};
void ow_sim_statistics(const struct ow_sim *sim, struct ow_sim_statistics *statistics);
/* The first broken AXI rule and its cycle; NULL if there was none. */
const char *ow_sim_protocol_error(const struct ow_sim *sim);

/* A record of every burst, for tests that prove that not one byte outside was touched. */
struct ow_sim_access {
  uint64_t cycle;
  uint64_t address; /* first byte read, or first byte strobed */
  uint32_t length;  /* bytes; of a write: up to the last byte strobed */
  uint32_t write;   /* 0: read, 1: write */
};
/* Records into the caller's array until it is full; NULL stops. */
void ow_sim_log(struct ow_sim *sim, struct ow_sim_access *accesses, size_t accesses_len);
/* Bursts since ow_sim_log, those that no longer fitted included. */
size_t ow_sim_log_count(const struct ow_sim *sim);

/* A burst as its address is taken by the memory. */
struct ow_sim_burst {
  uint64_t offered; /* cycle in which the device began to offer the address */
  uint64_t cycle;   /* and in which it was taken */
  uint64_t address; /* as on the bus */
  uint32_t length;  /* bytes to the end of the last beat */
  uint32_t write;   /* 0: read, 1: write */
  uint32_t id;      /* its AXI ID: the queue it is for */
};
typedef void (*ow_sim_watcher)(void *context, const struct ow_sim_burst *burst);
/* Calls `watcher` for every burst, from within the call that runs the clock: it must not call the
 * board. NULL stops. */
void ow_sim_watch(struct ow_sim *sim, ow_sim_watcher watcher, void *context);

/* Writes an FST waveform from the next doorbell to the end of the completion record of the `jobs`th
 * job after it. 0 if this library cannot trace or the file cannot be written. */
int ow_sim_trace(struct ow_sim *sim, const char *path, uint32_t jobs);
/* Writes an FST waveform of the next `cycles` cycles. 0 as above. */
int ow_sim_trace_cycles(struct ow_sim *sim, const char *path, uint32_t cycles);
/* Whether a waveform is waiting for its doorbell or being written. */
int ow_sim_tracing(const struct ow_sim *sim);

/* Faults to inject. `at` counts bursts (or beats, for flips) from the moment of arming: 0 is the
 * next one. */
typedef enum ow_sim_fault_kind {
  OW_SIM_LATE_READ = 1,  /* burst `at` answers `value` cycles later */
  OW_SIM_LATE_WRITE = 2, /* the response of burst `at` comes `value` cycles later */
  OW_SIM_READ_ERROR =
      3, /* every beat of read burst `at` carries response `value` (2 SLVERR, 3 DECERR) */
  OW_SIM_WRITE_ERROR = 4,         /* write burst `at` is not written and answered with `value` */
  OW_SIM_READ_ERROR_ADDRESS = 5,  /* the next read burst that covers `address`, response `value` */
  OW_SIM_WRITE_ERROR_ADDRESS = 6, /* the next write burst that covers `address`, response `value` */
  OW_SIM_FLIP_READ = 7,           /* read beat `at` has bit `value` of its data inverted */
  OW_SIM_STUCK_READ_ADDRESS = 8,  /* ARREADY stays low from burst `at` on */
  OW_SIM_STUCK_WRITE_ADDRESS = 9, /* AWREADY stays low from burst `at` on */
  OW_SIM_STUCK_WRITE_DATA = 10,   /* WREADY stays low from burst `at` on */
  OW_SIM_NO_READ_RESPONSE = 11,   /* no beat comes from read burst `at` on */
  OW_SIM_NO_WRITE_RESPONSE = 12,  /* no response comes from write burst `at` on */
  OW_SIM_LOST_INTERRUPT = 13,     /* the interrupt lines read low */
  OW_SIM_STUCK_INTERRUPT = 14,    /* the interrupt lines read high */
  OW_SIM_DEAD_REGISTERS =
      15 /* register reads give all ones, writes are lost: the device has fallen off the bus */
} ow_sim_fault_kind;

struct ow_sim_fault {
  ow_sim_fault_kind kind;
  uint32_t value;
  uint64_t at;
  uint64_t address;
};
/* Arms a fault; up to 16 at once. 0 if there is no room. Faults of one burst or beat disarm
 * themselves. */
int ow_sim_inject(struct ow_sim *sim, const struct ow_sim_fault *fault);
/* Disarms all and lets go what was stuck. */
void ow_sim_mend(struct ow_sim *sim);

#ifdef __cplusplus
}
#endif

#endif
