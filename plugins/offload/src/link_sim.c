/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A simulated board in this process: its library is loaded when it is needed.
 *
 * The library contains a driver of its own; only its board is used, so that the plug-in and its
 * driver are of one version.
 */
#include "link.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "outwork/sim.h"

#define SIM_LIBRARY "libow_board_128.so"
/* Of device time: a board that has not moved on by then never will, and simulated time is dear. The
 * longest request, 64 KiB of TDES-CBC encryption, takes 250,000 cycles: half of the time. */
#define SIM_TIMEOUT_US 5000u
#define SIM_COMMAND_US 2000u

enum { SIM_LIBRARY_HANDLE, SIM_BOARD, SIM_CLOSE };

/* The board's functions, by name. POSIX lets a function's address pass through dlsym's void *. */
struct sim_calls {
  void (*defaults)(struct ow_sim_parameters *);
  struct ow_sim *(*open)(const struct ow_sim_parameters *, const char **);
  void (*close)(struct ow_sim *);
  void (*platform)(struct ow_sim *, struct ow_platform *);
  int (*reach)(struct ow_sim *, void *, size_t);
};

static bool sim_symbol(void *function, void *library, const char *name) {
  void *address = dlsym(library, name);
  memcpy(function, &address, sizeof(address));
  return address != NULL;
}

static bool sim_load(struct sim_calls *calls, void *library) {
  return sim_symbol(&calls->defaults, library, "ow_sim_defaults") &&
         sim_symbol(&calls->open, library, "ow_sim_open") &&
         sim_symbol(&calls->close, library, "ow_sim_close") &&
         sim_symbol(&calls->platform, library, "ow_sim_platform") &&
         sim_symbol(&calls->reach, library, "ow_sim_register");
}

static void sim_close(struct ow_link *link) {
  void (*close_board)(struct ow_sim *) = NULL;
  memcpy(&close_board, &link->inside[SIM_CLOSE], sizeof(close_board));
  if (link->inside[SIM_BOARD] != NULL) {
    close_board(link->inside[SIM_BOARD]);
  }
  if (link->memory != NULL) {
    munmap(link->memory, link->memory_len);
  }
  dlclose(link->inside[SIM_LIBRARY_HANDLE]);
  *link = (struct ow_link){.close = NULL};
}

static ow_status sim_key_load(struct ow_link *link, struct ow_key_handle *handle,
                              const struct ow_key_material *material) {
  struct ow_key_material ours = *material;
  ours.properties.queues = (uint8_t)((1u << link->queues_len) - 1u);
  return ow_key_load_anywhere(&link->device, handle, &ours);
}

static ow_status sim_key_zeroise(struct ow_link *link, const struct ow_key_handle *handle) {
  return ow_key_zeroise_handle(&link->device, handle);
}

static const char *sim_start(struct ow_link *link, const struct sim_calls *calls, size_t bytes) {
  struct ow_sim_parameters parameters;
  calls->defaults(&parameters);
  struct ow_sim *board = calls->open(&parameters, NULL);
  link->inside[SIM_BOARD] = board;
  if (board == NULL) {
    return "the simulated board cannot be opened";
  }
  calls->platform(board, &link->platform);
  ow_status status = ow_device_open(&link->device, &link->platform);
  if (status != OW_OK) {
    return ow_status_text(status);
  }
  link->timeout_us = SIM_TIMEOUT_US;
  link->device.timeout_us = SIM_COMMAND_US;
  size_t length = bytes * link->device.capabilities.queues;
  void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return "no memory for the device's queues";
  }
  link->memory = memory;
  link->memory_len = length;
  if (!calls->reach(board, memory, length)) {
    return "the simulated board refuses the memory";
  }
  for (unsigned i = 0; i < link->device.capabilities.queues && status == OW_OK; i++) {
    status = ow_queue_grant(&link->device, i, NULL);
    link->queues[i] = (uint8_t)i;
    link->queues_len = i + 1u;
  }
  return status == OW_OK ? NULL : ow_status_text(status);
}

const char ow_link_in_sandbox[] = "the process is in a sandbox: it may not open files";

/* A sandbox (a filter of system calls, an empty root) that forbids opening files is likely to kill
 * who starts a board: sshd has its unprivileged half in one. */
static bool in_sandbox(void) {
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    close(file);
  }
  return file < 0;
}

const char *ow_link_open_sim(struct ow_link *link, const struct ow_offload_settings *settings,
                             size_t bytes_per_queue) {
  struct sim_calls calls;
  *link = (struct ow_link){
      .close = sim_close, .key_load = sim_key_load, .key_zeroise = sim_key_zeroise};
  if (in_sandbox()) {
    link->close = NULL;
    return ow_link_in_sandbox;
  }
  void *library =
      dlopen(settings->library != NULL ? settings->library : SIM_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    link->close = NULL;
    return "the simulated board's library cannot be loaded (key `library`)";
  }
  link->inside[SIM_LIBRARY_HANDLE] = library;
  const char *why = "the simulated board's library is not one (key `library`)";
  if (sim_load(&calls, library)) {
    memcpy(&link->inside[SIM_CLOSE], &calls.close, sizeof(calls.close));
    why = sim_start(link, &calls, bytes_per_queue);
  }
  if (why != NULL) {
    sim_close(link);
  }
  return why;
}

ow_link_open *ow_link_find(const char *platform) {
  return platform == NULL || strcmp(platform, "sim") == 0 ? ow_link_open_sim
         : strcmp(platform, "shared") == 0                ? ow_link_open_shared
         : strcmp(platform, "linux") == 0                 ? ow_link_open_linux
                                                          : NULL;
}
