// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Private keys in slots: 64 bytes for each of the shell's slots, and places for RSA keys, which the job RSA_LOAD
// writes.
//
// A slot of the kind RSA_PRIVATE gets the first free place when it is loaded, and releases it when it is zeroised.
// RSA_LOAD writes the key and the lengths of its numbers to the place once; until then no other job can use the slot.
// Memory is wiped after reset, and the part of a slot when the slot is loaded or zeroised.
module pka_keys
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
  import pka_pkg::pka_threads_t;
  import pka_pkg::rsa_place_t;
#(
  parameter int unsigned NumSlots   = 32,
  parameter int unsigned RsaKeys    = 3,
  parameter int unsigned StoreWidth = 9,    // log2 of the words: 4 for each slot, 128 for each RSA key
  localparam int unsigned Places    = RsaKeys == 0 ? 1 : RsaKeys
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  key_load_valid_i,
  output logic                  key_load_ready_o,
  output logic                  key_load_refused_o,
  input  ow_key_load_t          key_load_i,
  input  logic                  zeroise_valid_i,
  input  logic                  zeroise_all_i,
  input  logic [7:0]            zeroise_slot_i,
  output logic                  zeroise_ready_o,
  input  pka_threads_t          wiping_i,       // the thread's operand memory is being wiped after a job

  output rsa_place_t [Places-1:0] places_o,
  // The content of a slot, combinational: for the job in progress.
  input  logic [7:0]            slot_i,
  output logic                  filled_o,
  output logic [StoreWidth-1:0] address_o,

  // RSA_LOAD: words of the key, then the lengths.
  input  logic                  write_i,
  output logic                  write_ready_o,
  input  logic [StoreWidth-1:0] write_address_i,
  input  logic [127:0]          write_word_i,
  input  logic                  fill_i,
  input  logic [63:0]           fill_lengths_i,

  input  logic                  read_i,
  input  logic [StoreWidth-1:0] read_address_i,
  output logic [127:0]          read_word_o,    // in the next cycle, and only then
  output logic                  busy_o
);
  localparam int unsigned SlotWords = 4;
  localparam int unsigned RsaWords  = 128;
  localparam int unsigned RsaBase   = SlotWords * NumSlots;
  localparam int unsigned PlaceWidth = Places > 1 ? $clog2(Places) : 1;
  typedef logic [StoreWidth-1:0] address_t;

  if (RsaBase + RsaWords * RsaKeys > 2**StoreWidth) begin : gen_check_store
    $error("pka_keys: %0d slots and %0d RSA keys do not fit %0d words.", NumSlots, RsaKeys, 2**StoreWidth);
  end

  // ---- Places of RSA keys.
  logic [Places-1:0] taken_q, filled_q;
  logic [7:0]        owner_q [Places];
  logic [Places-1:0][63:0] lengths_q;
  function automatic logic [Places-1:0] place_of(logic [7:0] slot);
    for (int p = 0; p < Places; p++) place_of[p] = taken_q[p] && owner_q[p] == slot;
  endfunction
  function automatic logic [PlaceWidth-1:0] index_of(logic [Places-1:0] places);
    index_of = '0;
    for (int p = Places - 1; p >= 0; p--) if (places[p]) index_of = PlaceWidth'(p);
  endfunction
  logic [Places-1:0] mine;
  assign mine           = place_of(slot_i);
  always_comb for (int p = 0; p < Places; p++) places_o[p] = '{taken_q[p], filled_q[p], owner_q[p], lengths_q[p]};
  assign filled_o       = |(mine & filled_q);
  function automatic address_t place_address(logic [PlaceWidth-1:0] place);
    return address_t'(RsaBase) + address_t'(place) * address_t'(RsaWords);
  endfunction
  assign address_o = |mine ? place_address(index_of(mine)) : address_t'(slot_i) * address_t'(SlotWords);

  // ---- Walks: write zeros, or the key that is being loaded, to a range.
  typedef enum logic [2:0] {Reset, Idle, Wipe, WipePlace, Load, Done} step_e;
  step_e      step_q;
  address_t   at_q;
  logic [6:0] count_q;
  logic       answered, loading_q, refused, loads_rsa;
  pka_threads_t owed_q;             // operand memory may still hold a key that is being zeroised
  logic [Places-1:0] target;
  logic [7:0] target_slot, first_slot;
  assign answered     = step_q == Done && owed_q == '0;
  assign first_slot   = zeroise_valid_i ? zeroise_slot_i : key_load_i.slot;
  assign target_slot  = loading_q ? key_load_i.slot : zeroise_slot_i;
  assign target       = place_of(target_slot);
  assign loads_rsa = key_load_i.kind == OpRsaPrivate;
  always_comb begin
    unique case (key_load_i.kind)
      OpRsaPrivate: refused = key_load_i.bytes != '0 || RsaKeys == 0 || &(taken_q | {Places{RsaKeys == 0}});
      OpEcSign, OpEcMultiply: refused = key_load_i.bytes != pka_pkg::curve_bytes(key_load_i.length);
      OpX25519: refused = 12'(key_load_i.bytes) != pka_pkg::Bytes25519 || key_load_i.length != '0;
      default:  refused = 1'b1;
    endcase
  end

  logic [511:0] key;
  assign key = {key_load_i.tweak_key, key_load_i.key};

  logic         walk_write;
  logic [127:0] walk_word;
  assign walk_write = step_q inside {Reset, Wipe, WipePlace, Load};
  // A made key has no bytes beyond the first 32.
  assign walk_word  = step_q == Load && !(key_load_i.made && count_q[1]) ? key[128*count_q[1:0]+:128] : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q    <= Reset;
      at_q      <= '0;
      taken_q   <= '0;
      filled_q  <= '0;
      loading_q <= 1'b0;
      owed_q    <= '0;
    end else begin
      owed_q    <= owed_q & wiping_i;
      if (fill_i && |mine) begin
        filled_q[index_of(mine)]  <= 1'b1;
        lengths_q[index_of(mine)] <= fill_lengths_i;
      end
      unique case (step_q)
        Reset: begin
          at_q <= at_q + 1'b1;
          if (&at_q) step_q <= zeroise_valid_i ? Done : Idle;
        end
        Idle: begin
          count_q   <= '0;
          loading_q <= !zeroise_valid_i && key_load_valid_i;
          owed_q    <= zeroise_valid_i ? wiping_i : '0;
          if (zeroise_valid_i && zeroise_all_i) begin
            step_q   <= Reset;
            at_q     <= '0;
            taken_q  <= '0;
            filled_q <= '0;
          end else if (zeroise_valid_i || key_load_valid_i) begin
            step_q <= Wipe;
            at_q   <= address_t'(first_slot) * address_t'(SlotWords);
          end
        end
        Wipe: begin
          at_q    <= at_q + 1'b1;
          count_q <= count_q + 1'b1;
          if (count_q == 7'(SlotWords - 1)) begin
            count_q <= '0;
            step_q  <= target != '0 ? WipePlace : loading_q ? Load : Done;
            at_q    <= target != '0 ? place_address(index_of(target)) : address_t'(target_slot) * address_t'(SlotWords);
          end
        end
        WipePlace: begin
          at_q    <= at_q + 1'b1;
          count_q <= count_q + 1'b1;
          if (count_q == 7'(RsaWords - 1)) begin
            taken_q  <= taken_q & ~target;
            filled_q <= filled_q & ~target;
            step_q   <= loading_q ? Load : Done;
            at_q     <= address_t'(target_slot) * address_t'(SlotWords);
          end
        end
        Load: begin
          at_q    <= at_q + 1'b1;
          count_q <= count_q + 1'b1;
          if (refused || count_q == 7'(SlotWords - 1)) step_q <= Done;
        end
        Done: if (owed_q == '0) begin
          step_q <= Idle;
          if (loading_q && loads_rsa && !refused) begin
            taken_q[index_of(~taken_q)] <= 1'b1;
            owner_q[index_of(~taken_q)] <= key_load_i.slot;
          end
        end
        default: step_q <= Idle;
      endcase
    end
  end
  assign key_load_ready_o   = answered && loading_q;
  assign key_load_refused_o = refused;
  assign zeroise_ready_o    = answered && !loading_q;
  assign busy_o             = step_q != Idle;
  assign write_ready_o      = !walk_write;

  // ---- The memory.
  ow_ram #(.Width(128), .Depth(2**StoreWidth)) u_store (
    .clk_i,
    .write_i        (walk_write || write_i),
    .write_address_i(walk_write ? at_q : write_address_i),
    .write_word_i   (walk_write ? (refused && step_q == Load ? '0 : walk_word) : write_word_i),
    .read_i         (1'b1),
    .clear_i        (!read_i),
    .read_address_i,
    .word_o         (read_word_o)
  );
endmodule
