// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Round-robin choice: the requester after the last one taken goes first.
//
// Synthesis maps the module alone: in the middle of other logic yosys makes twice the levels of the choice among few.
(* keep_hierarchy = "yes" *)
module ow_round_robin #(
  parameter int unsigned Count = 4,
  localparam int unsigned Width = Count > 1 ? $clog2(Count) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Count-1:0] request_i,
  input  logic             take_i,     // the choice shown is used: move on
  output logic             valid_o,
  output logic [Width-1:0] index_o
);
  logic [Count-1:0] after_q;  // the requesters behind the last one taken
  assign valid_o = request_i != '0;

  if (Count <= 5) begin : gen_few
    // With the last one taken as a number, a bit of the choice has few enough inputs for a short path.
    logic [Width-1:0] last_q;
    assign after_q = {Count{1'b1}} << last_q << 1;
    always_comb begin
      index_o = last_q;
      for (int l = 0; l < Count; l++) if (last_q == Width'(l)) begin
        for (int k = Count; k > 0; k--) if (request_i[(l + k) % Count]) index_o = Width'((l + k) % Count);
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) last_q <= Width'(Count - 1);
      else if (take_i) last_q <= index_o;   // the same if none requests: `take_i` may be late
    end
  end else begin : gen_many
    // A carry finds the first one sooner than a chain of choices: of those behind the last one taken, else of all.
    logic [Count-1:0]   preferred, first;
    logic [2*Count-1:0] order, through;   // through: those up to the first one
    assign preferred = request_i & after_q;
    assign order     = {request_i, preferred};
    assign through   = order ^ (order - (2 * Count)'(1));
    assign first     = (through[2*Count-1:Count] & request_i) | (through[Count-1:0] & preferred);
    always_comb begin
      index_o = '0;
      for (int i = 0; i < Count; i++) if (first[i]) index_o |= Width'(i);
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) after_q <= '0;
      else if (take_i && valid_o) after_q <= ~(through[Count] ? through[2*Count-1:Count] : through[Count-1:0]);
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_a_requester: assert (!valid_o || request_i[index_o]);
  end
`endif
endmodule
