// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Decides whether a burst lies in one of its queue's address windows. Combinational.
module ow_window
  import ow_shell_pkg::*;
(
  input  grant_t      grant_i,
  input  logic [63:0] first_i,
  input  logic [63:0] last_i,
  input  logic        write_i,
  output logic        allowed_o
);
  always_comb begin
    allowed_o = !grant_i.restrict_addresses;
    for (int w = 0; w < NumWindows; w++) begin
      if ((write_i ? grant_i.windows[w].write : grant_i.windows[w].read)
          && first_i >= grant_i.windows[w].base && last_i <= grant_i.windows[w].last) begin
        allowed_o = 1'b1;
      end
    end
  end
endmodule
