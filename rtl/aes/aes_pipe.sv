// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The rounds: a ring of `Stages` rounds that a block passes 14 / Stages times.
//
// `word_*` selects the first key one cycle before the block enters on `enter_*`. The result is on `exit_block_o` 15 cycles
// after `enter_valid_i`, in that cycle only, for every key length and every `Stages`. While `full_o` is high no block may
// be picked: it would enter three cycles later. `step_uop_i` and `word_valid_i` are high one and two cycles after the pick
// of a uop. `key_write_i` selects where a round key is written: bit 0 is the key that is added first, bit n is stage n - 1
// in pass `key_pass_i`.
module aes_pipe
  import aes_pkg::*;
#(
  parameter int unsigned Stages        = 14,
  parameter bit          EnableDecrypt = 1'b1,
  parameter bit          SBoxMemory    = 1'b0,
  parameter int unsigned ContextWidth  = 7,
  localparam int unsigned Passes       = 14 / Stages,
  localparam int unsigned PassWidth    = Passes > 1 ? $clog2(Passes) : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  output logic                    full_o,
  input  logic                    step_uop_i,     // a uop is in STEP, which may have a block
  input  logic                    word_valid_i,   // one is in WORD, which has a block
  input  logic [ContextWidth-1:0] word_context_i,
  input  logic                    word_inverse_i,

  input  logic                    enter_valid_i,
  input  logic [127:0]            enter_block_i,
  input  logic [ContextWidth-1:0] enter_context_i,
  input  logic                    enter_inverse_i,
  input  logic [1:0]              enter_key_length_i,
  output logic [127:0]            exit_block_o,

  input  logic [Stages:0]         key_write_i,    // bit 0: the first key; bit n: stage n - 1
  input  logic [ContextWidth-1:0] key_context_i,
  input  logic                    key_inverse_i,
  input  logic [PassWidth-1:0]    key_pass_i,
  input  logic [127:0]            key_i
);

  if (!(Stages inside {1, 2, 7, 14})) begin : gen_check
    $error("Stages must be 14, 7, 2 or 1: the number of AES rounds that are unrolled.");
  end

  localparam logic [PassWidth-1:0] LastPass = PassWidth'(Passes - 1);

  // AddRoundKey before the first round.
  localparam int unsigned FirstWidth = ContextWidth + (EnableDecrypt ? 1 : 0);
  function automatic logic [FirstWidth-1:0] first_address(logic [ContextWidth-1:0] context_index,
                                                          logic inverse);
    return FirstWidth'({context_index, 1'b0} >> (EnableDecrypt ? 0 : 1)) |
           FirstWidth'(EnableDecrypt & inverse);
  endfunction

  logic [127:0] first_key_q;
  ow_ram #(.Width(128), .Depth(2**FirstWidth)) u_first_keys (
    .clk_i,
    .write_i        (key_write_i[0]),
    .write_address_i(first_address(key_context_i, key_inverse_i)),
    .write_word_i   (key_i),
    .read_i         (1'b1),
    .clear_i        (!word_valid_i),
    .read_address_i (first_address(word_context_i, word_inverse_i)),
    .word_o         (first_key_q)
  );

  // Element i is the input of stage i, element i + 1 its output. A block that has passed the last stage exits or enters
  // stage 0 again; no new block enters then.
  logic                    valid [Stages+1];
  logic [127:0]            block [Stages+1];
  logic [ContextWidth-1:0] context_index [Stages+1];
  logic                    inverse [Stages+1];
  logic [1:0]              key_length [Stages+1];
  logic [PassWidth-1:0]    pass [Stages+1];
  logic [127:0]            shifted [Stages];
  logic [127:0]            key [Stages];

  logic again;
  assign again            = Passes > 1 && valid[Stages] && pass[Stages] != LastPass;
  assign valid[0]         = enter_valid_i | again;
  // The only stage chooses itself.
  assign block[0]         = again && Stages > 1 ? block[Stages] : enter_block_i ^ first_key_q;
  assign context_index[0] = again ? context_index[Stages] : enter_context_i;
  assign inverse[0]       = again ? inverse[Stages] : enter_inverse_i;
  assign key_length[0]    = again ? key_length[Stages] : enter_key_length_i;
  assign pass[0]          = again ? pass[Stages] + 1'b1 : '0;

  // Where the last stage need not choose, the last AddRoundKey() is behind the register, in LUTs that add more to the block.
  localparam bit AddsBehind = Stages inside {1, 14};
  logic [127:0] exit_q, exit_key_q;
  always_ff @(posedge clk_i) begin
    {exit_q, exit_key_q} <= '0;
    if (valid[Stages] && !again) begin
      exit_q     <= AddsBehind ? shifted[Stages-1] : block[Stages];
      exit_key_q <= AddsBehind ? key[Stages-1] : '0;
    end
  end
  assign exit_block_o = exit_q ^ exit_key_q;

  for (genvar i = 0; i < Stages; i++) begin : gen_stage
    aes_stage #(
      .Stages(Stages), .Index(i), .EnableDecrypt(EnableDecrypt), .SBoxMemory(SBoxMemory),
      .ContextWidth(ContextWidth)
    ) u_stage (
      .clk_i,
      .rst_ni,
      .valid_i(valid[i]),
      .again_i(again && i == 0),
      .block_i(block[i]),
      .context_i(context_index[i]),
      .inverse_i(inverse[i]),
      .key_length_i(key_length[i]),
      .pass_i(pass[i]),
      .valid_o(valid[i+1]),
      .block_o(block[i+1]),
      .shifted_o(shifted[i]),
      .key_o(key[i]),
      .context_o(context_index[i+1]),
      .inverse_o(inverse[i+1]),
      .key_length_o(key_length[i+1]),
      .pass_o(pass[i+1]),
      .key_write_i(key_write_i[i+1]),
      .key_context_i,
      .key_inverse_i,
      .key_pass_i,
      .key_i
    );
  end

  // A block picked now enters stage 0 in three cycles; no block may enter it again in that cycle. Where it can, this
  // comes from a register. The only stage is kept free for a block that may be in STEP, for one in WORD, in ENTRY, or one
  // that comes again.
  logic again_then, full_d, full_q;   // a block comes again in three cycles; and what is known a cycle earlier
  assign again_then = Stages == 2 && (word_valid_i || (valid[1] && pass[1] < LastPass - PassWidth'(1)));
  if (Stages == 1) begin : gen_single
    assign full_d = step_uop_i || word_valid_i || enter_valid_i ||
                    (valid[Stages] && pass[Stages] < LastPass - PassWidth'(4));
  end else if (Stages == 7) begin : gen_ring
    assign full_d = valid[Stages-4] && pass[Stages-4] != LastPass;
  end else begin : gen_none
    assign full_d = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) full_q <= 1'b0;
    else         full_q <= full_d;
  end
  assign full_o = full_q || again_then || (Stages == 1 && step_uop_i);

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_no_key_is_read_while_written: assert (!(word_valid_i && key_write_i[0]
      && first_address(word_context_i, word_inverse_i) == first_address(key_context_i, key_inverse_i)));
  end
`endif
endmodule
