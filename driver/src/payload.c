/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Source and destination of a job: maps each piece and encodes an address or a segment list.
 *
 * A single buffer is treated as one piece. The segment list of a side is always filled in,
 * because it keeps the addresses to unmap later; the descriptor points to it only if there are
 * several segments.
 */
#include "codec.h"

struct ow_side {
  const struct ow_piece *pieces;
  uint32_t pieces_len;
  uint32_t bytes; /* moved by the device, including a tag in this buffer */
  struct ow_segment *list;
  bool in_scratch;
  struct ow_piece single;
};

static void ow_side_of(struct ow_side *side, const struct ow_piece *pieces, uint32_t pieces_len,
                       const void *memory, uint32_t bytes) {
  side->bytes = bytes;
  side->pieces = pieces;
  side->pieces_len = pieces_len;
  if (pieces_len == 0) {
    side->single = (struct ow_piece){.memory = (void *)(uintptr_t)memory, .length = bytes};
    side->pieces = &side->single;
    side->pieces_len = bytes != 0 ? 1u : 0u;
  }
  side->in_scratch = side->pieces_len <= OW_JOB_PIECES;
}

/* Both sides and their lists: in the scratch memory or in the caller's, that of the source
 * first. */
static void ow_sides_of(struct ow_side *source, struct ow_side *destination,
                        const struct ow_queue_slot *slot, struct ow_scratch *scratch,
                        const struct ow_job *job) {
  ow_side_of(source, job->source_pieces, job->source_pieces_len, job->source, slot->source_bytes);
  ow_side_of(destination, job->destination_pieces,
             slot->destination_bytes != 0 ? job->destination_pieces_len : 0, job->destination,
             slot->destination_bytes);
  struct ow_segment *next = job->list_memory;
  source->list = scratch->source;
  destination->list = scratch->destination;
  if (!source->in_scratch && next != NULL) {
    source->list = next;
    next += source->pieces_len + 1u; /* a tag may follow */
  }
  if (!destination->in_scratch && next != NULL) {
    destination->list = next;
  }
}

static ow_status ow_lists_check(struct ow_queue *queue, const struct ow_side *source,
                                const struct ow_side *destination, const struct ow_job *job) {
  uint64_t entries = 0;
  entries += source->in_scratch ? 0u : (uint64_t)source->pieces_len + 1u;
  entries += destination->in_scratch ? 0u : (uint64_t)destination->pieces_len;
  if (entries == 0) {
    return OW_OK;
  }
  if (job->list_memory == NULL || job->list_memory_len < entries * OW_SEGMENT_SIZE) {
    return ow_refuse(queue, OW_FALLBACK_PIECES);
  }
  bool aligned = ((uintptr_t)job->list_memory & (OW_SEGMENT_SIZE - 1u)) == 0;
  return aligned ? OW_OK : OW_BAD_ARGUMENT;
}

static void ow_side_unmap(const struct ow_queue *queue, const struct ow_side *side,
                          uint32_t pieces_len, ow_direction direction) {
  for (uint32_t i = 0; i < pieces_len; i++) {
    const struct ow_piece *piece = &side->pieces[i];
    if (piece->length != 0) {
      ow_unmap(queue, side->list[i].address, piece->memory, piece->length, direction);
    }
  }
}

static ow_status ow_side_map(struct ow_queue *queue, const struct ow_side *side,
                             ow_direction direction) {
  for (uint32_t i = 0; i < side->pieces_len; i++) {
    const struct ow_piece *piece = &side->pieces[i];
    ow_status status = OW_OK;
    side->list[i] = (struct ow_segment){.length = piece->length};
    if (piece->length != 0 && piece->memory == NULL) {
      status = OW_BAD_ARGUMENT;
    } else if (piece->length != 0 &&
               !ow_map(queue, &side->list[i].address, piece->memory, piece->length, direction)) {
      status = ow_refuse(queue, OW_FALLBACK_MEMORY);
    }
    if (status != OW_OK) {
      ow_side_unmap(queue, side, i, direction);
      return status;
    }
  }
  return OW_OK;
}

/* One buffer that is source and destination is mapped once, for both. */
static bool ow_in_place(const struct ow_side *source, const struct ow_side *destination) {
  return source->pieces_len == 1 && destination->pieces_len == 1 &&
         source->pieces[0].memory == destination->pieces[0].memory;
}

