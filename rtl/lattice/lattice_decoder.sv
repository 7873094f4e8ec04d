// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// ByteDecode and Decompress (FIPS 203, algorithm 6 and 4.8), SimpleBitUnpack and BitUnpack (FIPS 204, algorithms 18 and
// 19): words of 16 bytes, or of 8 from Keccak, become words of coefficients.
module lattice_decoder
  import lattice_pkg::*;
#(
  parameter int unsigned Butterflies = 8,
  localparam int unsigned Width = 8 - $clog2(Butterflies),
  localparam int unsigned Coefficients = Butterflies / 2    // at once
) (
  input  logic         clk_i,
  input  logic         clear_i,

  input  logic         start_i,         // a polynomial of `bits_i` bits a coefficient, with `free_o`
  input  logic [4:0]   bits_i,          // ML-KEM: 1, 4, 5, 10, 11 or 12
  input  logic         dsa_i,
  input  dsa_set_e     set_i,
  input  form_e        form_i,          // ML-DSA, with its bits
  input  logic         check_i,         // `range_o` is wanted
  output logic         active_o,        // words will come
  output logic         free_o,          // the next polynomial may start, even if the last word is still to come
  input  logic         in_valid_i,
  input  logic [127:0] in_i,
  input  logic         half_i,          // only the lower 8 bytes of `in_i`
  output logic         in_ready_o,

  output logic         valid_o,
  output logic [Width-1:0] index_o,
  output coef_t [Butterflies-1:0] word_o,
  output logic         range_o          // a coefficient was out of range
);
  // What comes stands in a ring of four times 64 bits, which words of 8 and of 16 bytes fill evenly. Coefficients leave it
  // together, with Butterflies 8 four: as many groups of four bits as one has bits.
  localparam int unsigned Groups = 256 / Coefficients;
  logic [3:0][63:0] held_q;
  logic [1:0]   fill_q;                 // the next 8 bytes that come
  logic [Width:0]   at_q;               // the next group of bits that leaves
  logic [Width+1:0] count_q;            // groups held
  logic [4:0]   bits_q;                 // of a coefficient
  form_e        form_q;
  logic [Width:0]   index_q, raw_index_q;   // of coefficients that leave together
  logic         active_q, check_q, take, put, raw_valid_q;
  assign take       = active_q && count_q >= (Width + 2)'(bits_q);
  assign in_ready_o = active_q && count_q <= (Width + 2)'(Groups / 2);
  assign put        = in_valid_i && in_ready_o;
  assign free_o     = !active_q;
  assign active_o   = active_q || raw_valid_q || valid_o;

  // The ring turned to them: by 64, by 16, by 4 bits and, where fewer than four leave, by one.
  localparam int unsigned Taken = 20 * Coefficients;
  localparam int unsigned More = Coefficients < 4 ? 3 : 0;
  logic [511:0]          ring;
  logic [7:0]            place;         // of a bit
  logic [Taken+59+More:0] by_64;
  logic [Taken+11+More:0] by_16;
  logic [Taken-1+More:0]  by_4;
  logic [Taken-1:0]       turned;
  logic [Coefficients-1:0][19:0] raw, raw_q;
  assign ring  = {held_q, held_q};
  assign place = 8'(at_q) << $clog2(Coefficients);
  lattice_choice #(.Width(Taken + 60 + More)) u_by_64 (
    .at_i(place[7:6]), .one_o(by_64),
    .of_i({ring[192 +: Taken+60+More], ring[128 +: Taken+60+More], ring[64 +: Taken+60+More],
           ring[0 +: Taken+60+More]})
  );
  lattice_choice #(.Width(Taken + 12 + More)) u_by_16 (
    .at_i(place[5:4]), .one_o(by_16),
    .of_i({by_64[48 +: Taken+12+More], by_64[32 +: Taken+12+More], by_64[16 +: Taken+12+More],
           by_64[0 +: Taken+12+More]})
  );
  lattice_choice #(.Width(Taken + More)) u_by_4 (
    .at_i(place[3:2]), .one_o(by_4),
    .of_i({by_16[12 +: Taken+More], by_16[8 +: Taken+More], by_16[4 +: Taken+More], by_16[0 +: Taken+More]})
  );
  if (Coefficients == 4) begin : gen_four
    assign turned = by_4;
  end else begin : gen_fewer
    lattice_choice #(.Width(Taken)) u_by_1 (
      .at_i(place[1:0]), .of_i({by_4[3 +: Taken], by_4[2 +: Taken], by_4[1 +: Taken], by_4[0 +: Taken]}), .one_o(turned)
    );
  end
  lattice_unpack #(.Coefficients(Coefficients)) u_unpack (.packed_i(turned), .bits_i(bits_q), .raw_o(raw));

  // y q / 2^bits, rounded, for up to 11 bits: as if it had 11, because y is moved up. q = 2^11 + 5 2^8 + 1; without the
  // lowest 8 bits of y, which nothing is added to, that is the sum of y 2^3 and the rest of y with 5 y and 2^2, which rounds.
  function automatic kem_coef_t decompressed(logic [10:0] y, logic of_1, logic of_4, logic of_5, logic of_10);
    logic [10:0] up;
    logic [11:0] five;                  // 5 y + 2^2 without its two lowest bits, which are those of y
    logic [14:0] sum;
    up = (y & {11{!(of_1 || of_4 || of_5 || of_10)}}) | ({y[0], 10'd0} & {11{of_1}}) | ({y[3:0], 7'd0} & {11{of_4}})
         | ({y[4:0], 6'd0} & {11{of_5}}) | ({y[9:0], 1'b0} & {11{of_10}});
    five = 12'(up) - ~12'(up[10:2]);    // and one more
    sum  = 15'({up, up[10:8]}) + 15'({five, up[1:0]});
    return sum[14:3];
  endfunction
  function automatic logic is_above_q(logic [11:0] y);      // y >= q, 0xd01
    return &y[11:10] && (y[9] || (y[8] && y[7:0] != '0));
  endfunction

  // Of ML-DSA. What is written as the distance from a centre is beyond it if its highest bit and another one are set; of eta
  // these are few.
  logic [2:0]  eta;
  logic [7:0]  beta;
  logic        small_gamma;
  coef_t       centre;
  // They stand still while a polynomial comes; the first coefficients are there three cycles after the start.
  logic        dsa_q, of_1_q, of_4_q, of_5_q, of_10_q, of_12_q;
  ow_copy u_dsa (.clk_i, .enable_i(1'b1), .next_i(dsa_i), .copy_o(dsa_q));
  always_ff @(posedge clk_i) begin
    {of_1_q, of_4_q, of_5_q, of_10_q, of_12_q} <= {
      bits_q == 5'd1, bits_q == 5'd4, bits_q == 5'd5, bits_q == 5'd10, bits_q == 5'd12
    };
    eta         <= set_i == Dsa65 ? 3'd4 : 3'd2;
    beta        <= dsa_beta(set_i);
    small_gamma <= set_i == Dsa44;
    centre <= form_q == FormT0 ? 23'd4096 : form_q == FormEta ? (set_i == Dsa65 ? 23'd4 : 23'd2)
              : set_i == Dsa44 ? 23'd1 << 17 : 23'd1 << 19;
  end

  coef_t [Coefficients-1:0] coefficients;
  logic  [Coefficients-1:0] beyond;
  always_comb begin
    for (int unsigned i = 0; i < Coefficients; i++) begin
      logic [19:0] y;
      logic [10:0] middle;              // of z, between the highest bit and the lowest eight
      logic [7:0]  distance;
      logic        high, less, far;
      coef_t       reflected;
      kem_coef_t   reduced;
      y    = raw_q[i];
      high = form_q == FormT0 ? y[12] : small_gamma ? y[17] : y[19];
      less = form_q == FormEta ? y[3:0] > 4'(eta)
             : high && ((y[18:17] != '0 && !small_gamma) || y[16:13] != '0 || (y[12] && form_q != FormT0)
                        || y[11:0] != '0);
      // centre - y, or q more: ~(y + ~centre).
      reflected = ~(23'(y) + ~(less ? centre + 23'(QDsa) : centre));
      coefficients[i] = reflected;
      if (dsa_q && form_q == FormT1) coefficients[i] = {y[9:0], 13'd0};
      reduced = y[11:0] - (is_above_q(y[11:0]) ? 12'(Q) : 12'd0);
      if (!dsa_q) coefficients[i] = 23'(of_12_q ? reduced : decompressed(y[10:0], of_1_q, of_4_q, of_5_q, of_10_q));
      // |z| is below gamma1 - beta if as it is written it is further than beta from both ends.
      middle    = {2'b00, y[16:8]};
      if (!small_gamma) middle[10:9] = y[18:17];
      middle   ^= {small_gamma ? 2'b00 : {2{high}}, {9{high}}};
      distance  = y[7:0] ^ {8{high}};
      far       = middle != '0 || distance > beta || (distance == beta && high);
      unique case (form_q)
        FormEta: beyond[i] = y[3:0] > {eta, 1'b0};
        FormZ:   beyond[i] = !far;
        default: beyond[i] = 1'b0;
      endcase
      if (!dsa_q) beyond[i] = of_12_q && is_above_q(y[11:0]);
    end
  end

  always_ff @(posedge clk_i) begin
    raw_valid_q <= take && !clear_i;
    raw_index_q <= index_q;
    if (take) raw_q <= raw;
    if (raw_valid_q) word_o[Coefficients*raw_index_q[0] +: Coefficients] <= coefficients;
    valid_o <= raw_valid_q && raw_index_q[0] && !clear_i;
    index_o <= raw_index_q[Width:1];
    range_o <= raw_valid_q && check_q && beyond != '0;
    if (clear_i) {raw_q, word_o} <= '0;

    if (clear_i) begin
      held_q   <= '0;
      count_q  <= '0;
      active_q <= 1'b0;
    end else if (start_i) begin
      active_q <= 1'b1;
      bits_q   <= dsa_i ? form_bits(form_i, set_i) : bits_i;
      form_q   <= form_i;
      check_q  <= check_i;
      at_q     <= '0;
      fill_q   <= '0;
      count_q  <= '0;
      index_q  <= '0;
    end else begin
      if (take) begin
        at_q    <= at_q + (Width + 1)'(bits_q);
        index_q <= index_q + 1'b1;
        if (&index_q) active_q <= 1'b0;
      end
      if (put) begin
        for (int unsigned i = 0; i < 4; i++) begin
          if (half_i ? fill_q == 2'(i) : fill_q[1] == 1'(i / 2)) begin
            held_q[i] <= i % 2 == 1 && !half_i ? in_i[127:64] : in_i[63:0];
          end
        end
        fill_q <= fill_q + (half_i ? 2'd1 : 2'd2);
      end
      count_q <= count_q - (take ? (Width + 2)'(bits_q) : '0)
                 + (!put ? '0 : half_i ? (Width + 2)'(Groups / 4) : (Width + 2)'(Groups / 2));
    end
  end

`ifndef SYNTHESIS
  logic cleared;
  lattice_cleared u_cleared (.clk_i, .clear_i, .seen_o(cleared));
  always_ff @(posedge clk_i) if (cleared && !clear_i) begin : promises
    a_no_byte_is_overwritten: assert (!active_q || 32'(count_q) <= Groups);
    a_words_come_whole: assert (!put || half_i || !fill_q[0]);
  end
`endif
endmodule
