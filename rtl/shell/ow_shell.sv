// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The shell: registers, queues, streams, DMA and keys. It contains no algorithm; ow_engine_pkg defines its engine port.
module ow_shell
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned DataWidth = 128,
  parameter int unsigned KeySlots = 32,
  parameter bit          MadeKeys = 1'b1   // an engine makes keys for slots
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   tamper_i,

  // What this build contains.
  input  ow_capabilities_t       capabilities_i,

  // The engine contract.
  output engine_req_t            req_o /*verilator split_var*/,
  input  engine_rsp_t            rsp_i /*verilator split_var*/,
  output logic [31:0]            cmd_generation_o,   // of the slot of the command's key
  input  stream_mask_t           in_pop_set_i,       // the stream of `rsp_i.in_pop`, if there is one
  output stream_mask_t           in_plenty_o,        // streams with at least 16 words, or all that will come
  input  kill_t                  refuse_i,           // ends a stream's job with a status; its engine's `done` follows
  output logic [127:0]           seal_key_o,         // valid while `req_o.seeded`

  // Register bus: after reset nothing is written or read before `ready_o`.
  output logic                   ready_o,
  input  logic                   write_i,
  input  logic [14:0]            write_address_i,
  input  logic [31:0]            write_data_i,
  input  logic                   read_i,
  input  logic [14:0]            read_address_i,
  output logic [31:0]            read_data_o,

  // AXI4: the signals that are not constant.
  output queue_t                 m_axi_arid,
  output logic [63:0]            m_axi_araddr,
  output logic [7:0]             m_axi_arlen,
  output logic                   m_axi_arvalid,
  input  logic                   m_axi_arready,
  input  queue_t                 m_axi_rid,
  input  logic [DataWidth-1:0]   m_axi_rdata,
  input  logic [1:0]             m_axi_rresp,
  input  logic                   m_axi_rvalid,
  output logic                   m_axi_rready,
  output queue_t                 m_axi_awid,
  output logic [63:0]            m_axi_awaddr,
  output logic [7:0]             m_axi_awlen,
  output logic                   m_axi_awvalid,
  input  logic                   m_axi_awready,
  output logic [DataWidth-1:0]   m_axi_wdata,
  output logic [DataWidth/8-1:0] m_axi_wstrb,
  output logic                   m_axi_wlast,
  output logic                   m_axi_wvalid,
  input  logic                   m_axi_wready,
  input  queue_t                 m_axi_bid,
  input  logic [1:0]             m_axi_bresp,
  input  logic                   m_axi_bvalid,
  output logic                   m_axi_bready,

  output logic [NumQueues-1:0]   irq_o
);
  logic [63:0] cycle_q;
  wire [31:0] now = cycle_q[31:0];
  always_ff @(posedge clk_i) cycle_q <= rst_ni ? cycle_q + 64'd1 : '0;

  grant_t [NumQueues-1:0]        grant;
  window_name_t read_window_name, write_window_name;
  window_t      read_window, write_window;
  queue_config_t [NumQueues-1:0] config_;
  queue_t                        rings_queue, done_queue;
  rings_t                        rings;
  logic [63:0]                   done_ring;
  logic [NumQueues-1:0]          granted, regranted, run, forget, clear, resetting, queue_busy;
  logic [NumQueues-1:0]          pending_irq;
  logic [NumQueues-1:0][15:0]    fetched, taken, completed, records;

  // Jobs.
  logic         start_next, start, start_engine, start_slot_used, start_inline_key;
  ow_stream_t   start_stream;
  job_t         start_job;
  logic [31:0]  start_fetch_time;
  event_t       fetch_event;
  logic [7:0]   start_status;
  stream_mask_t active, failed, finished, reading;
  logic [NumQueues-1:0][NumStreams-1:0] of_queue;
  logic         wipe_next, wipe, wipe_all;
  stream_mask_t cut, read_room, write_room;   // read_room, write_room: the port can take a burst of the stream's queue
  logic [NumQueues-1:0] read_room_queue;
  logic         shared;                       // more than one queue has a grant
  always_ff @(posedge clk_i) shared <= rst_ni && (granted & (granted - 1'b1)) != '0;
  ow_stream_t   end_stream;

  // A stream's buffers are emptied before each job and before its destination is wiped.
  logic         flush;
  ow_stream_t   flush_stream;
  assign flush        = start || wipe;
  assign flush_stream = start ? start_stream : end_stream;
  logic [NumQueues-1:0] watchdog;
  queue_t               watch_queue;
  logic [31:0]          watchdog_time;

  // ---- Reading ----------------------------------------------------------------------------------------------------
  logic          fetch_valid, fetch_ready, fetch_deny;
  logic [NumQueues-1:0] fetch_word_at;
  logic          target_valid, target_ready, target_reply, target_refused;
  ow_stream_t    target_refused_stream;
  read_request_t fetch_request, target_request;
  queue_t        fetch_deny_queue;
  read_beat_t    word_beat;
  logic [127:0]  word;
  logic          read_sent, read_back, popped;
  ow_stream_t    popped_stream, read_sent_stream, read_back_stream;
  kill_t [2:0]   read_kill;
  stream_mask_t  abort_next, in_some, in_more, in_enough, in_plenty, reader_holding, reader_more, reader_room;
  stream_mask_t  in_quiet, in_complete;   // in the cycle before nothing was on its way; nor will be
  ow_read_path #(.DataWidth(DataWidth)) u_read (
      .clk_i, .rst_ni, .grant_i(grant), .regranted_i(regranted), .window_o(read_window_name), .window_i(read_window),
      .owners_i(of_queue), .shared_i(shared), .room_queue_o(read_room_queue), .room_stream_o(read_room),
      .start_next_i(start_next), .start_i(start), .start_stream_i(start_stream),
      .start_job_i(start_job), .stop_i(failed | finished), .flush_i(flush), .flush_stream_i(flush_stream),
      .pop_i(rsp_i.in_pop), .pop_stream_i(rsp_i.in_pop_stream), .pop_set_i(in_pop_set_i), .pop_word_o(req_o.in_word),
      .popped_o(popped), .popped_stream_o(popped_stream), .hide_i(abort_next), .some_o(in_some),
      .more_words_o(in_more), .enough_o(in_enough), .plenty_o(in_plenty), .room_o(reader_room),
      .fetch_valid_i(fetch_valid), .fetch_ready_o(fetch_ready), .fetch_request_i(fetch_request),
      .fetch_deny_o(fetch_deny), .fetch_deny_queue_o(fetch_deny_queue),
      .fetch_word_at_o(fetch_word_at), .target_valid_i(target_valid), .target_ready_o(target_ready),
      .target_request_i(target_request), .target_reply_o(target_reply), .target_refused_o(target_refused),
      .target_refused_stream_o(target_refused_stream), .word_beat_o(word_beat), .word_o(word), .sent_o(read_sent),
      .sent_stream_o(read_sent_stream), .back_o(read_back), .back_stream_o(read_back_stream), .kill_o(read_kill),
      .holding_o(reader_holding), .more_o(reader_more),
      .m_axi_arid, .m_axi_araddr, .m_axi_arlen, .m_axi_arvalid, .m_axi_arready,
      .m_axi_rid, .m_axi_rdata, .m_axi_rresp, .m_axi_rvalid, .m_axi_rready
  );
  always_ff @(posedge clk_i) begin
    in_quiet    <= ~(reader_holding | reading | (start ? stream_mask_t'(1) << start_stream : '0));
    in_complete <= ~(reader_holding | reading | reader_more | (start ? stream_mask_t'(1) << start_stream : '0));
  end
  // No engine sees words of a stream that it has to give up.
  assign {req_o.in_available, req_o.in_more} = {in_some, in_more};
  assign req_o.in_enough    = in_some & (in_enough | in_complete);
  assign req_o.in_loaded    = ((~reader_room & in_quiet) | in_complete) & ~req_o.abort;
  assign req_o.in_coming    = (~reader_room | in_complete) & ~req_o.abort;
  assign in_plenty_o        = in_some & (in_plenty | in_complete);
  assign req_o.owners       = of_queue;
  // The shell never holds up an engine.
  assign {req_o.in_pop_ready, req_o.pop_queues, req_o.out_ready, req_o.done_ready} = '1;

  // ---- Queues and dispatch --------------------------------------------------------------------------------------
  logic [NumQueues-1:0] fetch_pending, available, fence, fence_idle, fetch_halt;
  logic [NumQueues-1:0][7:0] fetch_halt_reason;
  queue_t         select;
  ow_descriptor_t descriptor;
  logic           take, key_held;
  logic [NumQueues-1:0] dispatch_busy, share, ready;
  logic [7:0]     key_slot;
  key_slot_t      key;

  ow_fetch #(.DataWidth(DataWidth)) u_fetch (
      .clk_i, .rst_ni, .time_i(now), .grant_i(grant), .queue_i(config_), .rings_queue_o(rings_queue), .rings_i(rings),
      .run_i(run), .forget_i(forget),
      .port_room_i(read_room_queue), .records_i(records), .request_valid_o(fetch_valid),
      .request_ready_i(fetch_ready), .request_o(fetch_request), .deny_i(fetch_deny), .deny_queue_i(fetch_deny_queue),
      .word_at_i(fetch_word_at), .word_beat_i(word_beat), .word_i(word), .halt_o(fetch_halt),
      .halt_reason_o(fetch_halt_reason), .pending_o(fetch_pending), .fetched_o(fetched), .taken_o(taken),
      .available_o(available), .fence_o(fence), .select_i(select), .descriptor_o(descriptor),
      .fetch_time_o(start_fetch_time), .take_i(take), .event_o(fetch_event)
  );

  for (genvar q = 0; q < NumQueues; q++) begin : gen_fence
    assign fence_idle[q] = taken[q] == completed[q];
  end

  ow_ready u_ready (
    .clk_i, .rst_ni, .grant_i(grant), .run_i(run), .owners_i(of_queue), .idle_i(fence_idle), .available_i(available),
    .fence_i(fence), .share_o(share), .ready_o(ready)
  );
  logic dispatch_clk;   // runs while a job may be or is being dispatched
  ow_clock_gate u_dispatch_gate (
    .clk_i, .enable_i(!rst_ni || ready != '0 || dispatch_busy != '0), .clk_o(dispatch_clk)
  );
  ow_dispatch u_dispatch (
      .clk_i(dispatch_clk), .rst_ni, .grant_i(grant), .run_i(run), .ready_i(ready), .select_o(select), .take_o(take),
      .descriptor_i(descriptor), .command_o(req_o.plan_command), .key_slot_o(key_slot), .key_i(key),
      .key_info_o(req_o.plan_key),
      .plan_i(rsp_i.plan), .key_held_o(key_held), .active_i(active), .start_next_o(start_next), .start_o(start),
      .start_stream_o(start_stream), .start_job_o(start_job), .start_slot_used_o(start_slot_used),
      .start_inline_key_o(start_inline_key), .start_engine_o(start_engine), .start_status_o(start_status),
      .command_valid_o(req_o.cmd_valid), .command_ready_i(rsp_i.cmd_ready),
      .command_stream_o(req_o.cmd_stream), .command_plan_o(req_o.cmd_plan), .busy_o(dispatch_busy)
  );
  assign req_o.cmd            = req_o.plan_command;
  assign cmd_generation_o = key.generation;

  // ---- Keys -------------------------------------------------------------------------------------------------------
  logic write_key_config, write_key_data, write_key_command, write_seed, zeroising, tamper_seen;
  logic [7:0] shown_slot;
  logic [15:0] key_generation;
  logic key_kill, key_kill_all, key_kill_inline, key_used;
  logic [7:0] key_kill_slot;
  ow_global_key_config_t key_config;
  ow_global_key_status_t key_status;
  logic       making, key_wanted;
  ow_queues_t made_queue;
  for (genvar q = 0; q < NumQueues; q++) begin : gen_made_queue
    assign made_queue[q] = |(of_queue[q] & (ow_streams_t'(1) << rsp_i.made.stream));
  end
  // What is written for the keys is decoded in one cycle and used in the next.
  logic        write_q, write_key_config_q, write_key_data_q, write_key_command_q;
  logic [4:0]  key_word_q;
  logic [31:0] key_value_q;
  always_ff @(posedge clk_i) begin
    if (write_i) {key_word_q, key_value_q} <= {write_address_i[6:2], write_data_i};
    write_q             <= rst_ni && write_i;
    write_key_config_q  <= rst_ni && write_key_config;
    write_key_data_q    <= rst_ni && write_key_data;
    write_key_command_q <= rst_ni && write_key_command;
  end
  logic key_clk;   // runs while there is a command or a made key, and for each write
  assign key_wanted = write_q || tamper_i || key_status.busy || making || rsp_i.made_valid;
  ow_clock_gate u_key_gate (.clk_i, .enable_i(!rst_ni || key_wanted), .clk_o(key_clk));
  ow_keys #(.KeySlots(KeySlots), .MadeKeys(MadeKeys)) u_keys (
      .clk_i(key_clk), .rst_ni, .tamper_i, .write_config_i(write_key_config_q), .write_data_i(write_key_data_q),
      .write_command_i(write_key_command_q), .data_index_i(key_word_q), .write_value_i(key_value_q),
      .slot_i(shown_slot), .config_o(key_config), .status_o(key_status), .generation_o(key_generation),
      .zeroising_o(zeroising), .tamper_seen_o(tamper_seen), .query_slot_i(key_slot), .query_o(key),
      .held_i(key_held), .kill_o(key_kill), .kill_all_o(key_kill_all), .kill_slot_o(key_kill_slot),
      .kill_inline_o(key_kill_inline), .used_i(key_used), .load_valid_o(req_o.key_load_valid),
      .load_ready_i(rsp_i.key_load_ready), .load_refused_i(rsp_i.key_load_refused), .load_o(req_o.key_load),
      .made_valid_i(rsp_i.made_valid), .made_i(rsp_i.made), .made_queue_i(made_queue), .making_o(making),
      .made_ready_o(req_o.made_ready), .made_refused_o(req_o.made_refused), .zeroise_valid_o(req_o.zeroise_valid),
      .zeroise_all_o(req_o.zeroise_all), .zeroise_slot_o(req_o.zeroise_slot), .zeroise_ready_i(rsp_i.zeroise_ready)
  );

  ow_seed u_seed (
    .clk_i, .rst_ni,
    .erase_i    (tamper_i || (req_o.zeroise_valid && req_o.zeroise_all)),
    .write_i    (write_seed),
    .index_i    (write_address_i[4:2]),
    .value_i    (write_data_i),
    .seeded_o(req_o.seeded), .seal_key_o, .nonce_key_o(req_o.nonce_key)
  );

  // ---- Writing ----------------------------------------------------------------------------------------------------
  logic         over_valid, over_ready, recorded, acknowledged, acknowledged_error, acknowledged_interrupt;
  done_t        over_done;
  queue_t       recorded_queue, acknowledged_queue;
  logic [31:0]  recorded_wait;
  logic [NumQueues-1:0] deny_record;
  logic         write_sent, write_back;
  ow_stream_t   write_sent_stream, write_back_stream;
  kill_t [1:0]  write_kill;
  stream_mask_t writer_holding, writer_more;
  ow_write_path #(.DataWidth(DataWidth)) u_write (
      .clk_i, .rst_ni, .time_i(now), .grant_i(grant), .regranted_i(regranted), .window_o(write_window_name),
      .window_i(write_window), .owners_i(of_queue), .shared_i(shared), .read_room_i(read_room),
      .room_stream_o(write_room), .queue_i(config_), .done_queue_o(done_queue), .done_ring_i(done_ring),
      .start_i(start), .start_stream_i(start_stream), .start_job_i(start_job), .failed_i(failed),
      .finished_i(finished), .closed_next_i(start_next || wipe_next), .wipe_i(wipe),
      .wipe_stream_i(end_stream), .wipe_all_i(wipe_all), .cut_i(cut), .flush_i(flush), .flush_stream_i(flush_stream),
      .push_valid_i(rsp_i.out_valid), .push_stream_i(rsp_i.out_stream), .push_data_i(rsp_i.out_data),
      .push_bytes_i(rsp_i.out_bytes),
      .room_o(req_o.out_room), .done_valid_i(over_valid), .done_ready_o(over_ready), .done_i(over_done),
      .forget_i(forget), .records_o(records), .recorded_o(recorded), .recorded_queue_o(recorded_queue),
      .recorded_wait_o(recorded_wait), .deny_record_o(deny_record), .acknowledged_o(acknowledged),
      .acknowledged_queue_o(acknowledged_queue), .acknowledged_error_o(acknowledged_error),
      .acknowledged_interrupt_o(acknowledged_interrupt), .segment_valid_o(target_valid),
      .segment_ready_i(target_ready), .segment_o(target_request), .reply_valid_i(target_reply),
      .reply_stream_i(word_beat.id), .reply_error_i(word_beat.error), .reply_i(ow_segment_t'(word)),
      .refused_i(target_refused), .refused_stream_i(target_refused_stream), .sent_o(write_sent),
      .sent_stream_o(write_sent_stream), .back_o(write_back), .back_stream_o(write_back_stream), .kill_o(write_kill),
      .holding_o(writer_holding), .more_o(writer_more),
      .m_axi_awid, .m_axi_awaddr, .m_axi_awlen, .m_axi_awvalid, .m_axi_awready,
      .m_axi_wdata, .m_axi_wstrb, .m_axi_wlast, .m_axi_wvalid, .m_axi_wready,
      .m_axi_bid, .m_axi_bresp, .m_axi_bvalid, .m_axi_bready
  );

  // ---- Jobs: start, end and completion ----------------------------------------------------------------------------
  event_t      first_event, data_event, tag_event, wordless_event, over_event, over_event_q;
  logic [31:0] over_bytes, over_bytes_q;
  logic [7:0]  over_status_q;
  always_ff @(posedge clk_i) begin
    if (over_event.valid) begin
      over_event_q  <= over_event;
      over_bytes_q  <= over_bytes;
      over_status_q <= over_done.status;
    end
    over_event_q.valid <= rst_ni && over_event.valid;
  end

  ow_jobs #(.NumKills(6)) u_jobs (
      .clk_i, .rst_ni, .time_i(now), .watch_queue_o(watch_queue), .watchdog_i(watchdog_time),
      .resetting_i(resetting), .start_next_i(start_next), .start_i(start), .start_stream_i(start_stream),
      .start_job_i(start_job), .start_status_i(start_status), .start_engine_i(start_engine),
      .start_slot_used_i(start_slot_used), .start_inline_key_i(start_inline_key), .start_slot_i(key_slot),
      .start_fetch_time_i(start_fetch_time), .engine_done_i(rsp_i.done_valid), .engine_stream_i(rsp_i.done_stream),
      .engine_status_i(rsp_i.done_status), .engine_tag_i(rsp_i.done_tag), .engine_pop_i(popped),
      .engine_pop_stream_i(popped_stream), .abort_next_o(abort_next), .abort_o(req_o.abort),
      .kill_i({refuse_i, write_kill, read_kill}),
      .read_sent_i(read_sent), .read_sent_stream_i(read_sent_stream), .read_back_i(read_back),
      .read_back_stream_i(read_back_stream), .write_sent_i(write_sent), .write_sent_stream_i(write_sent_stream),
      .write_back_i(write_back), .write_back_stream_i(write_back_stream), .read_holding_i(reader_holding),
      .write_holding_i(writer_holding), .write_more_i(writer_more), .write_room_i(write_room), .active_o(active),
      .failed_o(failed), .finished_o(finished), .reading_o(reading), .of_queue_o(of_queue), .key_kill_i(key_kill),
      .key_kill_all_i(key_kill_all), .key_kill_slot_i(key_kill_slot), .key_kill_inline_i(key_kill_inline),
      .key_used_o(key_used), .watchdog_o(watchdog), .wipe_next_o(wipe_next), .wipe_o(wipe), .wipe_all_o(wipe_all),
      .cut_o(cut), .stream_o(end_stream), .done_valid_o(over_valid), .done_ready_i(over_ready), .done_o(over_done),
      .first_event_o(first_event), .data_event_o(data_event), .tag_event_o(tag_event),
      .wordless_event_o(wordless_event), .over_event_o(over_event), .over_bytes_o(over_bytes)
  );

  // ---- Registers --------------------------------------------------------------------------------------------------
  stream_mask_t starving, blocked;
  assign starving = active & ~finished & ~failed & ~in_some & (reading | reader_more);
  assign blocked  = active & ~finished & ~req_o.out_room;

  logic [31:0] global_data, queue_data, counter, cycle_counter;
  logic [NumQueues-1:0] stall_read, stall_write, stall_stream;
  logic [2:0] read_page;
  assign read_page = read_address_i[14:12];

  logic global_clk;   // runs for register accesses
  ow_clock_gate u_global_gate (
    .clk_i, .enable_i(!rst_ni || !ready_o || write_i || read_i || regranted != '0), .clk_o(global_clk)
  );
  ow_global_page #(.DataWidth(DataWidth), .KeySlots(KeySlots), .MadeKeys(MadeKeys)) u_global (
    .clk_i(global_clk), .rst_ni,
    .cycle_i            (cycle_q),
    .write_i            (write_i && write_address_i[14:12] == 3'd0),
    .write_address_i    (write_address_i[11:0]),
    .write_data_i       (write_data_i),
    .read_i             (read_i && read_page == 3'd0),
    .read_address_i     (read_address_i[11:0]),
    .read_data_o        (global_data),
    .capabilities_i     (capabilities_i),
    .status_i           ('{
      seeded: req_o.seeded, tamper: tamper_seen, zeroising: zeroising, busy: |active, default: '0
    }),
    .irq_i              (pending_irq),
    .write_key_config_o (write_key_config),
    .write_key_data_o   (write_key_data),
    .write_key_command_o(write_key_command),
    .write_seed_o       (write_seed),
    .key_slot_o         (shown_slot),
    .key_config_i       (key_config),
    .key_status_i       (key_status),
    .key_generation_i   (key_generation),
    .ready_o,
    .grant_o            (grant),
    .regranted_o        (regranted),
    .for_reads_i        (read_window_name),
    .for_reads_o        (read_window),
    .for_writes_i       (write_window_name),
    .for_writes_o       (write_window),
    .watch_queue_i      (watch_queue),
    .watchdog_o         (watchdog_time)
  );

  always_comb begin
    for (int q = 0; q < NumQueues; q++) begin
      granted[q]      = grant[q].allow;
      queue_busy[q]   = |of_queue[q];
      stall_read[q]   = |(starving & of_queue[q]);
      stall_write[q]  = |(blocked & of_queue[q]);
      stall_stream[q] = available[q] && !share[q];
    end
  end
  ow_queues u_queues (
      .clk_i, .rst_ni, .cycle_i(cycle_q), .write_i, .write_address_i, .write_data_i, .read_i, .read_address_i,
      .read_data_o(queue_data), .granted_i(granted), .watchdog_i(watchdog), .fetch_halt_i(fetch_halt),
      .fetch_halt_reason_i(fetch_halt_reason), .busy_i(queue_busy), .fetching_i(fetch_pending),
      .dispatching_i(dispatch_busy), .fetched_i(fetched), .config_o(config_), .run_o(run), .resetting_o(resetting),
      .forget_o(forget), .clear_o(clear), .completed_o(completed), .irq_o, .pending_irq_o(pending_irq),
      .over_i(over_valid && over_ready), .over_queue_i(over_done.queue), .acknowledged_i(acknowledged),
      .acknowledged_queue_i(acknowledged_queue), .acknowledged_error_i(acknowledged_error),
      .acknowledged_interrupt_i(acknowledged_interrupt), .deny_record_i(deny_record), .rings_queue_i(rings_queue),
      .rings_o(rings), .done_queue_i(done_queue), .done_o(done_ring)
  );

  ow_counters u_counters (
      .clk_i, .rst_ni, .clear_i(clear), .fetch_i(fetch_event),
      .start_i('{valid: start, queue: start_job.queue, cycles: now - start_fetch_time}), .first_i(first_event),
      .data_i(data_event), .tag_i(tag_event), .wordless_i(wordless_event), .over_i(over_event_q),
      .over_bytes_i(over_bytes_q), .over_status_i(over_status_q),
      .recorded_i('{valid: recorded, queue: recorded_queue, cycles: recorded_wait}), .read_i(read_i),
      .read_queue_i(queue_t'(read_page - 3'd1)), .address_i(read_address_i[11:0]), .value_o(counter)
  );

  ow_cycle_counters u_cycle_counters (
      .clk_i, .rst_ni, .clear_i(clear), .busy_i(queue_busy), .stall_read_i(stall_read), .stall_write_i(stall_write),
      .stall_stream_i(stall_stream), .read_i(read_i), .read_queue_i(queue_t'(read_page - 3'd1)),
      .address_i(read_address_i[11:0]), .value_o(cycle_counter)
  );

  assign read_data_o = read_page == 3'd0 ? global_data   // pages behind the queues' have no registers
                       : read_page <= 3'(NumQueues) ? queue_data | counter | cycle_counter : '0;
endmodule
