// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The DES engine: DES and TDES, ECB and CBC, many streams in one ring of sixteen rounds (rtl/des/README.md). Legacy.
//
// The contract is rtl/common/ow_engine_pkg.sv. The engine shares the shell's ports with other engines: a pop, an output
// word or a result is requested until it is granted; an abort withdraws pops and output words.
//
// A block has the same place in the ring, the number of a cycle modulo sixteen, in all its passes.
module des
  import des_job_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned NumSlots   = 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  engine_req_t req_i /*verilator split_var*/,
  output engine_rsp_t rsp_o /*verilator split_var*/
);
  typedef ow_streams_t streams_t;

  streams_t     in_available, out_room, abort;
  logic         in_pop_ready, done_ready;
  ow_stream_t   cmd_stream;
  ow_command_t  command;
  logic [127:0] in_word;
  assign in_available = req_i.in_available;
  assign in_pop_ready = req_i.in_pop_ready;
  assign in_word      = req_i.in_word;
  assign out_room     = req_i.out_room;
  assign done_ready   = req_i.done_ready;
  assign abort        = req_i.abort;
  assign cmd_stream   = req_i.cmd_stream;
  assign command      = req_i.cmd;

  des_plan u_plan (.cmd_i(req_i.plan_command), .key_i(req_i.plan_key), .plan_o(rsp_o.plan));
  assign rsp_o.pop_wanted = '0;

  // ---- Keys.
  logic         key_read, key_word, keys_busy, keys_valid, start_pop;
  logic [7:0]   key_slot;
  logic [127:0] key;
  des_keys_t    new_keys;
  ow_stream_t   start_stream;
  streams_t     starting;
  assign rsp_o.key_load_refused = !known(req_i.key_load.kind) || req_i.key_load.bytes != key_bytes(req_i.key_load.kind);
  ow_key_store #(.NumSlots(NumSlots), .Words(2)) u_keys (
    .clk_i, .rst_ni,
    .ready_o(rsp_o.cmd_ready),
    .busy_o (keys_busy),
    .key_load_valid_i(req_i.key_load_valid), .key_load_ready_o(rsp_o.key_load_ready),
    .key_load_refuse_i(rsp_o.key_load_refused),
    .key_load_i       (req_i.key_load),
    .zeroise_valid_i  (req_i.zeroise_valid),
    .zeroise_all_i    (req_i.zeroise_all),
    .zeroise_slot_i   (req_i.zeroise_slot),
    .zeroise_ready_o  (rsp_o.zeroise_ready),
    .read_i           (key_read),
    .slot_i           (key_slot),
    .word_i           (key_word),
    .data_o           (key)
  );
  logic cmd, pop_q;                    // pop_q: requests a word of a stream that is running
  assign cmd = req_i.cmd_valid && rsp_o.cmd_ready;
  des_start u_start (
    .clk_i, .rst_ni,
    .cmd_valid_i   (cmd),
    .cmd_stream_i  (req_i.cmd_stream),
    .cmd_i         (req_i.cmd),
    .members_i     (req_i.owners),
    .in_available_i(req_i.in_available),
    .in_enough_i   (req_i.in_enough),
    .abort_i       (req_i.abort),
    .pop_o         (start_pop),
    .stream_o      (start_stream),
    .pop_ready_i   (req_i.in_pop_ready && !pop_q),
    .in_word_i     (req_i.in_word),
    .key_read_o    (key_read),
    .key_slot_o    (key_slot),
    .key_word_o    (key_word),
    .key_i         (key),
    .keys_valid_o  (keys_valid),
    .keys_o        (new_keys),
    .waiting_o     (starting)
  );

  // ---- The state of each stream. Each memory has one write port; `wipe` uses all of them in a cycle without writes.
  des_mode_t    mode_q [NumStreams];
  logic [63:0]  iv_q   [NumStreams];
  des_keys_t    keys_q [NumStreams];
  logic [127:0] word_q [NumStreams];   // the input word in use
  logic [63:0]  in_q   [NumStreams];   // the last block that entered
  logic [63:0]  out_q  [NumStreams];   // the last block that left
  logic [28:0]  left_q [NumStreams];   // blocks not yet popped
  logic [4:0]   pending_q [NumStreams];  // blocks in the ring and words in the queue after it
  logic [1:0]   halves_q [NumStreams]; // blocks left in the word
  streams_t     active_q, keyed_q, first_q, second_q, popping_q, more_q, serial_q, over_q;

  // ---- Inputs of the previous cycle.
  streams_t available_q, room_q, abort_q;
  always_ff @(posedge clk_i) begin
    available_q <= in_available;
    room_q      <= out_room;
    abort_q     <= abort;
  end

  // ---- Pops, for streams that have no block left; the starter waits while a pop is requested.
  streams_t   hungry, empty_q;
  logic       ending;                  // a job is over and must be wiped; no pop before that
  logic       pop_valid, pop_take, popped_q;
  ow_stream_t pop_next, pop_stream_q, popped_stream_q;
  assign hungry   = active_q & keyed_q & empty_q & more_q & ~popping_q & available_q & ~abort_q;
  assign pop_take = !pop_q && !start_pop && !ending;
  ow_fair_pick #(.Count(NumStreams), .Groups(NumOwners)) u_pop (
    .clk_i, .rst_ni, .request_i(hungry), .member_i(req_i.owners), .take_i(pop_take),
    .valid_o(pop_valid), .index_o(pop_next)
  );
  assign rsp_o.in_pop        = start_pop || pop_q;
  assign rsp_o.in_pop_stream = pop_q ? pop_stream_q : start_stream;

  // ---- Pick a stream with a block; the next place in the ring must be free.
  logic [3:0]  now_q, next;
  logic [15:0] going_q;                // places of blocks that need another pass
  streams_t    ready;
  logic        pick_valid, pick, may_enter;
  ow_stream_t  picked;
  logic        queue_space;
  assign next      = now_q + 4'd1;
  assign may_enter = !going_q[next] && queue_space;
  assign ready     = active_q & keyed_q & ~empty_q & ~serial_q & room_q & ~abort_q;
  // A block of TDES has its place for three passes.
  ow_owners_t owners;
  logic [NumOwners-1:0][2:0] passes;
  assign owners = req_i.owners;
  always_comb begin
    for (int q = 0; q < NumOwners; q++) begin
      passes[q] = !pick || !owners[q][picked] ? 3'd0 : mode_q[picked].tdes ? 3'd3 : 3'd1;
    end
  end
  ow_share_pick #(.Most(3), .Greatest(3)) u_turns (
    .clk_i, .rst_ni, .request_i(ready), .owners_i(owners), .take_i(pick), .spent_i(passes),
    .valid_o(pick_valid), .index_o(picked)
  );
  assign pick = may_enter && pick_valid && !ending;

  // ---- Enter.
  logic        enter_q, enter_half_q, enter_first_q;
  des_block_t  entering_q;
  logic [63:0] block, chain, ring_in, ring_out, mask, result;
  des_block_t  going, block_q [16];
  logic [63:0] mask_q [16];
  logic        ring_valid_in, ring_valid_out, again, leave;
  des_pkg::cd_t cd;
  logic         direction;
  ow_stream_t   key_stream;
  logic [1:0]   key_pass;
  des_mode_t    key_mode;
  assign going = block_q[now_q];
  assign again = ring_valid_out && going.mode.tdes && going.pass != 2'd2;
  assign leave = ring_valid_out && !again;

  always_comb begin
    block   = '0;
    chain   = '0;
    mask    = '0;
    ring_in = '0;
    if (enter_q) begin
      block = aes_pkg::swap64(enter_half_q ? word_q[entering_q.stream][127:64] : word_q[entering_q.stream][63:0]);
      if (entering_q.mode.cbc) begin
        chain = enter_first_q ? iv_q[entering_q.stream] :
                entering_q.mode.decrypt ? in_q[entering_q.stream] : out_q[entering_q.stream];
        if (entering_q.mode.decrypt) mask = chain;
      end
      ring_in = des_pkg::ip(entering_q.mode.decrypt ? block : block ^ chain);
    end else if (again) begin
      ring_in = {ring_out[31:0], ring_out[63:32]};
    end
  end
  assign ring_valid_in = enter_q || again;
  assign key_stream    = enter_q ? entering_q.stream : going.stream;
  assign key_mode      = enter_q ? entering_q.mode : going.mode;
  assign key_pass      = enter_q ? 2'd0 : going.pass + 2'd1;
  assign direction     = key_mode.decrypt ^ (key_pass == 2'd1);
  always_comb begin
    cd = '0;
    if (ring_valid_in) cd = keys_q[key_stream][key_mode.decrypt && key_mode.tdes ? 2'd2 - key_pass : key_pass];
  end
  des_ring u_ring (
    .clk_i, .rst_ni,
    .valid_i  (ring_valid_in),
    .block_i  (ring_in),
    .cd_i     (cd),
    .decrypt_i(direction),
    .valid_o  (ring_valid_out),
    .block_o  (ring_out)
  );

  // ---- Leave: blocks go into a queue, because another engine may use the port.
  typedef struct packed {
    ow_stream_t   stream;
    logic         last;
    logic [4:0]   bytes;
    logic [127:0] data;
  } word_t;
  localparam int unsigned QueueDepth = 32;  // sixteen blocks may be in the ring while sixteen places are used
  logic  queue_in, queue_ready, queue_out_valid, queue_out;
  word_t queue_word, head;
  logic [5:0] queued_q;
  always_comb begin
    result     = '0;
    queue_word = '0;
    if (leave) begin
      result = des_pkg::ip_inverse({ring_out[31:0], ring_out[63:32]}) ^ mask_q[now_q];
      queue_word = '{
        stream: going.stream, last: going.last, bytes: going.second ? 5'd16 : 5'd8,
        data: {aes_pkg::swap64(result), aes_pkg::swap64(going.second ? out_q[going.stream] : result)}
      };
    end
  end
  assign queue_in    = leave && (going.second || going.last);
  assign queue_space = queued_q < 6'd16;
  ow_fifo #(.T(word_t), .Depth(QueueDepth)) u_queue (
    .clk_i, .rst_ni,
    .in_valid_i (queue_in),
    .in_ready_o (queue_ready),
    .in_i       (queue_word),
    .out_valid_o(queue_out_valid),
    .out_ready_i(queue_out),
    .out_o      (head)
  );
  assign rsp_o.out_valid  = queue_out_valid && !abort[head.stream];
  assign rsp_o.out_stream = head.stream;
  assign rsp_o.out_data   = queue_out_valid ? head.data : '0;
  assign rsp_o.out_bytes  = head.bytes;
  assign queue_out    = queue_out_valid && (req_i.out_ready || abort[head.stream]);

  // CBC's chaining value is the last block that entered when deciphering, the last one that left when enciphering. The
  // block that left is also the first half of an output word.
  logic keep_in, keep_out;
  assign keep_in  = enter_q && entering_q.mode.cbc && entering_q.mode.decrypt;
  assign keep_out = leave && (!going.second || (going.mode.cbc && !going.mode.decrypt));

  // ---- The end of a job: wipe, then the result.
  streams_t     ended, given_up;
  logic         end_valid, wipe;
  ow_stream_t   end_stream;
  logic         result_q, result_aborted_q;
  ow_stream_t   result_stream_q;
  logic [63:0]  result_tag_q, end_tag;
  always_comb begin
    given_up = active_q & abort_q & ~starting & ~popping_q;
    if (given_up != '0) begin
      for (int i = 0; i < NumStreams; i++) if (pending_q[i] != '0) given_up[i] = 1'b0;
    end
    ended = (active_q & over_q) | given_up;
  end
  ow_fair_pick #(.Count(NumStreams), .Groups(NumOwners)) u_end (
    .clk_i, .rst_ni, .request_i(ended), .member_i(req_i.owners), .take_i(wipe),
    .valid_o(end_valid), .index_o(end_stream)
  );
  assign ending     = end_valid && !result_q;
  assign wipe       = ending && !keys_valid && !popped_q && !keep_in && !keep_out;
  always_comb begin
    end_tag = '0;
    if (wipe && mode_q[end_stream].cbc) begin
      end_tag = first_q[end_stream] ? iv_q[end_stream] :
                mode_q[end_stream].decrypt ? in_q[end_stream] : out_q[end_stream];
    end
  end
  assign rsp_o.done_valid  = result_q;
  assign rsp_o.done_stream = result_stream_q;
  assign rsp_o.done_status = result_aborted_q ? StAborted : StOk;
  assign rsp_o.done_tag    = {64'd0, aes_pkg::swap64(result_tag_q)};
  assign rsp_o.busy        = active_q != '0 || keys_busy || result_q;

  always_ff @(posedge clk_i) begin
    if (cmd) begin
      mode_q[cmd_stream] <= '{tdes: is_tdes(command.opcode), cbc: is_cbc(command.opcode), decrypt: command.decrypt};
      iv_q[cmd_stream]   <= aes_pkg::swap64(command.iv[63:0]);
    end
    if (keys_valid || wipe) keys_q[wipe ? end_stream : start_stream] <= wipe ? '0 : new_keys;
    if (popped_q || wipe) word_q[wipe ? end_stream : popped_stream_q] <= wipe ? '0 : in_word;
    if (keep_in || wipe) in_q[wipe ? end_stream : entering_q.stream] <= wipe ? '0 : block;
    if (keep_out || wipe) out_q[wipe ? end_stream : going.stream] <= wipe ? '0 : result;
    if (enter_q) mask_q[now_q] <= mask;
    if (wipe) begin
      result_stream_q  <= end_stream;
      result_aborted_q <= abort_q[end_stream];
      result_tag_q     <= abort_q[end_stream] ? '0 : end_tag;
    end
  end

  // ---- Control.
  logic [1:0] arriving;               // blocks of the popped word
  assign arriving = left_q[popped_stream_q] == 29'd1 ? 2'd1 : 2'd2;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q  <= '0;
      keyed_q   <= '0;
      popping_q <= '0;
      over_q    <= '0;
      going_q   <= '0;
      now_q     <= '0;
      queued_q  <= '0;
      enter_q   <= 1'b0;
      pop_q     <= 1'b0;
      popped_q  <= 1'b0;
      result_q  <= 1'b0;
      for (int i = 0; i < NumStreams; i++) pending_q[i] <= '0;
    end else begin
      now_q <= next;
      if (cmd) begin
        active_q[cmd_stream] <= 1'b1;
        keyed_q[cmd_stream]  <= 1'b0;
        first_q[cmd_stream]  <= 1'b1;
        second_q[cmd_stream] <= 1'b0;
        serial_q[cmd_stream] <= 1'b0;
        empty_q[cmd_stream]  <= 1'b1;
        over_q[cmd_stream]   <= 1'b0;
        more_q[cmd_stream]   <= command.length != '0;
        left_q[cmd_stream]   <= command.length[31:3];
      end
      if (keys_valid) begin
        keyed_q[start_stream] <= 1'b1;
        // A job without data is over when it has its key.
        if (!more_q[start_stream]) over_q[start_stream] <= 1'b1;
      end

      if (pop_q) begin
        pop_q <= !in_pop_ready;
      end else if (pop_take && pop_valid) begin
        pop_q               <= 1'b1;
        pop_stream_q        <= pop_next;
        popping_q[pop_next] <= 1'b1;
      end
      popped_q        <= pop_q && in_pop_ready;
      popped_stream_q <= pop_stream_q;
      if (popped_q) begin
        popping_q[popped_stream_q] <= 1'b0;
        empty_q[popped_stream_q]   <= 1'b0;
        halves_q[popped_stream_q]  <= arriving;
        left_q[popped_stream_q]    <= left_q[popped_stream_q] - 29'(arriving);
        more_q[popped_stream_q]    <= left_q[popped_stream_q] > 29'd2;
      end

      enter_q <= pick;
      if (pick) begin
        entering_q <= '{
          stream: picked, mode: mode_q[picked], pass: 2'd0, second: second_q[picked],
          last: !more_q[picked] && halves_q[picked] == 2'd1
        };
        enter_half_q     <= second_q[picked];
        enter_first_q    <= first_q[picked];
        first_q[picked]  <= 1'b0;
        second_q[picked] <= !second_q[picked];
        halves_q[picked] <= halves_q[picked] - 2'd1;
        empty_q[picked]  <= halves_q[picked] == 2'd1;
        serial_q[picked] <= mode_q[picked].cbc && !mode_q[picked].decrypt;
      end

      if (enter_q) begin
        block_q[now_q] <= entering_q;
        going_q[now_q] <= entering_q.mode.tdes;
      end else if (again) begin
        block_q[now_q].pass <= going.pass + 2'd1;
        going_q[now_q]      <= going.pass == 2'd0;
      end
      if (leave) serial_q[going.stream] <= 1'b0;

      queued_q <= queued_q + 6'(queue_in) - 6'(queue_out);
      if (pick || leave || queue_out) for (int i = 0; i < NumStreams; i++) begin
        pending_q[i] <= pending_q[i] + 5'(pick && picked == ow_stream_t'(i))
                        - 5'(leave && !queue_in && going.stream == ow_stream_t'(i))
                        - 5'(queue_out && head.stream == ow_stream_t'(i));
      end
      if (queue_out && head.last) over_q[head.stream] <= 1'b1;

      if (done_ready) result_q <= 1'b0;
      if (wipe) begin
        result_q             <= 1'b1;
        active_q[end_stream] <= 1'b0;
        over_q[end_stream]   <= 1'b0;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_never_overrun: assert (!queue_in || queue_ready);
  end
`endif
endmodule
