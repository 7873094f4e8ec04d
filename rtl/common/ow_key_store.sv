// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Keys of all slots as they came, for an engine that derives nothing from them: one memory with one read port.
//
// A slot has `Words` words of 128 bits, in the order of the key's bytes. After reset, and when asked to zeroise, the
// memory is walked with zeros; `ready_o` is low until the first walk is over. Requests are held until their one-cycle
// ready, which says that the work is done. A refused load leaves zeros.
module ow_key_store
  import ow_engine_pkg::*;
#(
  parameter int unsigned NumSlots = 32,   // a power of two
  parameter int unsigned Words    = 4,    // 1, 2 or 4
  localparam int unsigned SlotWidth = $clog2(NumSlots),
  localparam int unsigned WordWidth = Words > 1 ? $clog2(Words) : 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  output logic                 ready_o,
  output logic                 busy_o,

  input  logic                 key_load_valid_i,
  output logic                 key_load_ready_o,
  input  logic                 key_load_refuse_i,
  input  ow_key_load_t         key_load_i,
  input  logic                 zeroise_valid_i,
  input  logic                 zeroise_all_i,
  input  logic [7:0]           zeroise_slot_i,
  output logic                 zeroise_ready_o,

  input  logic                 read_i,
  input  logic [7:0]           slot_i,
  input  logic [WordWidth-1:0] word_i,
  output logic [127:0]         data_o       // in the next cycle, and only then
);
  if (Words != 1 && Words != 2 && Words != 4) begin : gen_check_words
    $error("ow_key_store: Words is %0d; it must be 1, 2 or 4.", Words);
  end

  typedef enum logic [1:0] {Walk, Idle, Load, Ready} state_e;
  localparam int unsigned AddressWidth = SlotWidth + $clog2(Words);
  state_e                  state_q;
  logic                    started_q, loading_q;
  logic [AddressWidth-1:0] address_q, last_q;

  localparam logic [AddressWidth-1:0] WordMask = AddressWidth'(Words - 1);
  function automatic logic [127:0] part(ow_key_load_t load, logic [1:0] word);
    unique case (word)
      2'd0:    return load.key[127:0];
      2'd1:    return load.key[255:128];
      2'd2:    return load.made ? '0 : load.tweak_key[127:0];
      default: return load.made ? '0 : load.tweak_key[255:128];
    endcase
  endfunction

  assign ready_o          = started_q;
  assign busy_o           = state_q != Idle;
  assign key_load_ready_o = state_q == Ready && loading_q;
  assign zeroise_ready_o  = state_q == Ready && !loading_q && started_q;

  ow_ram #(.Width(128), .Depth(NumSlots * Words)) u_words (
    .clk_i,
    .write_i        (state_q == Walk || state_q == Load),
    .write_address_i(address_q),
    .write_word_i   (state_q == Load && !key_load_refuse_i ? part(key_load_i, 2'(address_q & WordMask)) : '0),
    .read_i         (1'b1),
    .clear_i        (!read_i),
    .read_address_i (AddressWidth'(slot_i) * AddressWidth'(Words) + AddressWidth'(word_i)),
    .word_o         (data_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= Walk;
      started_q <= 1'b0;
      loading_q <= 1'b0;
      address_q <= '0;
      last_q    <= '1;
    end else begin
      unique case (state_q)
        Walk, Load: begin
          address_q <= address_q + 1'b1;
          if (address_q == last_q) begin
            state_q   <= started_q ? Ready : Idle;
            started_q <= 1'b1;
          end
        end
        Idle: begin
          loading_q <= !zeroise_valid_i;
          if (zeroise_valid_i && zeroise_all_i) begin
            state_q   <= Walk;
            address_q <= '0;
            last_q    <= '1;
          end else if (zeroise_valid_i || key_load_valid_i) begin
            state_q   <= zeroise_valid_i ? Walk : Load;
            address_q <= AddressWidth'(zeroise_valid_i ? zeroise_slot_i : key_load_i.slot) * AddressWidth'(Words);
            last_q    <= AddressWidth'(zeroise_valid_i ? zeroise_slot_i : key_load_i.slot) * AddressWidth'(Words)
                         | WordMask;
          end
        end
        default: state_q <= Idle;
      endcase
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_read_after_the_first_walk: assert (!read_i || ready_o);
  end
`endif
endmodule
