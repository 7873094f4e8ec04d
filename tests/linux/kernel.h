/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * As much of Linux's headers as the kernel module's queue, keys and transfers need, in one process:
 * one CPU, no interrupts. Locks only check that nobody takes them twice.
 */
#ifndef OUTWORK_TEST_KERNEL_H
#define OUTWORK_TEST_KERNEL_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef uint64_t dma_addr_t;
#define __iomem
#define __rcu
#define __aligned(bytes)               __attribute__((aligned(bytes)))
#define BIT(n)                         (1u << (n))
#define ALIGN(value, to)               (((value) + (to) - 1) / (to) * (to))
#define min(a, b)                      ((a) < (b) ? (a) : (b))
#define max(a, b)                      ((a) > (b) ? (a) : (b))
#define clamp(value, low, high)        min(max(value, low), high)
#define container_of(at, type, member) ((type *)(void *)((u8 *)(at) - offsetof(type, member)))

typedef struct {
  int64_t value;
} atomic64_t;
static inline void atomic64_inc(atomic64_t *counter) {
  counter->value++;
}
static inline void atomic64_add(int64_t value, atomic64_t *counter) {
  counter->value += value;
}

typedef struct {
  bool held;
} spinlock_t;
static inline void spin_lock_init(spinlock_t *lock) {
  lock->held = false;
}
static inline void spin_lock_bh(spinlock_t *lock) {
  CHECK(!lock->held);
  lock->held = true;
}
/* Called whenever a lock is free again, as another CPU may take it then. */
extern void (*kernel_unlocked)(void);
static inline void spin_unlock_bh(spinlock_t *lock) {
  CHECK(lock->held);
  lock->held = false;
  if (kernel_unlocked) {
    kernel_unlocked();
  }
}
/* Who reads by RCU is in no section twice, and nobody waits for readers within one. */
extern bool kernel_reads;
static inline void rcu_read_lock(void) {
  CHECK(!kernel_reads);
  kernel_reads = true;
}
static inline void rcu_read_unlock(void) {
  CHECK(kernel_reads);
  kernel_reads = false;
}
static inline void kernel_check_reads(void) {
  CHECK(kernel_reads);
}
static inline void synchronize_rcu(void) {
  CHECK(!kernel_reads);
}
#define rcu_dereference(pointer)           (kernel_check_reads(), pointer)
#define rcu_access_pointer(pointer)        (pointer)
#define rcu_assign_pointer(pointer, value) ((pointer) = (value))
#define RCU_INIT_POINTER(pointer, value)   ((pointer) = (value))

/* How often the interrupt is disabled. */
extern unsigned kernel_irq_disabled;
static inline void disable_irq(int interrupt) {
  (void)interrupt;
  kernel_irq_disabled++;
}
static inline void enable_irq(int interrupt) {
  (void)interrupt;
  CHECK(kernel_irq_disabled != 0);
  kernel_irq_disabled--;
}

static inline void local_bh_disable(void) {}
static inline void local_bh_enable(void) {}

struct mutex {
  spinlock_t inside;
};
#define DEFINE_MUTEX(name)  struct mutex name
#define mutex_init(mutex)   spin_lock_init(&(mutex)->inside)
#define mutex_lock(mutex)   spin_lock_bh(&(mutex)->inside)
#define mutex_unlock(mutex) spin_unlock_bh(&(mutex)->inside)

struct list_head {
  struct list_head *next, *previous;
};
#define INIT_LIST_HEAD(list) (*(list) = (struct list_head){(list), (list)})
static inline bool list_empty(const struct list_head *list) {
  return list->next == list;
}
static inline void list_add_tail(struct list_head *entry, struct list_head *list) {
  *entry = (struct list_head){list, list->previous};
  list->previous->next = entry;
  list->previous = entry;
}
#define list_first_entry_or_null(list, type, member)                                               \
  (list_empty(list) ? NULL : container_of((list)->next, type, member))
static inline void list_del(struct list_head *entry) {
  entry->previous->next = entry->next;
  entry->next->previous = entry->previous;
}
#define list_for_each_entry_safe(entry, after, list, member)                                       \
  for (entry = container_of((list)->next, __typeof__(*(entry)), member),                           \
      after = container_of((entry)->member.next, __typeof__(*(entry)), member);                    \
       &(entry)->member != (list);                                                                 \
       entry = after, after = container_of((entry)->member.next, __typeof__(*(entry)), member))

