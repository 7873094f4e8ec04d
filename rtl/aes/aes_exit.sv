// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// EXIT and the stages after it: uops take effect here, in the order in which they were picked.
//
// A uop's controls and data wait in a small circular memory while its block passes the rounds (15 cycles).
//   EXIT   y = block or data; writes C (chain), D (hold), S (E(J0)) and L (lengths)
//   HASH   GHASH, hash keys
//   OUT    output word, tag; the job's result one cycle later
// `wake_*` announces, three cycles early, a uop that the stream's next uop waits for, so that ENTRY of the next uop is in
// the same cycle as EXIT of this one. `chain_o` and `hold_o` are C and D of `entry_stream_i`, with the update of this
// cycle.
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

  input  logic                  entry_valid_i,
  input  aes_exit_t             entry_i,
  input  logic [127:0]          entry_data_i,
  input  ow_stream_t            entry_stream_i,
  output logic [127:0]          chain_o,
  output logic [127:0]          hold_o,
  output logic [127:0]          mask_o,
  output logic [127:0]          hash_o,

  output logic                  wake_valid_o,
  output ow_stream_t            wake_stream_o,

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

  logic [3:0] next, soon;   // the places of the uops that exit in one cycle and in three
  assign next = now_q + 4'd2;
  assign soon = now_q + 4'd4;
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

  aes_exit_t waiting_soon;
  assign waiting_soon  = waiting_q[soon];
  assign wake_valid_o  = valid_q[soon] && waiting_soon.wakes;
  assign wake_stream_o = waiting_soon.stream;

  // ---- EXIT
  logic         x_valid_q;
  aes_exit_t    x_q;
  logic [127:0] x_data_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) x_valid_q <= 1'b0;
    else         x_valid_q <= valid_q[next];
  end
  always_ff @(posedge clk_i) begin
    if (valid_q[next]) begin
      x_q      <= waiting_q[next];
      x_data_q <= data_q[next];
    end
  end

  logic [127:0] chain_q [NumStreams];
  logic [127:0] hold_q [NumStreams];
  logic [127:0] mask_q [NumStreams];
  logic [63:0]  aad_length_q [NumStreams];
  logic [63:0]  payload_length_q [NumStreams];

  logic [127:0] y, y_masked, hold_d, chain_d;
  logic         chain_write, hold_write, mask_write;
  always_comb begin
    y        = '0;
    y_masked = '0;
    hold_d   = '0;
    chain_d  = '0;
    chain_write = 1'b0;
    hold_write  = 1'b0;
    mask_write  = 1'b0;
    if (x_valid_q) begin
      y = x_data_q;
      if (x_q.cipher) y = x_q.add ? block_i ^ x_data_q : block_i;
      y_masked    = first_bytes(y, x_q.bytes);
      if (x_q.last_bits != 3'd0) y_masked = y_masked & ~bits_behind(x_q.bytes, x_q.last_bits);
      chain_write = x_q.to_chain | x_q.done | x_q.to_length;
      chain_d     = x_q.to_chain ? y : '0;
      hold_write  = x_q.to_hold | x_q.done;
      if (x_q.to_hold) hold_d = x_q.hold_data ? x_data_q : y_masked;
      mask_write  = x_q.to_mask | x_q.done;
    end
  end

  always_ff @(posedge clk_i) begin
    if (chain_write) chain_q[x_q.stream] <= chain_d;
  end
  always_ff @(posedge clk_i) begin
    if (hold_write) hold_q[x_q.stream] <= hold_d;
  end
  always_ff @(posedge clk_i) begin
    if (mask_write) mask_q[x_q.stream] <= x_q.done ? '0 : y;
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

  // The values for ENTRY.
  always_comb begin
    chain_o = '0;
    hold_o  = '0;
    mask_o  = '0;
    if (entry_valid_i) begin
      chain_o = chain_q[entry_stream_i];
      hold_o  = hold_q[entry_stream_i];
      mask_o  = mask_q[entry_stream_i];
      if (x_q.stream == entry_stream_i) begin
        // The result of the rounds: ENTRY waits only for uops whose block passes them.
        if (chain_write) chain_o = block_i;
        if (hold_write) hold_o = hold_d;
        if (mask_write) mask_o = block_i;
      end
    end
  end

  // ---- HASH
  logic         h_valid_q;
  aes_exit_t    h_q;
  logic [127:0] h_y_q, h_block_q, h_expected_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) h_valid_q <= 1'b0;
    else         h_valid_q <= x_valid_q;
  end
  always_ff @(posedge clk_i) begin
    if (x_valid_q) begin
      h_q   <= x_q;
      h_y_q <= y_masked;
      if (x_q.done) begin
        unique case (x_q.tag)
          TagData:      h_y_q <= x_data_q;
          TagChain:     h_y_q <= chain_q[x_q.stream];
          TagHash:      h_y_q <= mask_q[x_q.stream];
          TagChainMask: h_y_q <= chain_q[x_q.stream] ^ mask_q[x_q.stream];
          default:      h_y_q <= '0;
        endcase
        if (x_q.verify) h_expected_q <= x_data_q;
      end
      if (x_q.out_chain) h_y_q <= chain_q[x_q.stream];
      if (x_q.out_length) h_y_q <= {payload_length, aad_length};
      if (x_q.hash) begin
        h_block_q <= x_q.hash_length ? {swap64(payload_length << 3), swap64(aad_length << 3)} :
                     x_q.hash_data   ? x_data_q : y_masked;
      end
    end
  end

  localparam int unsigned NumContexts = NumSlots + NumStreams;
  logic [127:0] hash, hash_key;
  logic         hash_valid, hash_block, hash_wipe, hash_key_write;
  assign hash_valid     = h_valid_q & (h_q.hash | h_q.done | h_q.out_hash | h_q.to_length | h_q.hash_wipe);
  assign hash_block     = h_q.hash & ~h_q.hash_load;
  assign hash_wipe      = h_q.done | h_q.to_length | h_q.hash_wipe;
  assign hash_key_write = h_valid_q & (h_q.to_hash_key | h_q.wipe_key);
  assign hash_key       = h_q.to_hash_key ? h_y_q : '0;
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
      .read_stream_i(entry_stream_i),
      .read_o       (hash_o),
      .key_write_i  (hash_key_write),
      .key_i        (hash_key)
    );
  end else begin : gen_pipelined
    aes_ghash #(.NumContexts(NumContexts)) u_ghash (
      .clk_i, .rst_ni,
      .valid_i      (hash_valid),
      .stream_i     (h_q.stream),
      .base_i       (h_q.base),
      .block_i      (h_block_q),
      .hash_i       (hash_block),
      .last_i       (h_q.hash_last),
      .load_i       (h_q.hash_load),
      .wipe_i       (hash_wipe),
      .y_o          (hash),
      .read_stream_i(entry_stream_i),
      .read_o       (hash_o),
      .key_write_i  (hash_key_write),
      .key_i        (hash_key)
    );
  end

  // ---- OUT
  logic         o_valid_q;
  aes_exit_t    o_q;
  logic [127:0] o_y_q, o_expected_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) o_valid_q <= 1'b0;
    else         o_valid_q <= h_valid_q & (h_q.out | h_q.done | h_q.key_unit);
  end
  always_ff @(posedge clk_i) begin
    if (h_valid_q && (h_q.out || h_q.done)) begin
      o_q   <= h_q;
      o_y_q <= h_y_q;
      if (h_q.out_hash) o_y_q <= hash;
      if (h_q.done && h_q.tag == TagHash) o_y_q <= h_y_q ^ hash;
      if (h_q.done) begin
        o_expected_q <= h_expected_q;
      end
    end else if (h_valid_q && h_q.key_unit) begin
      o_q <= h_q;
    end
  end

  assign out_valid_o  = o_valid_q & o_q.out & ~abort_i[o_q.stream];
  assign out_stream_o = o_q.stream;
  assign out_data_o   = o_y_q;
  assign out_bytes_o  = o_q.bytes;

  assign key_uop_done_o = o_valid_q & o_q.key_unit;

  // The whole tag is compared in one cycle.
  logic [127:0] tag;
  logic         refused;
  always_comb begin
    tag     = '0;
    refused = 1'b0;
    if (o_valid_q && o_q.done) begin
      tag     = first_bytes(o_y_q, o_q.bytes);
      refused = o_q.verify && tag != first_bytes(o_expected_q, o_q.bytes);
    end
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
      done_tag_o    <= (o_q.aborted || refused || o_q.tag == TagNone) ? '0 : tag;
      wipe_all_o    <= o_q.wipe_all_keys;
    end
  end
endmodule
