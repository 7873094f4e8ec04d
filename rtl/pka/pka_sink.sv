// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Collects the bytes of a result in words of 16 bytes.
module pka_sink (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         start_i,
  input  logic         stop_i,
  input  logic [11:0]  bytes_i,        // of the whole result
  output logic         empty_o,        // all of them have been output: a register

  input  logic         byte_valid_i,
  input  logic [7:0]   byte_i,
  output logic         byte_take_o,

  input  logic         out_room_i,
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  output logic [4:0]   out_bytes_o
);
  logic [11:0]  left_q;    // bytes left
  logic         none_q;    // none
  logic [15:0][7:0] word_q;    // the first byte is the lowest; zeros above the bytes
  logic [4:0]       count_q;
  logic         full;
  assign full        = count_q != '0 && (count_q == 5'd16 || none_q);
  assign byte_take_o = !full;
  assign out_valid_o = full && out_room_i;
  assign out_bytes_o = count_q;
  assign out_data_o  = word_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      left_q  <= '0;
      none_q  <= 1'b1;
      empty_o <= 1'b1;
      count_q <= '0;
      word_q  <= '0;
    end else if (start_i) begin
      left_q  <= bytes_i;
      none_q  <= bytes_i == '0;
      empty_o <= bytes_i == '0;
      count_q <= '0;
    end else if (full) begin
      if (out_valid_o && out_ready_i) begin
        count_q <= '0;
        word_q  <= '0;
        empty_o <= none_q;
      end
    end else if (byte_valid_i) begin
      word_q[count_q[3:0]] <= byte_i;
      count_q              <= count_q + 5'd1;
      left_q               <= left_q - 12'd1;
      none_q               <= left_q == 12'd1;
      empty_o              <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  logic started_q;   // has been stopped once
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) started_q <= 1'b1;
    a_knows_what_is_left: assert (!started_q || !rst_ni || (none_q == (left_q == '0) &&
                                                            empty_o == (none_q && count_q == '0)));
  end
`endif
endmodule
