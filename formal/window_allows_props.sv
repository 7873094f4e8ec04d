// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_shell_pkg::window_allows promises, said byte by byte: each byte of a burst that it allows lies in a window.
module window_allows_props
  import ow_shell_pkg::*;
(
  input logic        clk_i,
  input grant_t      grant_i,
  input logic [63:0] first_i,
  input logic [63:0] last_i,
  input logic [63:0] byte_i,    // any byte of the burst
  input logic        write_i
);
  logic covered;
  always_comb begin
    covered = grant_i.any_address;
    for (int w = 0; w < NumWindows; w++) begin
      if (write_i ? grant_i.windows[w].write : grant_i.windows[w].read) begin
        covered |= byte_i >= grant_i.windows[w].base && byte_i <= grant_i.windows[w].last;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (window_allows(grant_i, first_i, last_i, write_i)) begin
      assert (grant_i.allow && first_i <= last_i);
      if (first_i <= byte_i && byte_i <= last_i) assert (covered);
    end
  end
endmodule
