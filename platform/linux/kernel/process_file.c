// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * /dev/outwork: a file that is opened gets a queue by OW_LINUX_OPEN, and has it until it is closed
 * for the last time, by an exit or a kill too.
 *
 * The mappings of registers and memory keep the file open, so that nothing is taken back that can
 * still be accessed.
 */
#include <linux/dma-mapping.h>
#include <linux/eventfd.h>
#include <linux/fs.h>
#include <linux/io.h>
#include <linux/irq.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/version.h>

#include "outwork_linux.h"

struct owk_process_files {
	struct miscdevice misc;
	struct owk_device *device;
};

struct owk_file {
	struct list_head all;		/* in owk_files */
	struct owk_device *device;	/* NULL: it has gone */
	struct address_space *mapping;	/* of the file, where its mappings are found */
	struct mutex lock;		/* of the calls but mmap() */
	struct owk_process *process;	/* NULL: no queue yet, or taken back */
	struct mm_struct *mm;		/* of which `pages` are accounted */
	unsigned long pages;
	struct eventfd_ctx *event;	/* NULL: none */
	int interrupt;
	spinlock_t arm_lock;		/* protects the next */
	bool armed;
};

static LIST_HEAD(owk_files);
static DEFINE_MUTEX(owk_files_lock);	/* protects the list; before the lock of a file */

static void owk_event_signal(struct eventfd_ctx *event)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	eventfd_signal(event);
#else
	eventfd_signal(event, 1);
#endif
}

/* The interrupt stays masked until the process asks for the next one, so that it cannot have more
 * of them than it makes system calls.
 */
static irqreturn_t owk_file_interrupt(int number, void *context)
{
	struct owk_file *own = context;

	spin_lock(&own->arm_lock);
	if (own->armed) {
		own->armed = false;
		disable_irq_nosync(number);
		owk_event_signal(own->event);
	}
	spin_unlock(&own->arm_lock);
	return IRQ_HANDLED;
}

static int owk_file_arm(struct owk_file *own)
{
	unsigned long flags;

	if (!own->event)
		return -EOPNOTSUPP;
	spin_lock_irqsave(&own->arm_lock, flags);
	if (!own->armed) {
		own->armed = true;
		enable_irq(own->interrupt);
	}
	spin_unlock_irqrestore(&own->arm_lock, flags);
	return 0;
}

static int owk_file_event_open(struct owk_file *own, struct owk_process *process, int event)
{
	int error;

	if (event < 0)
		return 0;
	own->interrupt = own->device->interrupt[process->index];
	if (own->interrupt <= 0)
		return -EOPNOTSUPP;
	own->event = eventfd_ctx_fdget(event);
	if (IS_ERR(own->event)) {
		error = PTR_ERR(own->event);
	} else {
		/* Not the lazy kind: no interrupt that came while masked is replayed. */
		irq_set_status_flags(own->interrupt, IRQ_DISABLE_UNLAZY);
		error = request_irq(own->interrupt, owk_file_interrupt, IRQF_NO_AUTOEN,
				    dev_name(own->device->dev), own);
		if (error)
			eventfd_ctx_put(own->event);
	}
	if (error)
		own->event = NULL;
	return error;
}

static void owk_file_event_close(struct owk_file *own)
{
	if (!own->event)
		return;
	free_irq(own->interrupt, own);
	irq_clear_status_flags(own->interrupt, IRQ_DISABLE_UNLAZY);
	eventfd_ctx_put(own->event);
	own->event = NULL;
}

/* The memory counts as locked by the process: RLIMIT_MEMLOCK is its quota. */
static int owk_file_account(struct owk_file *own, unsigned long pages)
{
	int error = account_locked_vm(current->mm, pages, true);

	if (error)
		return error;
	own->mm = current->mm;
	own->pages = pages;
	mmgrab(own->mm);
	return 0;
}

static void owk_file_unaccount(struct owk_file *own)
{
	if (!own->mm)
		return;
	account_locked_vm(own->mm, own->pages, false);
	mmdrop(own->mm);
	own->mm = NULL;
}