/* A request to the crypto API, and who is told of its end. */
struct crypto_async_request {
  u32 flags;
  void (*complete)(struct crypto_async_request *base, int error);
  void *data;
};
#define CRYPTO_TFM_REQ_MAY_BACKLOG         0x400
#define KERNEL_VERSION(major, minor, last) ((major) << 16 | (minor) << 8 | (last))
#define LINUX_VERSION_CODE                 KERNEL_VERSION(6, 1, 0)
#define IS_ENABLED(option)                 0
typedef struct crypto_async_request owk_ended; /* completion_callback.h */
#define owk_ended_data(ended) ((ended)->data)
static inline void owk_tell(struct crypto_async_request *base, int error) {
  base->complete(base, error);
}

struct tasklet_struct {
  void (*run)(struct tasklet_struct *tasklet);
  bool scheduled;
};
#define from_tasklet(variable, tasklet, member)                                                    \
  container_of(tasklet, __typeof__(*(variable)), member)
static inline void tasklet_setup(struct tasklet_struct *tasklet,
                                 void (*run)(struct tasklet_struct *tasklet)) {
  *tasklet = (struct tasklet_struct){.run = run};
}
static inline void tasklet_schedule(struct tasklet_struct *tasklet) {
  tasklet->scheduled = true;
}
static inline void tasklet_kill(struct tasklet_struct *tasklet) {
  CHECK(!tasklet->scheduled);
}

/* Who waits calls this, until it is over. */
extern void (*kernel_wait)(void);
#define KERNEL_WAIT_UNTIL(condition)                                                               \
  do {                                                                                             \
    for (unsigned tries = 0; !(condition); tries++) {                                              \
      CHECK(tries < 1000);                                                                         \
      kernel_wait();                                                                               \
    }                                                                                              \
  } while (0)
struct completion {
  bool done;
};
static inline void init_completion(struct completion *completion) {
  completion->done = false;
}
#define reinit_completion init_completion
static inline void complete(struct completion *completion) {
  completion->done = true;
}
static inline void wait_for_completion(struct completion *completion) {
  KERNEL_WAIT_UNTIL(completion->done);
  completion->done = false;
}
struct semaphore {
  unsigned left;
};
static inline void sema_init(struct semaphore *semaphore, unsigned left) {
  semaphore->left = left;
}
static inline void down(struct semaphore *semaphore) {
  KERNEL_WAIT_UNTIL(semaphore->left != 0);
  semaphore->left--;
}
static inline void up(struct semaphore *semaphore) {
  semaphore->left++;
}
typedef struct {
  int value;
} atomic_t;
static inline void atomic_inc(atomic_t *counter) {
  counter->value++;
}
/* Called when a counter is zero, as another CPU may go on then. */
extern void (*kernel_zero)(void);
static inline bool atomic_dec_and_test(atomic_t *counter) {
  const bool is_zero = --counter->value == 0;
  if (is_zero && kernel_zero) {
    kernel_zero();
  }
  return is_zero;
}
#define atomic_read(counter) ((counter)->value)
typedef struct {
  unsigned wakes;
} wait_queue_head_t;
#define init_waitqueue_head(queue)   ((queue)->wakes = 0)
#define wake_up(queue)               ((void)(queue)->wakes++)
#define wait_event(queue, condition) KERNEL_WAIT_UNTIL(condition)

/* Work is done when it is given. */
struct work_struct {
  void (*run)(struct work_struct *work);
};
struct workqueue_struct;
#define WQ_UNBOUND                         0
#define alloc_workqueue(name, flags, most) ((struct workqueue_struct *)(void *)&kernel_wait)
#define destroy_workqueue(queue)           ((void)(queue))
#define INIT_WORK(work, function)          ((work)->run = (function))
#define queue_work(queue, work)            ((void)(queue), (work)->run(work))
struct delayed_work {
  struct work_struct work;
};
#define HZ 100
static inline void schedule_delayed_work(struct delayed_work *work, unsigned long jiffies) {
  (void)work;
  (void)jiffies;
}
static inline void cancel_delayed_work_sync(struct delayed_work *work) {
  (void)work;
}

