// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Two S-boxes in a memory with two ports: SubBytes() of FIPS 197 5.1.1, or InvSubBytes() of 5.3.2, one cycle later; zero
// one cycle after there was no byte, unless the one before is to be kept.
//
// With the inverse cipher the table has 512 bytes, half of an 18 Kbit block RAM.
module aes_sbox_memory
  import aes_pkg::*;
#(
  parameter bit EnableDecrypt = 1'b1
) (
  input  logic            clk_i,
  input  logic            valid_i,
  input  logic            keep_i,
  input  logic            inverse_i,
  input  logic [1:0][7:0] byte_i,
  output logic [1:0][7:0] byte_o
);
  localparam int unsigned AddressWidth = EnableDecrypt ? 9 : 8;

  (* rom_style = "block" *) logic [7:0] table_q [2**AddressWidth];
  initial begin
    for (int unsigned i = 0; i < 256; i++) begin
      table_q[i] = SBox[i];
      if (EnableDecrypt) table_q[AddressWidth'(i + 256)] = InvSBox[i];
    end
  end

  for (genvar i = 0; i < 2; i++) begin : gen_port
    always_ff @(posedge clk_i) begin
      if (!keep_i) begin
        byte_o[i] <= '0;
        if (valid_i) byte_o[i] <= table_q[AddressWidth'({inverse_i, byte_i[i]})];
      end
    end
  end
endmodule
