// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// EXEC: the two cycles after a uop was picked. In the first its word arrives; in the second the word's bytes are aligned,
// padded and compared, and have their effect.
//
// It stores for each lane: the residue (bytes that do not fill a slot yet; at the end the beginning of the result), the
// length of the message, and its error.
module hash_exec
  import hash_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter logic [15:0] Algorithms = '1   // built in, by the opcode's low digit
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          valid_i,
  input  hash_uop_t     uop_i,
  input  logic [127:0]  pop_word_i,
  input  logic [1663:0] row_i,
  input  logic [511:0]  key_i,         // of a key load
  input  logic          key_made_i,    // its second half is to be zeros
  input  logic          wipe_i,        // after reset: clear the residue of the lane
  input  hash_lane_t    wipe_lane_i,

  input  hash_lane_t    pick_lane_i,
  output logic [7:0]    partial_o,     // of that lane
  output logic [7:0]    partial_recent_o,   // of the uop's lane

  // The second cycle.
  output hash_uop_t     uop_o,
  output logic          feed_valid_o,
  output logic [127:0]  feed_word_o,
  output logic          put_o,
  output logic [127:0]  put_word_o,    // zero without `put_o`
  output logic          start_o,
  output logic          zero_o,
  output logic          write_o,       // one of put, start and zero

  // Words and results, in order.
  output logic          push_o,
  output logic          push_done_o,
  output logic [127:0]  push_data_o,
  output logic [7:0]    push_info_o,   // bytes of a word, or status of a result
  output logic          key_done_o
);
  logic [127:0] residue_q [NumLanes];
  logic [63:0]  count_q   [NumLanes];
  logic [7:0]   partial_q [NumStreams];   // the key lane loads no state
  logic [NumLanes-1:0] differs_q, bad_q, aborted_q;

  assign partial_o        = partial_q[pick_lane_i[StreamWidth-1:0]];
  assign partial_recent_o = partial_q[uop_i.lane[StreamWidth-1:0]];

  // ---- The first cycle.
  logic [127:0] word_d, word_q, put_q, expected_d, expected_q;   // put: the word for the store, or zero
  logic [15:0]  bytes;
  logic         valid_q, feeds_q, puts_q, starts_q, zeros_q, writes_q, ends_q;
  hash_uop_t    uop_q;
  logic [3:0]   turn_q;      // the word's bytes are rotated by these
  logic [15:0]  below_q;     // those that the residue has before them
  hash_word #(.Kmac(Algorithms[AlgShake128])) u_word (
    .valid_i, .uop_i, .pop_word_i, .row_i, .key_i, .key_made_i,
    .count_i   (count_q[uop_i.lane]),
    .word_o    (word_d),
    .expected_o(expected_d),
    .bytes_o   (bytes)
  );
  always_ff @(posedge clk_i) begin
    valid_q  <= rst_ni && valid_i;
    feeds_q  <= rst_ni && valid_i && uop_i.feed;
    puts_q   <= rst_ni && valid_i && uop_i.put;
    starts_q <= rst_ni && valid_i && uop_i.start;
    zeros_q  <= rst_ni && valid_i && uop_i.zero;
    writes_q <= rst_ni && valid_i && (uop_i.put || uop_i.start || uop_i.zero);
    ends_q   <= rst_ni && valid_i && uop_i.done;
    for (int i = 0; i < 16; i++) begin
      if (!rst_ni || !bytes[i]) begin
        word_q[8*i +: 8]     <= '0;
        expected_q[8*i +: 8] <= '0;
      end else begin
        word_q[8*i +: 8]     <= word_d[8*i +: 8];
        expected_q[8*i +: 8] <= expected_d[8*i +: 8];
      end
      put_q[8*i +: 8] <= rst_ni && bytes[i] && uop_i.put ? word_d[8*i +: 8] : '0;
    end
    if (valid_i) begin
      uop_q  <= uop_i;
      turn_q <= uop_i.merge ? uop_i.fill : '0;
      for (int i = 0; i < 16; i++) below_q[i] <= uop_i.merge && 4'(i) < uop_i.fill;
    end
  end

  // ---- The second cycle.
  hash_traits_t of;
  logic [7:0]   block;
  logic [63:0]  count, length;
  logic [127:0] residue, residue_d, full;
  logic         residue_write, unequal, too_long;
  logic [7:0]   status;
  logic [127:0] slot_word;

  // The bytes behind those of the residue; what does not fit goes on in `high`. A uop that pads has no bytes. `keep`: yosys
  // makes more LUTs of one large multiplexer.
  logic [127:0] placed, rotated;
  (* keep *) logic [127:0] low, high;
  assign residue = residue_q[uop_q.lane];
  assign placed  = {word_q[127:8], uop_q.mark ? padding_byte(uop_q.alg, uop_q.keyed) : word_q[7:0]};
  ow_rotate u_rotate (.value_i(placed), .bytes_i(turn_q), .value_o(rotated));
  always_comb begin
    low  = uop_q.merge ? residue : '0;
    high = '0;
    for (int i = 0; i < 16; i++) begin
      if (below_q[i]) high[8*i +: 8] = rotated[8*i +: 8];
      else low[8*i +: 8] |= rotated[8*i +: 8];
    end
  end

  always_comb begin
    of            = '0;
    block         = '0;
    count         = '0;
    length        = '0;
    full          = '0;
    residue_d     = '0;
    slot_word     = '0;
    residue_write = 1'b0;
    unequal       = 1'b0;
    too_long      = 1'b0;
    status        = StOk;
    if (valid_q) begin
      of      = traits(uop_q.alg);
      block   = block_bytes(of);

      // The total length of the message: with a key, one block more; that of the outer hash is constant.
      if (uop_q.start) length = (uop_q.keyed && of.digest != '0) ? 64'(block) : '0;
      if (uop_q.count) length = word_q[63:0];
      too_long = length[63:61] != '0;
      length  += 64'(uop_q.number);
      too_long |= length[63:61] != '0;
      count    = uop_q.outer ? 64'(block) + 64'(of.digest) : count_q[uop_q.lane];

      full = low;
      if (uop_q.finish) begin
        if (of.family != FamilyKeccak) full[127:64] = swap64(count << 3);
        else if (uop_q.half) full[63] = 1'b1;
        else full[127] = 1'b1;
      end
      slot_word = uop_q.half ? 128'(full[63:0]) : full;

      residue_write = uop_q.merge || uop_q.keep || uop_q.done;
      if (uop_q.keep) residue_d = word_q;
      else if (!uop_q.merge || uop_q.flush) residue_d = '0;
      else if (!(uop_q.feed || uop_q.out)) residue_d = low;
      else residue_d = uop_q.half ? {high[63:0], low[127:64]} : high;

      unequal = uop_q.check && word_q != expected_q;
      status  = aborted_q[uop_q.lane] ? StAborted : bad_q[uop_q.lane] ? StBadLength
                : differs_q[uop_q.lane] ? StAuthFailed : StOk;
    end
  end

  always_ff @(posedge clk_i) begin
    if (residue_write || wipe_i) residue_q[wipe_i ? wipe_lane_i : uop_q.lane] <= residue_d;
    if (valid_q && (uop_q.start || uop_q.count)) count_q[uop_q.lane] <= length;
    if (valid_q && uop_q.count) begin
      partial_q[uop_q.lane[StreamWidth-1:0]] <= word_q[71:64] < block ? word_q[71:64] : '0;
    end
    if (!rst_ni) begin
      differs_q <= '0;
      bad_q     <= '0;
      aborted_q <= '0;
    end else if (valid_q) begin
      if (uop_q.start) begin
        differs_q[uop_q.lane] <= 1'b0;
        bad_q[uop_q.lane]     <= 1'b0;
        aborted_q[uop_q.lane] <= 1'b0;
      end
      if (uop_q.aborted) aborted_q[uop_q.lane] <= 1'b1;
      if (unequal) differs_q[uop_q.lane] <= 1'b1;
      if ((uop_q.count && word_q[71:64] >= block)
          || ((uop_q.start || uop_q.count) && too_long && of.family != FamilyKeccak)) begin
        bad_q[uop_q.lane] <= 1'b1;
      end
    end
  end

  assign uop_o        = uop_q;
  assign feed_valid_o = feeds_q;
  assign feed_word_o  = slot_word;
  assign put_o        = puts_q;
  assign put_word_o   = put_q;
  assign start_o      = starts_q;
  assign zero_o       = zeros_q;
  assign write_o      = writes_q;
  assign push_o       = valid_q && (uop_q.out || uop_q.done) && uop_q.lane != KeyLane;
  assign push_done_o  = uop_q.done;
  assign push_data_o  = uop_q.done ? (status == StOk ? residue : '0) : slot_word;
  assign push_info_o  = uop_q.done ? status : bad_q[uop_q.lane] ? '0 : uop_q.merge ? 8'd16 : 8'(uop_q.bytes);
  assign key_done_o   = ends_q && uop_q.lane == KeyLane;
endmodule
