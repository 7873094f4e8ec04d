// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Sizes, types and functions that the modules of the shell share.
package ow_shell_pkg;

  import ow_engine_pkg::*;

  localparam int unsigned NumQueues = NumOwners;
  localparam int unsigned NumWindows = 4;
  localparam int unsigned RingLog2Max = 12;

  localparam int unsigned PrefetchDepth = 8;    // descriptors kept per queue
  localparam int unsigned InDepth = 128;        // input words per stream: covers memory latency at full rate
  localparam int unsigned OutDepth = 64;        // output words per stream
  localparam int unsigned OutMargin = 28;       // words that fit while `out_room` is set (ow_engine_pkg)
  localparam int unsigned MaxBeats = 16;        // per burst: the limit of AXI3 ports

  // If several queues are granted, no queue can hold all streams: each may have at most StreamShare, and StreamReserve
  // are reserved for each of the others.
  localparam int unsigned StreamShare = NumStreams / 2;
  localparam int unsigned StreamReserve = 2;
  // Bursts that memory has not answered. Each queue has its own AXI ID, so that no queue waits for another queue's
  // memory; if several queues are granted, each has only a share of the port's bursts: as many as the input buffer of one
  // stream has room for, so that a queue with one stream has no fewer than one with many.
  localparam int unsigned Outstanding = 16;
  localparam int unsigned OutstandingShare = 7;
  localparam int unsigned CycleBits = 32;       // of a counter of cycles
  // Cycles for which a queue's reset waits for wipes.
  localparam int unsigned ResetGrace = 65536;

  typedef logic [QueueWidth-1:0] queue_t;
  localparam int unsigned QueuePlaces = 2**QueueWidth;   // words of a memory that a queue's number addresses
  typedef logic [NumStreams-1:0] stream_mask_t;

  // One window of addresses, both ends included.
  typedef struct packed {
    logic [63:0] base;
    logic [63:0] last;
  } window_t;

  typedef struct packed {
    queue_t                        queue;
    logic [$clog2(NumWindows)-1:0] index;
  } window_name_t;

  // What the owner of the device grants a queue, without the addresses of its windows and the time of a job (ow_windows).
  typedef struct packed {
    logic                  allow;
    logic                  high_priority;
    logic                  any_address;
    logic [NumWindows-1:0] read;     // windows of which bytes may be read
    logic [NumWindows-1:0] write;    // and written
  } grant_t;

  // Where a queue's rings are (ow_queue_words).
  typedef struct packed {
    logic [63:0] ring;          // of descriptors
    logic [63:0] done;          // of completion records
  } rings_t;

  // The other settings in a queue's own registers.
  typedef struct packed {
    logic        enable;
    logic        reset;
    logic [3:0]  log2;
    logic [15:0] doorbell;
    logic        irq_enable;
    logic [15:0] irq_count;
    logic [31:0] irq_time;
  } queue_config_t;

  // Properties of a key slot.
  typedef struct packed {
    ow_key_info_t info;
    logic         reserved;     // not yet a key: for one that a job makes
    logic         lock;
    logic [7:0]   queues;
    logic [31:0]  generation;   // counts the slot's loads and zeroises; its lower half, which software sees, is never 0
  } key_slot_t;

  // A dispatched job: what the shell itself needs of a descriptor.
  typedef struct packed {
    queue_t      queue;
    logic [31:0] cookie;
    logic        interrupt;
    logic        source_list;
    logic        destination_list;
    logic [63:0] source;
    logic [63:0] destination;
    logic [63:0] aad;
    logic [63:0] context_address;
    logic [63:0] iv_address;
    logic        wipe;          // a decryption with a tag: unless it ends OK, no output may stay
    ow_plan_t    plan;
  } job_t;

  // The client that requests a read burst.
  typedef enum logic [1:0] {
    ReadFetch,        // descriptors, of no stream
    ReadData,         // a stream's sections
    ReadSource,       // a segment of a stream's source
    ReadDestination   // a segment of a stream's destination
  } read_client_e;

  typedef struct packed {
    read_client_e client;
    ow_stream_t   id;
    queue_t       queue;
    logic [63:0]  address;
    logic [8:0]   bytes;        // 1 to 256, within one aligned burst
    logic         first;        // data: the burst begins a section
    logic         last;         // data: the burst ends a section
    logic [3:0]   skew;         // data: zero bytes before the section's first byte
  } read_request_t;

  // The label of one beat of read data on its way to its client.
  typedef struct packed {
    read_client_e client;
    queue_t       queue;
    ow_stream_t   id;
    logic [3:0]   lane;         // first valid byte of the beat
    logic [4:0]   bytes;        // valid bytes of the beat
    logic         first;        // first beat of the first burst of a section
    logic         last;         // last beat of the last burst of a section
    logic         burst_last;
    logic [3:0]   skew;
    logic         error;
  } read_beat_t;

  typedef ow_spec_pkg::ow_segment_t segment_t;

  // A finished job on its way to the completion ring.
  typedef struct packed {
    queue_t       queue;
    logic         interrupt;
    logic [31:0]  cookie;
    logic [7:0]   status;
    logic         has_bytes;    // the destination has `bytes`, else 0
    logic [31:0]  bytes;
    logic [31:0]  start;        // time of the fetch
    logic         has_tag;      // `tag` is the job's, else it has none
    logic [127:0] tag;
  } done_t;

  // An event for the counters: cycles that a job of the queue took for a step.
  typedef struct packed {
    logic        valid;
    queue_t      queue;
    logic [31:0] cycles;
  } event_t;

  // Returns the lowest stream of a set; 0 for the empty set.
  function automatic ow_stream_t lowest(stream_mask_t mask);
    lowest = number_of(mask & (~mask + stream_mask_t'(1)));   // a carry is faster than a chain of choices
  endfunction

  // An event that ends a job early.
  typedef struct packed {
    logic       valid;
    ow_stream_t stream;
    logic [7:0] status;
  } kill_t;

endpackage
