// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Checks whether all bytes of a burst lie in one of its queue's windows: one window a cycle, only those that permit it.
//
// The burst is here from the cycle after `begin_i` until the next `begin_i`. It crosses no aligned block of MaxBeats
// beats; one that does is denied, and so is the last byte of all addresses, so that no sum wraps. The answer is that of
// the present grant: after a change of the queue's grant (`regranted_i`) the check begins again.
module ow_window_check
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128,
  parameter bit          Write     = 1'b0
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  grant_t [NumQueues-1:0] grant_i,
  input  logic [NumQueues-1:0]   regranted_i,   // the queue's grant is another than in the cycle before

  input  logic                   begin_i,
  input  queue_t                 queue_i,
  input  logic [63:0]            address_i,
  input  logic [8:0]             bytes_i,
  output logic [63:0]            last_o,        // address of the burst's last byte

  output window_name_t           window_o,
  input  window_t                window_i,      // the addresses of `window_o`

  output logic                   allowed_o,
  output logic                   denied_o       // neither: not known yet
);
  localparam int unsigned BlockWidth = $clog2(MaxBeats * DataWidth / 8);

  logic [BlockWidth-1:0] first_low, last_low;
  assign first_low = address_i[BlockWidth-1:0];
  assign last_low  = first_low + BlockWidth'(bytes_i) - 1'b1;
  assign last_o    = {address_i[63:BlockWidth], last_low};

  grant_t                grant;
  logic [NumWindows-1:0] tried_q, untried;
  logic                  allowed_q, denied_q, proper, covered;
  assign grant   = grant_i[queue_i];
  assign untried = (Write ? grant.write : grant.read) & ~tried_q;
  assign proper  = grant.allow && first_low <= last_low && last_o != '1;
  assign covered = grant.any_address || (untried != '0 && address_i >= window_i.base && last_o <= window_i.last);

  always_comb begin
    window_o = '{queue: queue_i, index: '0};
    for (int w = NumWindows - 1; w >= 0; w--) if (untried[w]) window_o.index = $bits(window_o.index)'(w);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || begin_i || regranted_i[queue_i]) begin
      tried_q   <= '0;
      allowed_q <= 1'b0;
      denied_q  <= 1'b0;
    end else if (!allowed_q && !denied_q) begin
      tried_q[window_o.index] <= 1'b1;
      allowed_q               <= proper && covered;
      denied_q                <= !proper || (!covered && (untried & (untried - 1'b1)) == '0);
    end
  end
  assign allowed_o = allowed_q && !regranted_i[queue_i];
  assign denied_o  = denied_q && !regranted_i[queue_i];
endmodule
