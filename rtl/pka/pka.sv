// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The public-key engine: RSA and elliptic curves, one job at a time (rtl/pka/README.md).
//
// The contract is rtl/common/ow_engine_pkg.sv; ow_engine_mux grants the ports. Commands of all streams are accepted at
// once and wait here, so that no other engine waits for a long job. The unit is given to a job whose input is
// available. If the input does not fit a stream's buffer, the job may wait for the rest for Patience cycles in total,
// then it ends with TIMEOUT. A result has at most 32 words, for which an output buffer always has room. An aborted job
// ends within three cycles, plus one for each job to be dropped, if the other engines do not use the port. After a job,
// and after reset, operand memory is wiped in 1,024 cycles before the next job starts.
module pka
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
  import pka_pkg::*;
#(
  parameter int unsigned Rows       = 8,   // products of 136 x 17 bits per cycle: 8, 4, 2 or 1; six DSP blocks each
  parameter int unsigned RsaKeys    = 3,   // RSA keys that slots can hold, 0 to 3
  parameter int unsigned Patience   = 16384,
  parameter int unsigned NumSlots   = 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  engine_req_t req_i /*verilator split_var*/,
  output engine_rsp_t rsp_o /*verilator split_var*/
);
  localparam int unsigned StoreWidth = $clog2(4 * NumSlots + 128 * RsaKeys);


  // ---- Commands wait in their streams.
  typedef struct packed {
    logic [7:0]  opcode, key;
    logic        slotted;
    logic [63:0] lengths;
    logic [11:0] key_bytes, aad_bytes, payload_bytes, out_bytes;
  } job_t;
  job_t                  jobs_q [NumStreams];
  job_t                  job_q, command;
  logic [NumStreams-1:0] waiting_q, given_up;
  ow_stream_t            stream_q, picked, dropped, dropped_q;
  logic                  pick, pick_valid, drop_q;

  logic                  cmd_valid, done_ready;
  ow_stream_t            cmd_stream;
  ow_streams_t           in_available, out_room, abort;
  assign cmd_valid    = req_i.cmd_valid;
  assign cmd_stream   = req_i.cmd_stream;
  assign done_ready   = req_i.done_ready;
  assign in_available = req_i.in_available;
  assign out_room     = req_i.out_room;
  assign abort        = req_i.abort;

  assign rsp_o.cmd_ready  = 1'b1;
  assign rsp_o.pop_wanted = '0;
  assign command = '{
    opcode:        req_i.cmd.opcode,
    key:           req_i.cmd.key,
    slotted:       req_i.cmd_plan.uses_key && req_i.cmd.opcode != OpRsaLoad,
    lengths:       is_25519(req_i.cmd.opcode) ? 64'(Curve25519) << 16 : req_i.cmd.iv[63:0],
    key_bytes:     slot_bytes(req_i.cmd),
    aad_bytes:     req_i.cmd_plan.aad_bytes[11:0],
    payload_bytes: req_i.cmd_plan.payload_bytes[11:0],
    out_bytes:     req_i.cmd_plan.out_bytes[11:0]
  };
  function automatic logic [11:0] slot_bytes(ow_command_t cmd);
    pka_parameters_t of = pka_parameters_t'(cmd.iv);
    unique case (cmd.opcode)
      OpRsaPrivate:
        return bytes_of(of.n_bits) + bytes_of(of.e_bits) + 12'd3 * bytes_of(of.p_bits) + 12'd2 * bytes_of(of.q_bits);
      OpX25519: return Bytes25519;
      default:  return 12'(curve_bytes(of.e_bits[1:0]));
    endcase
  endfunction

  pka_turns u_turns (
    .clk_i, .rst_ni,
    .request_i(waiting_q & req_i.in_loaded & ~req_i.abort),
    .owners_i (req_i.owners),
    .take_i   (pick),
    .busy_i   (!pick),
    .valid_o  (pick_valid),
    .index_o  (picked)
  );
  always_comb begin
    given_up = waiting_q & req_i.abort;
    if (drop_q) given_up[dropped_q] = 1'b0;
  end
  always_comb begin
    dropped = '0;
    for (int s = NumStreams - 1; s >= 0; s--) if (given_up[s]) dropped = ow_stream_t'(s);
  end

  // ---- The job in progress.
  typedef enum logic [2:0] {
    Wipe,   // wipe operand memory and registers
    Idle,
    Start,
    Run,    // run the program
    Fill,   // RSA_LOAD: write the key to its slot
    Flush,  // output the last words of the result
    Finish
  } step_e;
  step_e      step_q;
  logic [9:0] count_q;
  logic [7:0] status_q;
  logic       stop, start, wiping, filling, refill_q, keys_busy, slot_filled, starved, keying;
  localparam int unsigned StarvedWidth = $clog2(Patience + 1);
  logic [StarvedWidth-1:0] starved_q;   // cycles waited so far
  logic       program_ends, empty;
  logic [7:0] program_status;
  assign pick     = step_q == Idle;
  assign start    = step_q == Start;
  assign wiping   = step_q == Wipe;
  assign filling  = step_q == Fill;
  assign stop     = step_q inside {Start, Run, Fill, Flush} &&
                    (abort[stream_q] || starved_q == StarvedWidth'(Patience) || (keying && !req_i.seeded));

  // A job that is given up before it begins gets its result like any other: what is offered stays until it is granted.
  assign rsp_o.done_valid  = step_q == Finish || drop_q;
  assign rsp_o.done_stream = drop_q ? dropped_q : stream_q;
  assign rsp_o.done_status = drop_q ? 8'(StAborted) : status_q;
  assign rsp_o.done_tag    = '0;
  assign rsp_o.busy        = step_q != Idle || waiting_q != '0 || keys_busy;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q    <= Wipe;
      count_q   <= '0;
      waiting_q <= '0;
      drop_q    <= 1'b0;
      dropped_q <= '0;
    end else begin
      count_q <= wiping ? count_q + 1'b1 : '0;
      unique case (step_q)
        Wipe:   if (&count_q) step_q <= Idle;
        Idle:   if (pick_valid) step_q <= Start;
        Start:  step_q <= job_q.opcode == OpRsaLoad ? Fill : Run;
        Run:    if (program_ends) step_q <= Flush;
        Fill:   if (empty) step_q <= Finish;
        Flush:  if (empty) step_q <= Finish;
        Finish: if (done_ready && !drop_q) step_q <= Wipe;
        default: step_q <= Wipe;
      endcase
      if (stop) step_q <= Finish;

      if (pick && pick_valid) waiting_q[picked] <= 1'b0;
      if (drop_q && done_ready) waiting_q[dropped_q] <= 1'b0;
      if (!drop_q || done_ready) begin
        drop_q    <= step_q != Finish && given_up != '0;
        dropped_q <= dropped;
      end
      if (cmd_valid) waiting_q[cmd_stream] <= 1'b1;
    end
    if (cmd_valid) jobs_q[cmd_stream] <= command;
    if (pick && pick_valid) begin
      stream_q <= picked;
      job_q    <= jobs_q[picked];
    end
    if (start) refill_q <= slot_filled;
    if (pick) starved_q <= '0;
    else if (starved && !stop) starved_q <= starved_q + 1'b1;
    if (stop) status_q <= abort[stream_q] ? 8'(StAborted) : keying ? 8'(StNotSeeded) : 8'(StTimeout);
    else if (program_ends) status_q <= program_status;
    else if (filling && empty) status_q <= refill_q ? 8'(StBadKey) : 8'(StOk);
  end

  // ---- Its program.
  logic [10:0] entry;
  always_comb begin
    unique case (job_q.opcode)
      OpModexp:     entry = pka_rom_pkg::AtModexp;
      OpRsaPublic:  entry = pka_rom_pkg::AtRsaPublic;
      OpRsaPrivate: entry = pka_rom_pkg::AtRsaPrivate;
      OpEcMultiply: entry = pka_rom_pkg::AtEcMultiply;
      OpEcPublic:   entry = pka_rom_pkg::AtEcPublic;
      OpEcCheck:    entry = pka_rom_pkg::AtEcCheck;
      OpEcSign:     entry = pka_rom_pkg::AtEcSign;
      OpX25519:     entry = pka_rom_pkg::AtX25519;
      OpEd25519Public: entry = pka_rom_pkg::AtEd25519Public;
      OpEd25519Sign:   entry = pka_rom_pkg::AtEd25519Sign;
      OpEd25519Verify: entry = pka_rom_pkg::AtEd25519Verify;
      default:      entry = pka_rom_pkg::AtEcVerify;
    endcase
  end

  logic       source_valid, source_take, given_valid, given_take, core_take, core_valid, sink_take;
  logic [7:0] source_byte, given_byte, core_byte;
  pka_core #(.Rows(Rows)) u_core (
    .clk_i, .rst_ni,
    .clear_i     (wiping),
    .start_i     (start && job_q.opcode != OpRsaLoad),
    .entry_i     (entry),
    .parameter_i ({64'd0, job_q.lengths}),
    .stop_i      (stop),
    .end_o       (program_ends),
    .status_o    (program_status),
    .byte_valid_i(given_valid),
    .byte_i      (given_byte),
    .byte_take_o (core_take),
    .byte_valid_o(core_valid),
    .byte_o      (core_byte),
    .byte_take_i (sink_take)
  );

  // ---- Its bytes, and after them those that the device makes. RSA_LOAD writes its bytes to the slot, not to the core.
  logic [StoreWidth-1:0] slot_address, store_address, fill_address_q;
  logic                  store_read, store_ready;
  logic [127:0]          store_word;
  logic [11:0]           slot_key_bytes;
  assign slot_key_bytes  = job_q.slotted ? job_q.key_bytes : '0;
  assign source_take     = filling ? sink_take : given_take;
  assign rsp_o.in_pop_stream = stream_q;
  pka_source #(.StoreWidth(StoreWidth)) u_source (
    .clk_i, .rst_ni,
    .start_i        (start),
    .stop_i         (stop || wiping),
    .slot_address_i (slot_address),
    .slot_bytes_i   (slot_key_bytes),
    .aad_bytes_i    (job_q.aad_bytes),
    .payload_bytes_i(job_q.payload_bytes),
    .store_read_o   (store_read),
    .store_address_o(store_address),
    .store_word_i   (store_word),
    .in_available_i (in_available[stream_q]),
    .in_pop_o(rsp_o.in_pop), .in_pop_ready_i(req_i.in_pop_ready), .in_word_i(req_i.in_word),
    .starved_o   (starved),
    .byte_valid_o(source_valid),
    .byte_o      (source_byte),
    .byte_take_i (source_take)
  );

  pka_nonce u_nonce (
    .clk_i, .rst_ni,
    .nonce_key_i (req_i.nonce_key),
    .start_i     (start),
    .make_i      (job_q.slotted),
    .nonce_i     (job_q.opcode == OpEcSign),
    .p256_i      (job_q.lengths[17:16] == 2'(CurveP256)),
    .read_bytes_i(13'(slot_key_bytes) + 13'(job_q.payload_bytes)),
    .stop_i      (stop || wiping),
    .keying_o    (keying),
    .byte_valid_i(source_valid && !filling),
    .byte_i      (source_byte),
    .byte_take_o (given_take),
    .byte_valid_o(given_valid),
    .byte_o      (given_byte),
    .byte_take_i (core_take)
  );

  logic         sink_valid, word_valid;
  logic [127:0] word;
  logic [4:0]   word_bytes;
  assign sink_valid = filling ? source_valid : core_valid;
  pka_sink u_sink (
    .clk_i, .rst_ni,
    .start_i     (start),
    .stop_i      (stop || wiping),
    .bytes_i     (job_q.opcode == OpRsaLoad ? job_q.payload_bytes : job_q.out_bytes),
    .empty_o     (empty),
    .byte_valid_i(sink_valid),
    .byte_i      (filling ? source_byte : core_byte),
    .byte_take_o (sink_take),
    .out_room_i  (filling ? store_ready : out_room[stream_q]),
    .out_valid_o (word_valid),
    .out_ready_i (filling || req_i.out_ready),
    .out_data_o  (word),
    .out_bytes_o (word_bytes)
  );
  assign rsp_o.out_valid  = word_valid && !filling;
  assign rsp_o.out_stream = stream_q;
  assign rsp_o.out_data   = word;
  assign rsp_o.out_bytes  = word_bytes;

  always_ff @(posedge clk_i) begin
    if (start) fill_address_q <= slot_address;
    else if (filling && word_valid) fill_address_q <= fill_address_q + 1'b1;
  end

  logic        plan_place, plan_filled;
  logic [63:0] plan_lengths;
  pka_plan #(.RsaKeys(RsaKeys)) u_plan (
    .cmd_i    (req_i.plan_command),
    .key_i    (req_i.plan_key),
    .place_i  (plan_place),
    .filled_i (plan_filled),
    .lengths_i(plan_lengths),
    .seeded_i (req_i.seeded),
    .plan_o   (rsp_o.plan)
  );

  pka_keys #(.NumSlots(NumSlots), .RsaKeys(RsaKeys), .StoreWidth(StoreWidth)) u_keys (
    .clk_i, .rst_ni,
    .key_load_valid_i  (req_i.key_load_valid),
    .key_load_ready_o  (rsp_o.key_load_ready),
    .key_load_refused_o(rsp_o.key_load_refused),
    .key_load_i        (req_i.key_load),
    .zeroise_valid_i   (req_i.zeroise_valid),
    .zeroise_all_i     (req_i.zeroise_all),
    .zeroise_slot_i    (req_i.zeroise_slot),
    .zeroise_ready_o   (rsp_o.zeroise_ready),
    .wiping_i          (wiping),
    .plan_slot_i       (req_i.plan_command.key),
    .plan_place_o      (plan_place),
    .plan_filled_o     (plan_filled),
    .plan_lengths_o    (plan_lengths),
    .slot_i            (job_q.key),
    .filled_o          (slot_filled),
    .address_o         (slot_address),
    .write_i           (filling && word_valid && !refill_q),
    .write_ready_o     (store_ready),
    .write_address_i   (fill_address_q),
    .write_word_i      (word),
    .fill_i            (filling && empty && !refill_q && !stop),
    .fill_lengths_i    (job_q.lengths),
    .read_i            (store_read),
    .read_address_i    (store_address),
    .read_word_o       (store_word),
    .busy_o            (keys_busy)
  );
endmodule
