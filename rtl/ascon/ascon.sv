// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The Ascon engine: Ascon-AEAD128, Ascon-Hash256, Ascon-XOF128 and Ascon-CXOF128 (NIST SP 800-232) for many jobs at
// once (rtl/ascon/README.md). The contract is rtl/common/ow_engine_pkg.sv.
//
// Jobs wait in a store and take turns at the units; what several units ask of one port is theirs in turn.
module ascon
  import ascon_job_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned Units    = 2,
  parameter int unsigned Rounds   = 2,   // a cycle of each unit: 1, 2 or 4
  parameter int unsigned NumSlots = 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  engine_req_t req_i /*verilator split_var*/,
  output engine_rsp_t rsp_o /*verilator split_var*/
);
  if (Units < 1 || Units > 15) begin : gen_check_units   // the capability register counts them in four bits
    $error("ascon: Units is %0d; it must be 1 to 15.", Units);
  end
  localparam int unsigned Width = Units > 1 ? $clog2(Units) : 1;
  typedef logic [Units-1:0] units_t;

  ascon_plan u_plan (.cmd_i(req_i.plan_command), .key_i(req_i.plan_key), .plan_o(rsp_o.plan));
  assign rsp_o.pop_wanted = '0;

  // ---- Keys.
  logic             keys_started, keys_busy, read_valid;
  logic [127:0]     key;
  logic [7:0]       key_slots [Units];
  logic [Width-1:0] reader;
  assign rsp_o.key_load_refused = req_i.key_load.kind != OpAsconAead128 || req_i.key_load.bytes != 7'd16;
  ow_key_store #(.NumSlots(NumSlots), .Words(1)) u_keys (
    .clk_i, .rst_ni,
    .ready_o(keys_started),
    .busy_o (keys_busy),
    .key_load_valid_i (req_i.key_load_valid),
    .key_load_ready_o (rsp_o.key_load_ready),
    .key_load_refuse_i(rsp_o.key_load_refused),
    .key_load_i       (req_i.key_load),
    .zeroise_valid_i  (req_i.zeroise_valid),
    .zeroise_all_i    (req_i.zeroise_all),
    .zeroise_slot_i   (req_i.zeroise_slot),
    .zeroise_ready_o  (rsp_o.zeroise_ready),
    .read_i           (read_valid),
    .slot_i           (key_slots[reader]),
    .word_i           (1'b0),
    .data_o           (key)
  );

  // ---- Jobs that wait.
  units_t         free, give, put, put_take, put_needs_word, put_needs_room;
  ow_stream_t     give_stream, stream [Units];
  ascon_context_t give_context, put_context [Units];
  ow_stream_t     dropped_stream;
  logic           yields, waiting, store_ready, dropped;
  logic [Units:0] done_grant;            // the units' and the store's
  ow_plan_t       plan;
  assign plan            = req_i.cmd_plan;
  assign rsp_o.cmd_ready = keys_started && store_ready;
  ascon_store #(.Units(Units)) u_store (
    .clk_i, .rst_ni,
    .cmd_valid_i     (req_i.cmd_valid && keys_started),
    .cmd_ready_o     (store_ready),
    .cmd_stream_i    (req_i.cmd_stream),
    .cmd_context_i   (start(req_i.cmd, plan)),
    .cmd_words_i     (plan.state_in || plan.key_words != '0 || plan.iv_bytes != '0 || plan.aad_bytes != '0
                      || plan.payload_bytes != '0 || plan.tag_in_bytes != '0),
    .owners_i        (req_i.owners),
    .enough_i        (req_i.in_enough),
    .room_i          (req_i.out_room),
    .abort_i         (req_i.abort),
    .free_i          (free),
    .give_o          (give),
    .give_stream_o   (give_stream),
    .give_context_o  (give_context),
    .yield_o         (yields),
    .put_i           (put),
    .put_take_o      (put_take),
    .put_stream_i    (stream),
    .put_context_i   (put_context),
    .put_needs_word_i(put_needs_word),
    .put_needs_room_i(put_needs_room),
    .done_o          (dropped),
    .done_ready_i    (done_grant[Units]),
    .done_stream_o   (dropped_stream),
    .busy_o          (waiting)
  );

  // ---- Units.
  units_t       pop, pop_grant, read, read_grant, out, out_grant, done;
  logic [127:0] out_data [Units];
  logic [4:0]   out_bytes [Units];
  logic [7:0]   done_status [Units];
  logic [127:0] done_tag [Units];
  for (genvar u = 0; u < Units; u++) begin : gen_unit
    ascon_unit #(.Rounds(Rounds)) u_unit (
      .clk_i, .rst_ni,
      .free_o        (free[u]),
      .give_i        (give[u]),
      .give_stream_i (give_stream),
      .give_context_i(give_context),
      .yield_i       (yields),
      .put_o         (put[u]),
      .put_take_i    (put_take[u]),
      .context_o     (put_context[u]),
      .needs_word_o  (put_needs_word[u]),
      .needs_room_o  (put_needs_room[u]),
      .stream_o      (stream[u]),
      .available_i   (req_i.in_available),
      .more_i        (req_i.in_more),
      .room_i        (req_i.out_room),
      .abort_i       (req_i.abort),
      .pop_o         (pop[u]),
      .pop_ready_i   (pop_grant[u]),
      .in_word_i     (req_i.in_word),
      .key_read_o    (read[u]),
      .key_slot_o    (key_slots[u]),
      .key_ready_i   (read_grant[u]),
      .key_i         (key),
      .out_valid_o   (out[u]),
      .out_ready_i   (out_grant[u]),
      .out_data_o    (out_data[u]),
      .out_bytes_o   (out_bytes[u]),
      .done_o        (done[u]),
      .done_ready_i  (done_grant[u]),
      .done_status_o (done_status[u]),
      .done_tag_o    (done_tag[u])
    );
  end

  // ---- One port for all units.
  localparam int unsigned EndWidth = $clog2(Units + 1);
  logic [Width-1:0]    popper, sender;
  logic [EndWidth-1:0] ender;
  logic                out_valid;
  ow_arbiter #(.Count(Units)) u_pop (
    .clk_i, .rst_ni, .request_i(pop), .grant_o(pop_grant),
    .valid_o(rsp_o.in_pop), .ready_i(req_i.in_pop_ready), .index_o(popper)
  );
  ow_arbiter #(.Count(Units)) u_read (
    .clk_i, .rst_ni, .request_i(read), .grant_o(read_grant), .valid_o(read_valid), .ready_i(1'b1), .index_o(reader)
  );
  ow_arbiter #(.Count(Units)) u_out (
    .clk_i, .rst_ni, .request_i(out), .grant_o(out_grant),
    .valid_o(out_valid), .ready_i(req_i.out_ready), .index_o(sender)
  );
  ow_arbiter #(.Count(Units + 1)) u_done (
    .clk_i, .rst_ni, .request_i({dropped, done}), .grant_o(done_grant),
    .valid_o(rsp_o.done_valid), .ready_i(req_i.done_ready), .index_o(ender)
  );
  assign rsp_o.in_pop_stream = stream[popper];
  assign rsp_o.out_valid     = out_valid;
  assign rsp_o.out_stream    = stream[sender];
  assign rsp_o.out_data      = out_valid ? out_data[sender] : '0;
  assign rsp_o.out_bytes     = out_bytes[sender];
  logic unit_ends;
  assign unit_ends           = ender != EndWidth'(Units);
  assign rsp_o.done_stream   = unit_ends ? stream[Width'(ender)] : dropped_stream;
  assign rsp_o.done_status   = unit_ends ? done_status[Width'(ender)] : StAborted;
  assign rsp_o.done_tag      = unit_ends ? done_tag[Width'(ender)] : '0;
  assign rsp_o.busy          = waiting || !(&free) || keys_busy;
  assign rsp_o.made_valid = 1'b0;
  assign rsp_o.made       = '0;
endmodule
