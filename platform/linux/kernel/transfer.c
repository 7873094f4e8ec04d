// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * The memory of a request: mapped for the device as it is, and described to the driver in pieces.
 */
#include <crypto/scatterwalk.h>
#include <linux/dma-mapping.h>

#include "outwork_linux.h"
#include "queue.h"

static bool owk_side_map(struct owk_device *device, struct scatterlist *list, u32 bytes,
			 unsigned int *entries, unsigned int *mapped,
			 enum dma_data_direction direction)
{
	int found = bytes ? sg_nents_for_len(list, bytes) : 0;

	*entries = 0;
	*mapped = 0;
	if (found <= 0)
		return !found;
	*mapped = dma_map_sg(device->dev, list, found, direction);
	*entries = *mapped ? found : 0;
	return *mapped;
}

bool owk_transfer_map(struct owk_device *device, struct owk_mapping *mapping,
		      const struct owk_work *work)
{
	u32 source = work->source_bytes ? work->aad_bytes + work->source_bytes : work->aad_bytes;
	u32 destination = work->destination_bytes ? work->aad_bytes + work->destination_bytes : 0;

	mapping->source = work->source;
	mapping->destination = work->destination;
	mapping->aad_bytes = work->aad_bytes;
	mapping->destination_entries = 0;
	if (work->source == work->destination)
		return owk_side_map(device, work->source, max(source, destination),
				    &mapping->source_entries, &mapping->source_mapped,
				    DMA_BIDIRECTIONAL);
	if (!owk_side_map(device, work->source, source, &mapping->source_entries,
			  &mapping->source_mapped, DMA_TO_DEVICE))
		return false;
	if (owk_side_map(device, work->destination, destination, &mapping->destination_entries,
			 &mapping->destination_mapped, DMA_FROM_DEVICE))
		return true;
	owk_transfer_unmap(device, mapping);
	return false;
}

void owk_transfer_unmap(struct owk_device *device, const struct owk_mapping *mapping)
{
	bool in_place = mapping->source == mapping->destination;

	if (mapping->source_entries)
		dma_unmap_sg(device->dev, mapping->source, mapping->source_entries,
			     in_place ? DMA_BIDIRECTIONAL : DMA_TO_DEVICE);
	if (mapping->destination_entries)
		dma_unmap_sg(device->dev, mapping->destination, mapping->destination_entries,
			     DMA_FROM_DEVICE);
}

bool owk_transfer_overlaps(const struct owk_mapping *mapping)
{
	struct scatterlist *from, *to;
	unsigned int i, j;
	u32 end = 0;

	if (mapping->source && mapping->source == mapping->destination)
		return true;
	for_each_sg(mapping->source, from, mapping->source_entries, i) {
		end += from->length;
		if (end <= mapping->aad_bytes)
			continue;
		for_each_sg(mapping->destination, to, mapping->destination_entries, j) {
			if (sg_phys(from) < sg_phys(to) + to->length &&
			    sg_phys(to) < sg_phys(from) + from->length)
				return true;
		}
	}
	return false;
}

void owk_transfer_keep(struct owk_lane *lane, const struct owk_work *work)
{
	lane->is_kept = work->source_bytes <= owk_keep && owk_transfer_overlaps(&lane->mapping);
	lane->kept_bytes = lane->is_kept ? work->source_bytes : 0;
	if (!lane->is_kept)
		return;
	scatterwalk_map_and_copy(lane->kept, work->source, work->aad_bytes, lane->kept_bytes, 0);
}

void owk_transfer_clear(const struct owk_lane *lane)
{
	const struct owk_mapping *mapping = &lane->mapping;
	bool in_place = mapping->source == mapping->destination;

	sg_zero_buffer(mapping->destination,
		       in_place ? mapping->source_entries : mapping->destination_entries,
		       lane->job.length, mapping->aad_bytes);
}

bool owk_transfer_restore(struct owk_lane *lane)
{
	const struct owk_mapping *mapping = &lane->mapping;

	if (!owk_transfer_overlaps(mapping))
		return true;
	scatterwalk_map_and_copy(lane->kept, mapping->source, mapping->aad_bytes, lane->kept_bytes,
				 1);
	return lane->is_kept;
}

/* Stands for an address of the device where the driver takes a pointer. */
static void *owk_name(struct owk_queue *queue, dma_addr_t address)
{
	queue->address[queue->addresses++] = address;
	return (void *)(uintptr_t)queue->addresses;
}

/* Returns the number of pieces of `bytes` after `skip`; -E2BIG: more than OWK_PIECES_MAX. */
static int owk_pieces(struct owk_queue *queue, struct ow_piece *pieces, struct scatterlist *list,
		      unsigned int mapped, u32 skip, u32 bytes)
{
	unsigned int found = 0, i;
	struct scatterlist *entry;

	for_each_sg(list, entry, mapped, i) {
		u32 length = sg_dma_len(entry);

		if (!bytes)
			break;
		if (skip >= length) {
			skip -= length;
			continue;
		}
		if (found == OWK_PIECES_MAX)
			return -E2BIG;
		length = min(length - skip, bytes);
		pieces[found].memory = owk_name(queue, sg_dma_address(entry) + skip);
		pieces[found].length = length;
		found++;
		bytes -= length;
		skip = 0;
	}
	return bytes ? -E2BIG : found;
}

/* AAD is in one piece for the device, or copied by the driver. */
static bool owk_aad_describe(struct owk_queue *queue, struct owk_lane *lane,
			     const struct owk_work *work)
{
	struct ow_job *job = &lane->job;

	if (!job->aad_len)
		return true;
	if (job->aad_len <= OWK_AAD_COPIED) {
		scatterwalk_map_and_copy(lane->aad, work->source, 0, job->aad_len, 0);
		job->aad = lane->aad;
		return true;
	}
	if (sg_dma_len(work->source) < job->aad_len)
		return false;
	job->aad = owk_name(queue, sg_dma_address(work->source));
	return true;
}

bool owk_transfer_describe(struct owk_queue *queue, struct owk_lane *lane,
			   const struct owk_work *work, enum owk_fallback *reason)
{
	const struct owk_mapping *mapping = &lane->mapping;
	bool in_place = work->source == work->destination;
	struct ow_job *job = &lane->job;
	int source, destination;

	*reason = OWK_FALLBACK_AAD;
	if (!owk_aad_describe(queue, lane, work))
		return false;
	*reason = OWK_FALLBACK_PIECES;
	source = owk_pieces(queue, queue->source_pieces, work->source, mapping->source_mapped,
			    work->aad_bytes, work->source_bytes);
	if (source < 0)
		return false;
	job->source_pieces = source > 1 ? queue->source_pieces : NULL;
	job->source_pieces_len = source > 1 ? source : 0;
	job->source = source == 1 ? queue->source_pieces[0].memory : NULL;

	destination = owk_pieces(queue, queue->destination_pieces, work->destination,
				 in_place ? mapping->source_mapped : mapping->destination_mapped,
				 work->aad_bytes, work->destination_bytes);
	if (destination < 0)
		return false;
	job->destination_pieces = destination > 1 ? queue->destination_pieces : NULL;
	job->destination_pieces_len = destination > 1 ? destination : 0;
	job->destination = destination == 1 ? queue->destination_pieces[0].memory : NULL;
	/* The driver knows by equal pointers that it is one buffer. */
	if (in_place && source == 1 && destination == 1)
		job->destination = (void *)job->source;
	if (source > OW_JOB_PIECES || destination > OW_JOB_PIECES) {
		job->list_memory = lane->shared->list;
		job->list_memory_len = sizeof(lane->shared->list);
	}
	return true;
}
