// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Several engines behind one shell: hands out commands, keys and zeroises, and gives the shared ports to one at a time.
//
// The opcode's high digit names the engine, and so does that of a key's kind; keys of kind 0 are engine 0's. Where
// several engines ask for a port in the same cycle the lowest one has it: engine 0 never waits, the others hold what
// they ask until `ready`. What the shell tells every stream (words, room, aborts) goes past here to all engines.
module ow_engine_mux
  import ow_engine_pkg::*;
#(
  parameter int unsigned NumEngines = 2,
  // The high digits of each engine's opcodes, a bit a digit.
  parameter logic [NumEngines-1:0][15:0] Digits = '0
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  // The shell's side.
  input  logic                       cmd_valid_i,
  output logic                       cmd_ready_o,
  input  logic [7:0]                 cmd_opcode_i,
  output logic                       in_pop_o,
  output ow_stream_t                 in_pop_stream_o,
  output logic                       out_valid_o,
  output ow_stream_t                 out_stream_o,
  output logic [127:0]               out_data_o,
  output logic [4:0]                 out_bytes_o,
  output logic                       done_valid_o,
  output ow_stream_t                 done_stream_o,
  output logic [7:0]                 done_status_o,
  output logic [127:0]               done_tag_o,
  input  logic                       key_load_valid_i,
  input  logic [7:0]                 key_load_kind_i,
  output logic                       key_load_ready_o,
  output logic                       key_load_refused_o,
  input  logic                       zeroise_valid_i,
  output logic                       zeroise_ready_o,

  // The engines' side.
  output logic [NumEngines-1:0]      cmd_valid_o,
  input  logic [NumEngines-1:0]      cmd_ready_i,
  input  logic [NumEngines-1:0]      in_pop_i,
  output logic [NumEngines-1:0]      in_pop_ready_o,
  input  ow_stream_t                 in_pop_stream_i [NumEngines],
  input  logic [NumEngines-1:0]      out_valid_i,
  output logic [NumEngines-1:0]      out_ready_o,
  input  ow_stream_t                 out_stream_i [NumEngines],
  input  logic [127:0]               out_data_i [NumEngines],
  input  logic [4:0]                 out_bytes_i [NumEngines],
  input  logic [NumEngines-1:0]      done_valid_i,
  output logic [NumEngines-1:0]      done_ready_o,
  input  ow_stream_t                 done_stream_i [NumEngines],
  input  logic [7:0]                 done_status_i [NumEngines],
  input  logic [127:0]               done_tag_i [NumEngines],
  output logic [NumEngines-1:0]      key_load_valid_o,
  input  logic [NumEngines-1:0]      key_load_ready_i,
  input  logic [NumEngines-1:0]      key_load_refused_i,
  output logic [NumEngines-1:0]      zeroise_valid_o,
  input  logic [NumEngines-1:0]      zeroise_ready_i
);
  typedef logic [NumEngines-1:0] mask_t;

  // The lowest of those that ask.
  function automatic mask_t lowest(mask_t asking);
    return asking & (~asking + mask_t'(1));
  endfunction

  // ---- To one engine.
  mask_t cmd_for, key_for;
  always_comb begin
    for (int e = 0; e < NumEngines; e++) begin
      cmd_for[e] = cmd_valid_i && Digits[e][cmd_opcode_i[7:4]];
      key_for[e] = key_load_valid_i && (key_load_kind_i == '0 ? e == 0 : Digits[e][key_load_kind_i[7:4]]);
    end
  end
  assign cmd_valid_o        = cmd_for;
  assign cmd_ready_o        = |(cmd_for & cmd_ready_i);
  assign key_load_valid_o   = key_for;
  assign key_load_ready_o   = key_load_valid_i && (key_for == '0 || |(key_for & key_load_ready_i));
  assign key_load_refused_o = key_for == '0 || |(key_for & key_load_refused_i);

  // ---- To all engines: over when each has answered.
  mask_t zeroised_q, zeroised;
  assign zeroised        = zeroised_q | zeroise_ready_i;
  assign zeroise_valid_o = zeroise_valid_i ? ~zeroised_q : '0;
  assign zeroise_ready_o = zeroise_valid_i && &zeroised;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !zeroise_valid_i || zeroise_ready_o) zeroised_q <= '0;
    else zeroised_q <= zeroised;
  end

  // ---- From one engine at a time.
  assign in_pop_ready_o = lowest(in_pop_i);
  assign out_ready_o    = lowest(out_valid_i);
  assign done_ready_o   = lowest(done_valid_i);
  assign in_pop_o       = |in_pop_i;
  assign out_valid_o    = |out_valid_i;
  assign done_valid_o   = |done_valid_i;
  always_comb begin
    in_pop_stream_o = in_pop_stream_i[0];
    out_stream_o    = out_stream_i[0];
    out_data_o      = out_data_i[0];
    out_bytes_o     = out_bytes_i[0];
    done_stream_o   = done_stream_i[0];
    done_status_o   = done_status_i[0];
    done_tag_o      = done_tag_i[0];
    for (int e = 1; e < NumEngines; e++) begin
      if (in_pop_ready_o[e]) in_pop_stream_o = in_pop_stream_i[e];
      if (out_ready_o[e]) begin
        out_stream_o = out_stream_i[e];
        out_data_o   = out_data_i[e];
        out_bytes_o  = out_bytes_i[e];
      end
      if (done_ready_o[e]) begin
        done_stream_o = done_stream_i[e];
        done_status_o = done_status_i[e];
        done_tag_o    = done_tag_i[e];
      end
    end
  end
endmodule
