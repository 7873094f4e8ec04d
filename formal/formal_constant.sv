// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A value that the solver chooses once: whatever is proven of it is proven of every value.
module formal_constant #(
  parameter int unsigned Width = 1
) (
  input  logic             clk_i,
  output logic [Width-1:0] value_o
);
  logic             begun_q = 1'b0;
  logic [Width-1:0] any, value_q;   // nothing drives `any`
  assign value_o = begun_q ? value_q : any;
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    value_q <= value_o;
  end
endmodule