struct device {
  struct fake_device *fake;
};
typedef u64 resource_size_t;
struct dentry;
extern bool kernel_is_quiet;     /* prints no messages */
extern unsigned kernel_messages; /* how many warnings, errors and notes */
#define dev_info dev_warn
#define dev_warn(dev, ...)                                                                         \
  ((void)(dev), kernel_messages++, kernel_is_quiet ? 0 : printf(__VA_ARGS__))
#define dev_err             dev_warn
#define dev_err_ratelimited dev_warn

#define GFP_KERNEL   0
#define __GFP_NOWARN 0
static inline void *devm_kcalloc(struct device *dev, size_t count, size_t size, int flags) {
  (void)dev;
  (void)flags;
  return calloc(count, size);
}
static inline void *devm_kzalloc(struct device *dev, size_t size, int flags) {
  return devm_kcalloc(dev, 1, size, flags);
}
#define kzalloc(size, flags) calloc(1, size)
#define kfree(memory)        free(memory)
#define kfree_sensitive      kfree
#define ARRAY_SIZE(array)    (sizeof(array) / sizeof(*(array)))
void *dma_alloc_coherent(struct device *dev, size_t bytes, dma_addr_t *address, int flags);
void dma_free_coherent(struct device *dev, size_t bytes, void *memory, dma_addr_t address);
void usleep_range(unsigned long least, unsigned long most);
void *dmam_alloc_coherent(struct device *dev, size_t bytes, dma_addr_t *address, int flags);

/* An entry of a list of memory; `end` is set in its last one. */
struct scatterlist {
  u8 *memory;
  unsigned int length;
  dma_addr_t address;
  bool end;
};
enum dma_data_direction { DMA_BIDIRECTIONAL = 0, DMA_TO_DEVICE = 1, DMA_FROM_DEVICE = 2 };
#define sg_dma_len(entry)                  ((entry)->length)
#define sg_dma_address(entry)              ((entry)->address)
#define sg_phys(entry)                     ((uintptr_t)(entry)->memory)
#define for_each_sg(list, entry, count, i) for (i = 0, entry = list; i < (count); i++, entry++)
int sg_nents_for_len(struct scatterlist *list, u64 bytes);
unsigned int dma_map_sg(struct device *dev, struct scatterlist *list, int entries,
                        enum dma_data_direction direction);
void dma_unmap_sg(struct device *dev, struct scatterlist *list, int entries,
                  enum dma_data_direction direction);
size_t sg_copy_to_buffer(struct scatterlist *list, unsigned int entries, void *memory,
                         size_t bytes);
size_t sg_copy_from_buffer(struct scatterlist *list, unsigned int entries, const void *memory,
                           size_t bytes);
size_t sg_zero_buffer(struct scatterlist *list, unsigned int entries, size_t bytes, off_t skip);
void scatterwalk_map_and_copy(void *memory, struct scatterlist *list, unsigned int start,
                              unsigned int bytes, int out);

#define raw_smp_processor_id()           0
#define memzero_explicit(memory, length) memset(memory, 0, length)
static inline int crypto_memneq(const void *a, const void *b, size_t length) {
  return memcmp(a, b, length);
}

u32 readl(const void *place);
void writel(u32 value, void *place);
#define mb()        __sync_synchronize()
#define cpu_relax() ((void)0)
#define ktime_get() 0
u64 ktime_to_us(int now);
/* Whether the kernel has random numbers. */
extern bool kernel_has_random;
#define rng_is_initialized() kernel_has_random
void get_random_bytes(void *bytes, size_t length);

/* An error in place of a pointer. */
#define ERR_PTR(error)          ((void *)(intptr_t)(error))
#define PTR_ERR(value)          ((int)(intptr_t)(value))
#define IS_ERR(pointer)         ((uintptr_t)(pointer) >= (uintptr_t)-4095)
#define READ_ONCE(value)        (value)
#define WRITE_ONCE(value, next) ((value) = (next))
typedef atomic_t refcount_t;
#define refcount_set(counter, first) ((counter)->value = (first))
#define refcount_inc                 atomic_inc
#define refcount_dec_and_test        atomic_dec_and_test

#endif
