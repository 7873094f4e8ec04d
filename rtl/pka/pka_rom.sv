// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The programs and the constants of curves, for all threads: block RAMs with a port for each.
//
// The output has the word from the cycle after a read until the next read.
module pka_rom
  import pka_pkg::*;
  import pka_rom_pkg::*;
(
  input  logic                       clk_i,
  input  pka_threads_t               fetch_i,
  input  logic [Threads-1:0][10:0]   fetch_address_i,
  output logic [Threads-1:0][31:0]   instruction_o,
  input  pka_threads_t               read_i,
  input  pka_address_t [Threads-1:0] address_i,
  output pka_word_t    [Threads-1:0] constant_o
);
  (* rom_style = "block" *) logic [31:0] program_q [ProgramWords];
  initial for (int unsigned i = 0; i < ProgramWords; i++) program_q[i] = Program[i];

  always_ff @(posedge clk_i) begin
    for (int t = 0; t < Threads; t++) begin
      if (fetch_i[t]) instruction_o[t] <= program_q[fetch_address_i[t]];
      if (read_i[t]) constant_o[t] <= Constants[address_i[t]];
    end
  end
endmodule