/* Opens what the request asks for and answers. The queue becomes known to mmap() at the end. */
static int owk_file_queue_open(struct owk_file *own, struct ow_linux_open *request,
			       struct ow_linux_open __user *answer)
{
	struct owk_process *process = kzalloc(sizeof(*process), GFP_KERNEL_ACCOUNT);
	int error;

	if (!process)
		return -ENOMEM;
	error = owk_process_open(process, own->device, request->memory_bytes);
	if (error) {
		kfree(process);
		return error;
	}
	error = owk_file_event_open(own, process, request->event);
	if (!error) {
		request->queue = process->index;
		request->address_low = lower_32_bits(process->address);
		request->address_high = upper_32_bits(process->address);
		request->capabilities = own->device->device.capabilities;
		error = copy_to_user(answer, request, sizeof(*request)) ? -EFAULT : 0;
	}
	if (error) {
		owk_file_event_close(own);
		owk_process_close(process);
		return error;
	}
	smp_store_release(&own->process, process); /* with all that is in it */
	return 0;
}

static int owk_file_open_call(struct owk_file *own, void __user *at)
{
	struct ow_linux_open request;
	int error;

	if (copy_from_user(&request, at, sizeof(request)))
		return -EFAULT;
	if (request.version != OW_LINUX_VERSION)
		return -EPROTO;
	if (!own->device)
		return -ENODEV;
	if (own->process)
		return -EBUSY;
	error = owk_file_account(own, DIV_ROUND_UP(request.memory_bytes, PAGE_SIZE));
	if (error)
		return error;
	error = owk_file_queue_open(own, &request, at);
	if (error)
		owk_file_unaccount(own);
	return error;
}

static int owk_file_key_load(struct owk_file *own, struct ow_linux_key __user *at)
{
	struct ow_linux_key key;
	int error;

	if (copy_from_user(&key, at, sizeof(key)))
		return -EFAULT;
	error = owk_process_key_load(own->process, &key);
	memzero_explicit(key.key, sizeof(key.key));
	memzero_explicit(key.tweak_key, sizeof(key.tweak_key));
	/* A key whose name does not arrive is zeroised with the queue. */
	if (!error && (put_user(key.generation, &at->generation) || put_user(key.slot, &at->slot)))
		error = -EFAULT;
	return error;
}

static int owk_file_key_zeroise(struct owk_file *own, void __user *at)
{
	struct ow_linux_handle handle;

	if (copy_from_user(&handle, at, sizeof(handle)))
		return -EFAULT;
	return owk_process_key_zeroise(own->process, &handle);
}

static long owk_file_call(struct file *file, unsigned int request, unsigned long argument)
{
	struct owk_file *own = file->private_data;
	void __user *at = (void __user *)argument;
	long error = -ENOTTY;

	mutex_lock(&own->lock);
	if (request == OW_LINUX_OPEN)
		error = owk_file_open_call(own, at);
	else if (!own->process)
		error = -ENODEV;
	else if (request == OW_LINUX_ARM)
		error = owk_file_arm(own);
	else if (request == OW_LINUX_KEY_LOAD)
		error = owk_file_key_load(own, at);
	else if (request == OW_LINUX_KEY_ZEROISE)
		error = owk_file_key_zeroise(own, at);
	mutex_unlock(&own->lock);
	return error;
}

