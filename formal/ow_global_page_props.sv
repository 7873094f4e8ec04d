// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_global_page promises of the grants: `regranted_o` names each queue whose grant, the addresses of its windows
// included, differs from the cycle before, and a grant changes only by a write into its own queue's block.
//
// Contract: no write before `ready_o`, after which the memories of the windows are clear.
module ow_global_page_props
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
(
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   write_i,
  input logic [11:0]            write_address_i,
  input grant_t [NumQueues-1:0] grant_o,
  input logic [NumQueues-1:0]   regranted_o,
  input logic                   ready_o,
  input window_name_t           for_reads_i,
  input window_t                for_reads_o,
  input window_name_t           for_writes_i,
  input window_t                for_writes_o
);
  logic   begun_q = 1'b0;
  queue_t queue;
  formal_constant #(.Width($bits(queue_t))) u_queue (.clk_i, .value_o(queue));

  // The block of the queue's own registers.
  wire [11:0] first = QueueConfigOffset + 12'(queue) * 12'(QueueConfigStride);
  wire own = write_i && write_address_i >= first && write_address_i < first + 12'(QueueConfigStride);

  grant_t       grant_q;
  logic         known_q, own_q, ready_q, written_q;
  window_name_t for_reads_q, for_writes_q;
  window_t      read_q, write_q;
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    known_q <= begun_q;
    grant_q <= grant_o[queue];
    own_q   <= own;
    ready_q <= ready_o;
    written_q <= begun_q && (written_q || write_i);
    for_reads_q  <= for_reads_i;
    for_writes_q <= for_writes_i;
    read_q       <= for_reads_o;
    write_q      <= for_writes_o;
    assume (rst_ni == begun_q);
    if (begun_q && !ready_o) assume (!write_i);
    if (rst_ni) begin
      if (!known_q) assert (!grant_o[queue].allow && !regranted_o[queue]);
      if (known_q && grant_o[queue] != grant_q) assert (regranted_o[queue] && own_q);
      if (known_q && ready_q && for_reads_q == for_reads_i && for_reads_i.queue == queue && for_reads_o != read_q) begin
        assert (regranted_o[queue] && own_q);
      end
      if (known_q && ready_q && for_writes_q == for_writes_i && for_writes_i.queue == queue && for_writes_o != write_q)
      begin
        assert (regranted_o[queue] && own_q);
      end
      // As long as nothing has been written, a window that is asked for is empty.
      if (known_q && ready_o && !written_q) assert (for_reads_o == '0 && for_writes_o == '0);
    end
  end
endmodule

bind ow_global_page ow_global_page_props u_props (.*);
