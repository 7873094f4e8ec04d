// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Checks whether all bytes of a burst lie in one of its queue's windows: one window a cycle, only those that permit it.
//
// The burst is here from the cycle after `begin_i` until the next `begin_i`, and its queue's grant is looked up with it. It crosses no aligned block of MaxBeats
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
  input  queue_t                 begin_queue_i, // what `queue_i` will be
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

  // What is left of a check: the windows that may allow the burst, and the lowest of them.
  typedef logic [NumWindows-1:0] windows_t;
  typedef logic [$bits(window_o.index)-1:0] index_t;
  typedef struct packed {
    logic     allow;
    logic     any_address;
    windows_t untried;
    index_t   index;
  } check_t;
  function automatic index_t lowest(windows_t windows);
    lowest = '0;
    for (int w = NumWindows - 1; w >= 0; w--) if (windows[w]) lowest = index_t'(w);
  endfunction

  // Of each queue, because which one it is is known late; so what a check begins with has a register of its own.
  check_t [NumQueues-1:0] whole;
  for (genvar q = 0; q < NumQueues; q++) begin : gen_queue
    windows_t permitted;
    assign permitted = Write ? grant_i[q].write : grant_i[q].read;
    assign whole[q]  = '{
      allow: grant_i[q].allow, any_address: grant_i[q].any_address, untried: permitted, index: lowest(permitted)
    };
  end
  check_t   fresh, kept, check;
  logic     fresh_q, again, allowed_q, denied_q, proper, covered;
  queue_t   not_queue_q;   // a copy of `queue_i`, which has many readers: inverted, lest synthesis makes one of two
  windows_t untried;   // after this cycle
  assign check    = fresh_q ? fresh : kept;
  assign again    = regranted_i[~not_queue_q];
  assign untried  = check.untried & (check.untried - 1'b1);
  assign proper   = check.allow && first_low <= last_low && last_o != '1;
  assign covered  = check.any_address
                    || (check.untried != '0 && address_i >= window_i.base && last_o <= window_i.last);
  assign window_o = '{queue: queue_i, index: check.index};

  always_ff @(posedge clk_i) begin
    fresh   <= whole[begin_queue_i];
    fresh_q <= rst_ni && begin_i;
    if (begin_i) not_queue_q <= ~begin_queue_i;
    kept    <= again || !rst_ni ? whole[queue_i]
               : '{allow: check.allow, any_address: check.any_address, untried: untried, index: lowest(untried)};
    if (!rst_ni || begin_i || again) begin
      allowed_q <= 1'b0;
      denied_q  <= 1'b0;
    end else if (!allowed_q && !denied_q) begin
      allowed_q <= proper && covered;
      denied_q  <= !proper || (!covered && untried == '0);
    end
  end
  assign allowed_o = allowed_q && !again;
  assign denied_o  = denied_q && !again;
endmodule
