/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The provider's connection to the device on the system on chip under Linux: registers and the
 * memory that the device tree reserves, mapped through /dev/mem. With the kernel module there is
 * the platform `linux` too, a queue of /dev/outwork.
 *
 * Both are mapped at virtual addresses that equal the physical ones, so that the driver's platform
 * is that of the bare machine (../firmware/soc.c). They belong to one process at a time. There are
 * no interrupts: the driver polls.
 */
#include "link.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "environment.h"
#include "soc_map.h"

#define SOC_TIMEOUT_US 100000u /* of a queue without progress */
#define PAGE_BYTES     4096u

bool (*const soc_wait_interrupt)(void *context, unsigned queue, uint32_t limit_us) = NULL;

static bool entropy(void *context, uint8_t *bytes, size_t length) {
  (void)context;
  return getrandom(bytes, length, GRND_NONBLOCK) == (ssize_t)length;
}

/* What the process maps. Of the device's memory only as much as its queue takes: each page costs
 * the kernel time at both ends of the process. */
static struct {
  uintptr_t address;
  size_t length;
} areas[] = {
    {SOC_OUTWORK_BASE, SOC_OUTWORK_BYTES}, {SOC_FINISHER_BASE, PAGE_BYTES}, {SOC_PROGRAM_BASE, 0}};
enum { MEMORY = 2, AREAS = sizeof(areas) / sizeof(areas[0]) };

/* Maps physical addresses to equal virtual ones. Returns how many areas it could map: all, or those
 * before the first that is refused or in use. */
static unsigned map_areas(void) {
  const int file = open("/dev/mem", O_RDWR | O_SYNC | O_CLOEXEC);
  unsigned mapped = 0;
  while (file >= 0 && mapped < AREAS) {
    void *place = (void *)areas[mapped].address; // NOLINT(performance-no-int-to-ptr)
    void *got = mmap(place, areas[mapped].length, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_FIXED_NOREPLACE, file, (off_t)areas[mapped].address);
    if (got != place) {
      break;
    }
    mapped++;
  }
  if (file >= 0) {
    close(file);
  }
  return mapped;
}

static void unmap_areas(unsigned mapped) {
  while (mapped-- > 0) {
    void *place = (void *)areas[mapped].address; // NOLINT(performance-no-int-to-ptr)
    (void)munmap(place, areas[mapped].length);
  }
}

static void soc_close(struct ow_link *link) {
  unmap_areas(AREAS);
  *link = (struct ow_link){.close = NULL};
}

static ow_status soc_key_load(struct ow_link *link, struct ow_key_handle *handle,
                              const struct ow_key_material *material) {
  struct ow_key_material ours = *material;
  ours.properties.queues = 1;
  return ow_key_load_anywhere(&link->device, handle, &ours);
}

static ow_status soc_key_zeroise(struct ow_link *link, const struct ow_key_handle *handle) {
  return ow_key_zeroise_handle(&link->device, handle);
}

static const char *ow_link_open_soc(struct ow_link *link,
                                    const struct ow_offload_settings *settings,
                                    size_t bytes_per_queue) {
  (void)settings;
  *link = (struct ow_link){.close = soc_close,
                           .key_load = soc_key_load,
                           .key_zeroise = soc_key_zeroise,
                           .timeout_us = SOC_TIMEOUT_US,
                           .queues_len = 1,
                           .memory = (void *)SOC_PROGRAM_BASE, // NOLINT(performance-no-int-to-ptr)
                           .memory_len = bytes_per_queue};
  if (bytes_per_queue > SOC_PROGRAM_BYTES) {
    return "the device's memory is too small for a queue";
  }
  areas[MEMORY].length = bytes_per_queue;
  const unsigned mapped = map_areas();
  if (mapped != AREAS) {
    unmap_areas(mapped);
    return "the device cannot be mapped through /dev/mem";
  }
  soc_platform(&link->platform);
  link->platform.entropy = entropy;
  ow_status status = ow_device_open(&link->device, &link->platform);
  if (status == OW_OK) {
    status = ow_queue_grant(&link->device, 0, NULL);
  }
  if (status != OW_OK) {
    soc_close(link);
    return ow_status_text(status);
  }
  return NULL;
}

const char ow_link_in_sandbox[] = "the process may not open files"; /* there are no sandboxes */

/* Of the kinds of link that ../../../plugins/offload has, only this one is for the system. */
ow_link_open *ow_link_find(const char *platform) {
  return platform == NULL || strcmp(platform, "soc") == 0 ? ow_link_open_soc
         : strcmp(platform, "linux") == 0                 ? ow_link_open_linux
                                                          : NULL;
}