static void owk_file_mapping_restrict(struct vm_area_struct *vma)
{
	/* Not a child's, not in a core file, not larger, not code. */
	const vm_flags_t set = VM_DONTCOPY | VM_DONTDUMP | VM_DONTEXPAND, clear = VM_MAYEXEC;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

static int owk_file_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct owk_file *own = file->private_data;
	struct owk_process *process = smp_load_acquire(&own->process); /* owk_file_queue_open() */
	resource_size_t page;

	if (!process)
		return -ENODEV;
	if (current->mm != own->mm) /* owk_file_take_back() knows of one alone */
		return -EACCES;
	if (!(vma->vm_flags & VM_SHARED) || vma->vm_flags & VM_EXEC)
		return -EINVAL;
	owk_file_mapping_restrict(vma);
	if (vma->vm_pgoff == OW_LINUX_MAP_MEMORY >> PAGE_SHIFT) {
		vma->vm_pgoff = 0;
		return dma_mmap_coherent(process->device->dev, vma, process->memory,
					 process->address, process->bytes);
	}
	if (vma->vm_pgoff != OW_LINUX_MAP_REGISTERS || vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	page = process->device->registers_address + OW_QUEUE_OFFSET +
	       process->index * OW_QUEUE_STRIDE;
	vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
	return io_remap_pfn_range(vma, vma->vm_start, page >> PAGE_SHIFT, PAGE_SIZE,
				  vma->vm_page_prot);
}

static int owk_file_open(struct inode *inode, struct file *file)
{
	struct owk_process_files *files =
		container_of(file->private_data, struct owk_process_files, misc);
	struct owk_file *own = kzalloc(sizeof(*own), GFP_KERNEL_ACCOUNT);

	if (!own)
		return -ENOMEM;
	own->device = files->device;
	mutex_init(&own->lock);
	spin_lock_init(&own->arm_lock);
	own->mapping = file->f_mapping;
	file->private_data = own;
	mutex_lock(&owk_files_lock);
	list_add_tail(&own->all, &owk_files);
	mutex_unlock(&owk_files_lock);
	return 0;
}

static int owk_file_release(struct inode *inode, struct file *file)
{
	struct owk_file *own = file->private_data;

	mutex_lock(&owk_files_lock);
	list_del(&own->all);
	mutex_unlock(&owk_files_lock);
	owk_file_event_close(own);
	if (own->process)
		owk_process_close(own->process);
	owk_file_unaccount(own);
	kfree(own);
	return 0;
}

/* Takes the queue of a file that stays open, under its lock. Its mappings go: the process gets
 * SIGBUS there.
 */
static void owk_file_take_back(struct owk_file *own)
{
	struct owk_process *process = own->process;

	if (!process)
		return;
	if (own->event)
		owk_event_signal(own->event); /* who waits finds out */
	owk_file_event_close(own);
	smp_store_release(&own->process, NULL); /* from now on mmap() fails */
	mmap_write_lock(own->mm); /* waits for one that has begun */
	mmap_write_unlock(own->mm);
	unmap_mapping_range(own->mapping, 0, 0, 1);
	owk_process_close(process);
	owk_file_unaccount(own);
}

void owk_process_files_take_back(struct owk_device *device, bool for_ever)
{
	struct owk_file *own;

	mutex_lock(&owk_files_lock);
	list_for_each_entry(own, &owk_files, all) {
		if (own->device != device)
			continue;
		mutex_lock(&own->lock);
		if (for_ever)
			own->device = NULL; /* it gets no other queue */
		owk_file_take_back(own);
		mutex_unlock(&own->lock);
	}
	mutex_unlock(&owk_files_lock);
}

static const struct file_operations owk_file_operations = {
	.owner = THIS_MODULE,
	.open = owk_file_open,
	.release = owk_file_release,
	.unlocked_ioctl = owk_file_call,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = owk_file_mmap,
	.llseek = noop_llseek,
};

int owk_process_files_open(struct owk_device *device)
{
	struct owk_process_files *files = devm_kzalloc(device->dev, sizeof(*files), GFP_KERNEL);
	int error;

	if (!files)
		return -ENOMEM;
	files->device = device;
	files->misc = (struct miscdevice){
		.minor = MISC_DYNAMIC_MINOR,
		.name = "outwork",
		.mode = 0600,
		.parent = device->dev,
		.fops = &owk_file_operations,
	};
	error = misc_register(&files->misc);
	if (!error)
		device->files = files;
	return error;
}

void owk_process_files_close(struct owk_device *device)
{
	if (!device->files)
		return;
	misc_deregister(&device->files->misc);
	device->files = NULL;
	owk_process_files_take_back(device, true);
	owk_processes_end(device);
}
