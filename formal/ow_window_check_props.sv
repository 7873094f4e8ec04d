// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_window_check promises of a watched queue's bursts: an answer is that of the queue's grant in this very cycle,
// and it comes after NumWindows cycles at the latest.
//
// Which windows contain the burst are bits that the solver chooses. They stay while burst and grant do, and agree with
// the addresses of the window that is asked for. Contract: a grant is as in the cycle before but where `regranted_i` names
// its queue; the burst stays until the next `begin_i` (which ow_read_port_props and ow_writer_props prove), is of the queue
// that was announced, and crosses no block of MaxBeats beats. After a reset nothing is said before the first `begin_i`.
module ow_window_check_props
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128,
  parameter bit          Write     = 1'b0
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input grant_t [NumQueues-1:0] grant_i,
  input logic [NumQueues-1:0]   regranted_i,
  input logic                   begin_i,
  input queue_t                 begin_queue_i,
  input queue_t                 queue_i,
  input logic [63:0]            address_i,
  input logic [8:0]             bytes_i,
  input logic [63:0]            last_o,
  input window_name_t           window_o,
  input window_t                window_i,
  input logic                   allowed_o,
  input logic                   denied_o,
  // Inside, to make the proof inductive.
  input logic [NumWindows-1:0]  untried,
  input logic                   allow,
  input logic                   any_address,
  input logic                   allowed,
  input logic                   denied
);
  localparam int unsigned MaxBytes = MaxBeats * DataWidth / 8;

  logic   begun_q = 1'b0;
  queue_t queue;
  formal_constant #(.Width($bits(queue_t))) u_queue (.clk_i, .value_o(queue));
  logic   started_q;           // there has been a check since the reset
  wire watched = started_q && queue_i == queue;
  wire again   = begin_i || regranted_i[queue];

  logic [NumWindows-1:0] inside_q, any;   // nothing drives `any`
  grant_t                grant, grant_q;
  logic                  granted;
  wire [NumWindows-1:0]  permitted = Write ? grant_q.write : grant_q.read;
  assign grant   = grant_i[queue];
  assign granted = allows(grant);
  function automatic logic allows(grant_t g);
    return g.allow && last_o != '1 && (g.any_address || (inside_q & (Write ? g.write : g.read)) != '0);
  endfunction

  queue_t      queue_q, coming_q;
  logic [63:0] address_q;
  logic [8:0]  bytes_q;
  logic        stays_q, begins_q, again_q, granted_q;
  logic [2:0]  cycles_q;      // of this check

  always_ff @(posedge clk_i) begin
    begun_q   <= 1'b1;
    inside_q  <= again ? any : inside_q;
    grant_q   <= grant;
    granted_q <= granted;
    queue_q   <= queue_i;
    address_q <= address_i;
    bytes_q   <= bytes_i;
    stays_q   <= begun_q && !begin_i;
    begins_q  <= begun_q && begin_i;
    coming_q  <= begin_queue_i;
    started_q <= begun_q && (started_q || begin_i);
    again_q   <= !begun_q || again;
    cycles_q  <= !begun_q || again ? '0 : cycles_q + 3'(cycles_q != '1);

    assume (rst_ni == begun_q);
    if (begun_q && !regranted_i[queue]) assume (grant == grant_q);
    for (int w = 0; w < NumWindows; w++) begin
      if (watched && !regranted_i[queue] && 32'(window_o.index) == w) begin
        assume (inside_q[w] == (address_i >= window_i.base && last_o <= window_i.last));
      end
    end
    if (begins_q) assume (queue_i == coming_q);
    if (stays_q) assume (queue_i == queue_q && address_i == address_q && bytes_i == bytes_q);
    assume (64'(bytes_i) + (address_i & 64'(MaxBytes - 1)) <= 64'(MaxBytes) && bytes_i != '0);

    if (rst_ni) begin
      assert (!(allowed_o && denied_o));
      if (watched && allowed_o) assert (granted);
      if (watched && denied_o) assert (!granted);
      if (watched && 32'(cycles_q) >= NumWindows && !regranted_i[queue]) assert (allowed_o || denied_o);
      assert (last_o == address_i + 64'(bytes_i) - 64'd1);

      // Inside.
      assert (!(allowed && denied));
      if (watched) begin
        if (again_q) assert (!allowed && !denied && untried == permitted);
        if (untried != '0) assert (untried[window_o.index] && (untried & ((NumWindows'(1) << window_o.index) - 1'b1)) == '0);
        assert (allow == grant_q.allow && any_address == grant_q.any_address && (untried & ~permitted) == '0);
        if (!again_q) assert (granted_q == allows(grant_q));
        if (allowed) assert (granted_q);
        if (denied) assert (!granted_q || last_o[7:0] < address_i[7:0]);
        if (!allowed && !denied) begin
          assert (32'($countones(permitted & ~untried)) >= 32'(cycles_q) && 32'(cycles_q) < NumWindows);
          if (!again_q) assert ((permitted & ~untried & inside_q) == '0);
        end
      end
    end
  end
endmodule

bind ow_window_check ow_window_check_props #(.DataWidth(DataWidth), .Write(Write)) u_props (
  .*, .untried(check.untried), .allow(check.allow), .any_address(check.any_address), .allowed(allowed_q), .denied(denied_q)
);
