// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Private keys in slots: the seed of each, and the expanded form of the one that was used last, so that a key which is
// used again is not expanded again.
//
// A slot holds d and z of ML-KEM (64 bytes, kind MLKEM_DECAPSULATE), or xi of ML-DSA (32 bytes, kind MLDSA_SIGN). The
// expanded form is what a job brings inline: dk or sk. It is wiped when another one is to come, when its slot is loaded
// or zeroised, and when the job that was making it ends early; words that come meanwhile wait. A load or a zeroise is
// answered when seed and expanded form are gone, and what the engine last worked with too.
module lattice_keys
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned NumSlots = 32
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic         busy_o,

  input  logic         key_load_valid_i,
  output logic         key_load_ready_o,
  output logic         key_load_refused_o,
  input  ow_key_load_t key_load_i,
  input  logic         zeroise_valid_i,
  input  logic         zeroise_all_i,
  input  logic [7:0]   zeroise_slot_i,
  output logic         zeroise_ready_o,
  input  logic         wiping_i,        // what a job has left in the engine is being wiped

  // The job's key.
  input  logic [7:0]   slot_i,
  output logic         expanded_o,      // its expanded form is here
  input  logic         fill_begin_i,    // its expanded form will come: `fill_valid_i` with `fill_ready_o`
  input  logic         fill_valid_i,
  output logic         fill_ready_o,
  input  logic [127:0] fill_word_i,
  input  logic         fill_end_i,      // it has come
  input  logic         fill_drop_i,     // it will not come

  input  logic         read_i,
  input  logic         read_expanded_i, // not the seed
  input  logic [8:0]   read_at_i,
  output logic [127:0] word_o           // in the next cycle, and only then
);
  // ---- Loads and zeroises: first the expanded form, then the seed.
  logic request, mine, hold_q, begin_request, wiping_q, passes, refused, store_busy, expanded_q, ready;
  logic [7:0] owner_q, request_slot;
  assign request       = zeroise_valid_i || key_load_valid_i;
  assign request_slot  = zeroise_valid_i ? zeroise_slot_i : key_load_i.slot;
  assign mine          = request_slot == owner_q || (zeroise_valid_i && zeroise_all_i);
  assign begin_request = request && !hold_q && ready;
  assign passes        = hold_q && !wiping_q && !wiping_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_load_ready_o || zeroise_ready_o) hold_q <= 1'b0;
    else if (begin_request) hold_q <= 1'b1;
  end

  always_comb begin
    unique case (key_load_i.kind)
      OpMlkemDecapsulate: refused = key_load_i.bytes != 7'd64;
      OpMldsaSign:        refused = key_load_i.bytes != 7'd32;
      default:            refused = 1'b1;
    endcase
    if (key_load_i.length == 2'd3) refused = 1'b1;
  end
  assign key_load_refused_o = refused;

  logic [127:0] seed_word;
  ow_key_store #(.NumSlots(NumSlots), .Words(4)) u_seeds (
    .clk_i, .rst_ni,
    .ready_o          (ready),
    .busy_o           (store_busy),
    .key_load_valid_i (key_load_valid_i && passes),
    .key_load_ready_o,
    .key_load_refuse_i(refused),
    .key_load_i,
    .zeroise_valid_i  (zeroise_valid_i && passes),
    .zeroise_all_i, .zeroise_slot_i, .zeroise_ready_o,
    .read_i           (read_i && !read_expanded_i),
    .slot_i,
    .word_i           (read_at_i[1:0]),
    .data_o           (seed_word)
  );

  // ---- The expanded form: 306 words at most.
  localparam int unsigned Words = 512;
  logic [127:0] expanded_word;
  logic [8:0]   wipe_q, fill_q;
  logic         dirty_q, fills;
  assign expanded_o   = expanded_q && owner_q == slot_i;
  assign fill_ready_o = !wiping_q;
  assign fills        = fill_valid_i && fill_ready_o;
  assign busy_o       = store_busy || wiping_q || hold_q;
  assign word_o       = expanded_word | seed_word;   // one of them is zero
  ow_ram #(.Width(128), .Depth(Words)) u_expanded (
    .clk_i,
    .write_i        (wiping_q || fills),
    .write_address_i(wiping_q ? wipe_q : fill_q),
    .write_word_i   (wiping_q ? '0 : fill_word_i),
    .read_i         (1'b1),
    .clear_i        (!read_i || !read_expanded_i),
    .read_address_i (read_at_i),
    .word_o         (expanded_word)
  );
  always_ff @(posedge clk_i) begin
    if (fill_begin_i) begin
      fill_q  <= '0;
      owner_q <= slot_i;
    end else if (fills) begin
      fill_q <= fill_q + 9'd1;
    end
    if (!rst_ni) begin
      wiping_q   <= 1'b1;
      wipe_q     <= '0;
      dirty_q    <= 1'b0;
      expanded_q <= 1'b0;
    end else begin
      if (wiping_q) wipe_q <= wipe_q + 9'd1;
      if (&wipe_q) wiping_q <= 1'b0;
      dirty_q <= dirty_q || fills;
      if (fill_end_i) expanded_q <= 1'b1;
      if ((fill_begin_i && dirty_q) || fill_drop_i || (begin_request && mine && expanded_q)) begin
        wiping_q   <= 1'b1;
        wipe_q     <= '0;
        dirty_q    <= 1'b0;
        expanded_q <= 1'b0;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_fills_what_was_begun: assert (!fills || (!expanded_q && !fill_begin_i));
    a_key_that_is_read_is_there: assert (!(read_i && read_expanded_i) || expanded_o);
  end
`endif
endmodule