static const struct ow_side *ow_longer(const struct ow_side *a, const struct ow_side *b) {
  return a->pieces[0].length >= b->pieces[0].length ? a : b;
}

static ow_status ow_sides_map(struct ow_queue *queue, struct ow_queue_slot *slot,
                              const struct ow_side *source, const struct ow_side *destination) {
  ow_status status;
  if (ow_in_place(source, destination)) {
    const struct ow_side *longer = ow_longer(source, destination);
    const struct ow_side *other = longer == source ? destination : source;
    status = ow_side_map(queue, longer, OW_BOTH_WAYS);
    if (status == OW_OK) {
      slot->mapped |= OW_MAPPED_IN_PLACE;
      other->list[0] = longer->list[0];
      other->list[0].length = other->pieces[0].length;
    }
    return status;
  }
  status = ow_side_map(queue, source, OW_TO_DEVICE);
  if (status != OW_OK) {
    return status;
  }
  slot->mapped |= OW_MAPPED_SOURCE;
  status = ow_side_map(queue, destination, OW_FROM_DEVICE);
  if (status == OW_OK) {
    slot->mapped |= OW_MAPPED_DESTINATION;
  }
  return status;
}

static void ow_list_end(const struct ow_side *side, uint32_t entries) {
  if (entries != 0) {
    side->list[entries - 1u].control = OW_SEGMENT_CONTROL_LAST_MASK;
  }
}

/* Cuts the segments to the job's bytes: a tag that follows in the list is the next thing read. */
static void ow_list_cut(const struct ow_side *side) {
  uint32_t left = side->bytes;
  for (uint32_t i = 0; i < side->pieces_len; i++) {
    struct ow_segment *segment = &side->list[i];
    segment->length = segment->length < left ? segment->length : left;
    left -= segment->length;
  }
}

/* Encodes a side whose list has `entries` segments. */
static uint64_t ow_side_encode(uint32_t *control, const struct ow_queue *queue,
                               struct ow_queue_slot *slot, const struct ow_side *side,
                               uint32_t entries, uint32_t bytes, const struct ow_job *job,
                               uint32_t list_flag) {
  if (entries == 0) {
    return 0;
  }
  if (entries == 1 && side->list[0].length >= bytes) {
    return side->list[0].address;
  }
  *control |= list_flag;
  if (side->in_scratch) {
    slot->mapped |= OW_USED_SCRATCH;
    return ow_queue_address(queue, side->list);
  }
  return slot->list + (uint64_t)((const uint8_t *)side->list - (const uint8_t *)job->list_memory);
}

/* Maps a buffer, and keeps its address for the end. */
static ow_status ow_buffer_map(const struct ow_encoding *encoding, uint64_t *address,
                               struct ow_segment *kept, const void *memory, uint32_t bytes,
                               ow_direction direction) {
  if (memory == NULL) {
    return OW_BAD_ARGUMENT;
  }
  if (!ow_map(encoding->queue, address, (void *)(uintptr_t)memory, bytes, direction)) {
    return ow_refuse(encoding->queue, OW_FALLBACK_MEMORY);
  }
  kept->address = *address;
  return OW_OK;
}

/* Whether there is a buffer on each side and nothing besides: then lists can be done without. */
static bool ow_has_two_buffers(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  bool tag_apart = encoding->verifies && (job->flags & OW_JOB_TAG_IN_SOURCE) == 0;
  return job->source_pieces_len == 0 && job->destination_pieces_len == 0 && !tag_apart &&
         encoding->slot->source_bytes != 0 && encoding->slot->destination_bytes != 0;
}

/* What the general way does, for the usual job in a fraction of its instructions. */
static ow_status ow_two_buffers_encode(const struct ow_encoding *encoding) {
  const struct ow_job *job = encoding->job;
  struct ow_queue_slot *slot = encoding->slot;
  struct ow_scratch *scratch = encoding->scratch;
  struct ow_descriptor *descriptor = encoding->descriptor;
  if (job->source == job->destination) {
    bool source_is_longer = slot->source_bytes >= slot->destination_bytes;
    ow_status status = ow_buffer_map(
        encoding, &descriptor->source, source_is_longer ? scratch->source : scratch->destination,
        job->source, source_is_longer ? slot->source_bytes : slot->destination_bytes, OW_BOTH_WAYS);
    if (status == OW_OK) {
      slot->mapped |= OW_MAPPED_IN_PLACE;
      descriptor->destination = descriptor->source;
    }
    return status;
  }
  ow_status status = ow_buffer_map(encoding, &descriptor->source, scratch->source, job->source,
                                   slot->source_bytes, OW_TO_DEVICE);
  if (status != OW_OK) {
    return status;
  }
  slot->mapped |= OW_MAPPED_SOURCE;
  status = ow_buffer_map(encoding, &descriptor->destination, scratch->destination, job->destination,
                         slot->destination_bytes, OW_FROM_DEVICE);
  if (status == OW_OK) {
    slot->mapped |= OW_MAPPED_DESTINATION;
  }
  return status;
}

