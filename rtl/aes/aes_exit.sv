// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// EXIT and the stages after it: uops take effect here, in the order in which they were picked.
//
// A uop's controls and data wait in a small circular memory while its block passes the rounds (15 cycles).
//   EXIT   y = block or data; writes C (chain), D (hold), S (E(J0)) and L (lengths)
//   HASH   GHASH, hash keys
//   OUT    output word, tag; the job's result one cycle later
// `wake_*` announces, four cycles early, a uop that the stream's next uop waits for, so that ENTRY of the next uop is in
// the same cycle as EXIT of this one; `late_wake_*` two cycles later, so that it is in WORD when S has been written.
// `chain_o` and `hold_o` are C and D of the stream in ENTRY, with the update of this cycle; `mask_o` and `hash_o` are S and
// Y of the stream in WORD.
module aes_exit
  import aes_pkg::*;
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned NumSlots   = 32,
  parameter int unsigned HashCycles = 1     // of GHASH for a block; more than 1: aes_ghash_serial
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  word_valid_i,
  input  ow_stream_t            word_stream_i,
  input  logic                  word_mask_i,     // the uop reads S
  output logic [127:0]          mask_o,
  output logic [127:0]          hash_o,

  input  logic                  entry_valid_i,
  input  aes_exit_t             entry_i,
  input  logic [127:0]          entry_data_i,
  output logic [127:0]          chain_o,
  output logic [127:0]          hold_o,

  output logic                  wake_valid_o,
  output ow_stream_t            wake_stream_o,
  output logic                  late_wake_valid_o,
  output ow_stream_t            late_wake_stream_o,

  input  logic [127:0]          block_i,

  input  logic [NumStreams-1:0] abort_i,
  output logic                  out_valid_o,
  output ow_stream_t            out_stream_o,
  output logic [127:0]          out_data_o,
  output logic [4:0]            out_bytes_o,

  output logic                  done_valid_o,
  output ow_stream_t            done_stream_o,
  output logic [7:0]            done_status_o,
  output logic [127:0]          done_tag_o,
  output logic                  wipe_valid_o,
  output logic                  wipe_all_o,
  output logic                  key_uop_done_o
);

  // ---- The delay: written at ENTRY, read in the cycle in which the block is in its last register.
  logic [3:0]   now_q;
  logic [15:0]  valid_q;
  aes_exit_t    waiting_q [16];
  logic [127:0] data_q [16];

  logic [3:0] next, late, soon;   // the places of the uops that exit in one cycle, in three and in five
  assign next = now_q + 4'd2;
  assign late = now_q + 4'd4;
  assign soon = now_q + 4'd6;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      now_q   <= '0;
      valid_q <= '0;
    end else begin
      now_q          <= now_q + 4'd1;
      valid_q[now_q] <= entry_valid_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (entry_valid_i) begin
      waiting_q[now_q] <= entry_i;
      data_q[now_q]    <= entry_data_i;
    end
  end

  // Looked up a cycle before they are announced.
  aes_exit_t waiting_soon, waiting_late;
  assign waiting_soon = waiting_q[soon];
  assign waiting_late = waiting_q[late];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {wake_valid_o, late_wake_valid_o} <= '0;
    else begin
      wake_valid_o      <= valid_q[soon] && waiting_soon.wakes;
      late_wake_valid_o <= valid_q[late] && waiting_late.wakes_late;
    end
    if (valid_q[soon]) wake_stream_o <= waiting_soon.stream;
    if (valid_q[late]) late_wake_stream_o <= waiting_late.stream;
  end

  // ---- EXIT
  logic         x_valid_q, forward_chain_q, forward_hold_q;   // to the uop in ENTRY
  logic         x_adds_q;    // the data are part of y
  logic [15:0]  x_bytes_q;   // those of `bytes`
  aes_exit_t    x_q, waiting_next;
  logic [127:0] x_data_q;
  assign waiting_next = waiting_q[next];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) x_valid_q <= 1'b0;
    else         x_valid_q <= valid_q[next];
  end
  always_ff @(posedge clk_i) begin
    if (valid_q[next]) begin
      x_q       <= waiting_next;
      x_data_q  <= data_q[next];
      // Of a uop that wipes y is zero.
      x_adds_q  <= waiting_next.cipher ? waiting_next.add : !waiting_next.done && !waiting_next.to_length;
      x_bytes_q <= first_bytes(waiting_next.bytes);
    end
    forward_chain_q <= valid_q[next] && waiting_next.to_chain && waiting_next.stream == word_stream_i;
    forward_hold_q  <= valid_q[next] && waiting_next.to_hold && waiting_next.stream == word_stream_i;
  end

  logic [127:0] chain_q [NumStreams];
  logic [127:0] hold_q [NumStreams];
  logic [127:0] mask_q [NumStreams];
  logic [63:0]  aad_length_q [NumStreams];
  logic [63:0]  payload_length_q [NumStreams];

  logic [127:0] y, y_first, chain_now, mask_now, hold_d;
  always_comb begin
    {y, y_first, chain_now, mask_now, hold_d} = 'x;
    if (x_valid_q) begin
      y         = when(x_q.cipher, block_i) ^ when(x_adds_q, x_data_q);
      y_first   = only_bytes(y, x_bytes_q);
      chain_now = chain_q[x_q.stream];
      mask_now  = mask_q[x_q.stream];
      hold_d    = x_q.hold_data ? x_data_q : y_first;
    end
  end

  always_ff @(posedge clk_i) begin
    if (x_valid_q && (x_q.to_chain || x_q.done || x_q.to_length)) chain_q[x_q.stream] <= y;
  end
  always_ff @(posedge clk_i) begin
    if (x_valid_q && (x_q.to_hold || x_q.done)) hold_q[x_q.stream] <= hold_d;
  end
  always_ff @(posedge clk_i) begin
    if (x_valid_q && (x_q.to_mask || x_q.done)) mask_q[x_q.stream] <= y;
  end

  logic [63:0] aad_length, payload_length;
  assign aad_length     = aad_length_q[x_q.stream];
  assign payload_length = payload_length_q[x_q.stream];
  always_ff @(posedge clk_i) begin
    if (x_valid_q && (x_q.to_length || x_q.add_length)) begin
      aad_length_q[x_q.stream]     <= x_data_q[63:0] + (x_q.add_length ? aad_length : '0);
      payload_length_q[x_q.stream] <= x_data_q[127:64] + (x_q.add_length ? payload_length : '0);
    end
  end

  // The values for ENTRY and for WORD.
  always_comb begin
    {chain_o, hold_o, mask_o} = 'x;
    if (entry_valid_i) begin
      // The result of the rounds: ENTRY waits only for uops whose block passes them.
      chain_o = forward_chain_q ? block_i : chain_q[entry_i.stream];
      hold_o  = forward_hold_q ? hold_d : hold_q[entry_i.stream];
    end
    if (word_valid_i) mask_o = mask_q[word_stream_i];
  end

  // ---- HASH
  logic         h_valid_q;
  aes_exit_t    h_q;
  logic [15:0]  h_end_q;      // the last byte of a radio message
  logic [7:0]   h_bits_q;     // its bits that belong to the message
  logic [127:0] h_y_q, h_block_q, h_expected_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) h_valid_q <= 1'b0;
    else         h_valid_q <= x_valid_q;
  end
  always_ff @(posedge clk_i) begin
    if (x_valid_q) begin
      h_q      <= x_q;
      h_end_q  <= x_q.last_bits == 3'd0 ? '0 : x_bytes_q & ~{1'b0, x_bytes_q[15:1]};
      h_bits_q <= ~(8'hff >> x_q.last_bits);
      h_y_q    <= y_first ^ when(x_q.done && x_q.tag == TagData, x_data_q)
                ^ when(x_q.out_chain || (x_q.done && x_q.tag inside {TagChain, TagChainMask}), chain_now)
                ^ when(x_q.done && x_q.tag inside {TagHash, TagChainMask}, mask_now)
                ^ when(x_q.out_length, {payload_length, aad_length});
      if (x_q.done && x_q.verify) h_expected_q <= x_data_q;
      // Zero wipes the hash key of an inline key.
      if (x_q.hash || x_q.to_hash_key || x_q.wipe_key) begin
        h_block_q <= x_q.hash_length ? {swap64(payload_length << 3), swap64(aad_length << 3)} :
                     x_q.hash_data   ? x_data_q : y_first;
      end
    end
  end

  localparam int unsigned NumContexts = NumSlots + NumStreams;
  logic [127:0] hash;
  logic         hash_valid, hash_block, hash_wipe, hash_key_write;
  assign hash_valid     = h_valid_q & (h_q.hash | h_q.done | h_q.out_hash | h_q.to_length | h_q.hash_wipe);
  assign hash_block     = h_q.hash & ~h_q.hash_load;
  assign hash_wipe      = h_q.done | h_q.to_length | h_q.hash_wipe;
  assign hash_key_write = h_valid_q & (h_q.to_hash_key | h_q.wipe_key);
  if (HashCycles > 1) begin : gen_serial
    aes_ghash_serial #(.NumContexts(NumContexts), .Cycles(HashCycles)) u_ghash (
      .clk_i, .rst_ni,
      .valid_i      (hash_valid),
      .stream_i     (h_q.stream),
      .base_i       (h_q.base),
      .block_i      (h_block_q),
      .hash_i       (hash_block),
      .load_i       (h_q.hash_load),
      .wipe_i       (hash_wipe),
      .y_o          (hash),
      .read_stream_i(word_stream_i),
      .read_o       (hash_o),
      .key_write_i  (hash_key_write),
      .key_i        (h_block_q)
    );
  end else begin : gen_pipelined
    aes_ghash #(.NumContexts(NumContexts)) u_ghash (
      .clk_i, .rst_ni,
      .next_valid_i (x_valid_q),
      .next_hash_i  (x_q.hash & ~x_q.hash_load),
      .next_stream_i(x_q.stream),
      .next_base_i  (x_q.base),
      .next_last_i  (x_q.hash_last),
      .valid_i      (hash_valid),
      .stream_i     (h_q.stream),
      .base_i       (h_q.base),
      .block_i      (h_block_q),
      .hash_i       (hash_block),
      .last_i       (h_q.hash_last),
      .load_i       (h_q.hash_load),
      .wipe_i       (hash_wipe),
      .y_o          (hash),
      .read_stream_i(word_stream_i),
      .read_o       (hash_o),
      .key_write_i  (hash_key_write),
      .key_i        (h_block_q)
    );
  end

  // ---- OUT
  logic         o_valid_q, o_out_q;
  aes_exit_t    o_q;
  logic [15:0]  o_bytes_q;
  logic [127:0] h_out, o_y_q, o_expected_q;
  always_comb begin
    h_out = 'x;
    if (h_valid_q) begin
      for (int i = 0; i < 16; i++) h_out[8*i +: 8] = h_y_q[8*i +: 8] & (h_bits_q | {8{~h_end_q[i]}});
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {o_valid_q, o_out_q} <= '0;
    else begin
      o_valid_q <= h_valid_q & (h_q.out | h_q.done | h_q.key_unit);
      o_out_q   <= h_valid_q & h_q.out & ~abort_i[h_q.stream];
    end
  end
  always_ff @(posedge clk_i) begin
    if (h_valid_q) o_q <= h_q;
    if (h_valid_q && (h_q.out || h_q.done)) begin
      o_bytes_q    <= first_bytes(h_q.bytes);
      o_y_q        <= h_out ^ when(h_q.out_hash || (h_q.done && h_q.tag == TagHash), hash);
      o_expected_q <= h_expected_q;
    end
  end

  assign out_valid_o  = o_out_q;
  assign out_stream_o = o_q.stream;
  assign out_data_o   = o_y_q;
  assign out_bytes_o  = o_q.bytes;

  assign key_uop_done_o = o_valid_q & o_q.key_unit;

  // The whole tag is compared in one cycle.
  logic refused;
  always_comb begin
    refused = 1'bx;
    if (o_valid_q && o_q.done) refused = o_q.verify && only_bytes(o_y_q ^ o_expected_q, o_bytes_q) != '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_valid_o <= 1'b0;
      wipe_valid_o <= 1'b0;
    end else begin
      done_valid_o <= o_valid_q & o_q.done;
      wipe_valid_o <= o_valid_q & o_q.done & o_q.wipe_key;
    end
  end
  always_ff @(posedge clk_i) begin
    if (o_valid_q && o_q.done) begin
      done_stream_o <= o_q.stream;
      done_status_o <= o_q.aborted ? StAborted : refused ? StAuthFailed : StOk;
      for (int i = 0; i < 16; i++) begin
        // A reset of the byte, without a LUT for each of its bits.
        if (o_q.aborted || refused || o_q.tag == TagNone || !o_bytes_q[i]) done_tag_o[8*i +: 8] <= '0;
        else done_tag_o[8*i +: 8] <= o_y_q[8*i +: 8];
      end
      wipe_all_o    <= o_q.wipe_all_keys;
    end
  end

`ifndef SYNTHESIS
  // A uop in WORD reads S only when no other of its stream is on its way to write it.
  logic [NumStreams-1:0] mask_comes_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) mask_comes_q <= '0;
    else begin
      if (x_valid_q && x_q.to_mask) mask_comes_q[x_q.stream] <= 1'b0;
      if (entry_valid_i && entry_i.to_mask) mask_comes_q[entry_i.stream] <= 1'b1;
      a_subkey_is_there: assert (!(word_valid_i && word_mask_i && mask_comes_q[word_stream_i]));
    end
  end
`endif
endmodule
