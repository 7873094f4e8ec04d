/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What kernel.h declares: memory and registers of the fake device.
 */
#include "kernel.h"

#include "fake_device.h"

extern struct fake_device *fake;

bool kernel_is_quiet, kernel_reads;
void (*kernel_unlocked)(void);
void (*kernel_zero)(void);
unsigned kernel_messages, kernel_irq_disabled;
void (*kernel_wait)(void);
bool kernel_has_random = true;

void *dmam_alloc_coherent(struct device *dev, size_t bytes, dma_addr_t *address, int flags) {
  (void)flags;
  void *memory = fake_allocate(dev->fake, bytes, 4096);
  CHECK(dev->fake->platform.map(dev->fake, address, memory, bytes, OW_BOTH_WAYS));
  return memory;
}

void *dma_alloc_coherent(struct device *dev, size_t bytes, dma_addr_t *address, int flags) {
  return dmam_alloc_coherent(dev, bytes, address, flags);
}

void dma_free_coherent(struct device *dev, size_t bytes, void *memory, dma_addr_t address) {
  dev->fake->platform.unmap(dev->fake, address, memory, bytes, OW_BOTH_WAYS);
}

void usleep_range(unsigned long least, unsigned long most) {
  (void)most;
  fake->microseconds += least;
  fake_work(fake);
}

int sg_nents_for_len(struct scatterlist *list, u64 bytes) {
  int entries = 0;
  for (u64 found = 0; found < bytes; list++) {
    found += list->length;
    entries++;
    if (list->end && found < bytes) {
      return -EINVAL;
    }
  }
  return entries;
}

static ow_direction direction_of(enum dma_data_direction direction) {
  return direction == DMA_TO_DEVICE     ? OW_TO_DEVICE
         : direction == DMA_FROM_DEVICE ? OW_FROM_DEVICE
                                        : OW_BOTH_WAYS;
}

void dma_unmap_sg(struct device *dev, struct scatterlist *list, int entries,
                  enum dma_data_direction direction) {
  for (int i = 0; i < entries; i++) {
    dev->fake->platform.unmap(dev->fake, list[i].address, list[i].memory, list[i].length,
                              direction_of(direction));
  }
}

unsigned int dma_map_sg(struct device *dev, struct scatterlist *list, int entries,
                        enum dma_data_direction direction) {
  for (int i = 0; i < entries; i++) {
    if (!dev->fake->platform.map(dev->fake, &list[i].address, list[i].memory, list[i].length,
                                 direction_of(direction))) {
      dma_unmap_sg(dev, list, i, direction);
      return 0;
    }
  }
  return (unsigned int)entries;
}

void scatterwalk_map_and_copy(void *memory, struct scatterlist *list, unsigned int start,
                              unsigned int bytes, int out) {
  for (u8 *part = memory; bytes != 0; list++) {
    if (start >= list->length) {
      start -= list->length;
      continue;
    }
    unsigned int now = min(bytes, list->length - start);
    memcpy(out ? list->memory + start : part, out ? part : list->memory + start, now);
    part += now;
    bytes -= now;
    start = 0;
  }
}

size_t sg_copy_to_buffer(struct scatterlist *list, unsigned int entries, void *memory,
                         size_t bytes) {
  CHECK(sg_nents_for_len(list, bytes) == (int)entries);
  scatterwalk_map_and_copy(memory, list, 0, (unsigned int)bytes, 0);
  return bytes;
}

size_t sg_copy_from_buffer(struct scatterlist *list, unsigned int entries, const void *memory,
                           size_t bytes) {
  CHECK(sg_nents_for_len(list, bytes) == (int)entries);
  scatterwalk_map_and_copy((void *)(uintptr_t)memory, list, 0, (unsigned int)bytes, 1);
  return bytes;
}

size_t sg_zero_buffer(struct scatterlist *list, unsigned int entries, size_t bytes, off_t skip) {
  u8 *zeros = calloc(1, bytes + 1);
  CHECK(sg_nents_for_len(list, bytes + (size_t)skip) <= (int)entries);
  scatterwalk_map_and_copy(zeros, list, (unsigned int)skip, (unsigned int)bytes, 1);
  free(zeros);
  return bytes;
}

u32 readl(const void *place) {
  return fake->platform.read32(fake, (u32)(uintptr_t)place);
}

void writel(u32 value, void *place) {
  fake->platform.write32(fake, (u32)(uintptr_t)place, value);
}

/* Never twice the same, which two keys must not be. */
void get_random_bytes(void *bytes, size_t length) {
  static u32 state = 1;
  for (u8 *at = bytes; length != 0; at++, length--) {
    state = state * 1664525u + 1013904223u;
    *at = (u8)(state >> 24);
  }
}

u64 ktime_to_us(int now) {
  (void)now;
  return fake->microseconds++;
}