ow_status ow_payload_encode(const struct ow_encoding *encoding) {
  if (ow_has_two_buffers(encoding)) {
    return ow_two_buffers_encode(encoding);
  }
  struct ow_queue *queue = encoding->queue;
  struct ow_queue_slot *slot = encoding->slot;
  struct ow_scratch *scratch = encoding->scratch;
  struct ow_descriptor *descriptor = encoding->descriptor;
  const struct ow_job *job = encoding->job;
  struct ow_side source;
  struct ow_side destination;
  ow_sides_of(&source, &destination, slot, scratch, job);
  if ((source.bytes != 0 && source.pieces_len == 0) ||
      (destination.bytes != 0 && destination.pieces_len == 0)) {
    return OW_BAD_ARGUMENT;
  }
  ow_status status = ow_lists_check(queue, &source, &destination, job);
  if (status != OW_OK) {
    return status;
  }
  status = ow_sides_map(queue, slot, &source, &destination);
  if (status != OW_OK) {
    return status;
  }

  uint32_t entries = source.pieces_len;
  uint32_t source_bytes = source.bytes;
  if (encoding->verifies && (job->flags & OW_JOB_TAG_IN_SOURCE) == 0) {
    ow_copy(scratch->tag, job->tag, job->tag_len);
    slot->mapped |= OW_USED_SCRATCH | OW_USED_SECRET;
    ow_list_cut(&source);
    source.list[entries] = (struct ow_segment){.address = ow_queue_address(queue, scratch->tag),
                                               .length = job->tag_len};
    entries += 1u;
    source_bytes += job->tag_len;
  }
  ow_list_end(&source, entries);
  ow_list_end(&destination, destination.pieces_len);
  if (!source.in_scratch || !destination.in_scratch) {
    if (!ow_map(queue, &slot->list, job->list_memory, job->list_memory_len, OW_TO_DEVICE)) {
      return ow_refuse(queue, OW_FALLBACK_MEMORY);
    }
    slot->mapped |= OW_MAPPED_LIST;
  }
  descriptor->source = ow_side_encode(&descriptor->control, queue, slot, &source, entries,
                                      source_bytes, job, OW_DESCRIPTOR_CONTROL_SOURCE_LIST_MASK);
  descriptor->destination =
      ow_side_encode(&descriptor->control, queue, slot, &destination, destination.pieces_len,
                     destination.bytes, job, OW_DESCRIPTOR_CONTROL_DESTINATION_LIST_MASK);
  if (encoding->output_to_tag) {
    descriptor->destination = ow_queue_address(queue, scratch->tag);
    slot->mapped |= OW_USED_SCRATCH | OW_TAG_FROM_SCRATCH;
  }
  return OW_OK;
}

void ow_payload_release(struct ow_queue *queue, uint32_t index, const struct ow_job *job) {
  const struct ow_queue_slot *slot = &queue->slots[index];
  struct ow_side source;
  struct ow_side destination;
  ow_sides_of(&source, &destination, slot, ow_queue_scratch(queue, index), job);
  if ((slot->mapped & OW_MAPPED_LIST) != 0) {
    ow_unmap(queue, slot->list, job->list_memory, job->list_memory_len, OW_TO_DEVICE);
  }
  if ((slot->mapped & OW_MAPPED_IN_PLACE) != 0) {
    ow_side_unmap(queue, ow_longer(&source, &destination), 1, OW_BOTH_WAYS);
  }
  if ((slot->mapped & OW_MAPPED_SOURCE) != 0) {
    ow_side_unmap(queue, &source, source.pieces_len, OW_TO_DEVICE);
  }
  if ((slot->mapped & OW_MAPPED_DESTINATION) != 0) {
    ow_side_unmap(queue, &destination, destination.pieces_len, OW_FROM_DEVICE);
  }
}
