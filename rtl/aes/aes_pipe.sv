// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The rounds: a ring of `Stages` rounds that a block passes 14 / Stages times.
//
// `pick_*` names the key one cycle before the block comes in on `enter_*`; the result stands on `exit_block_o` 15
// cycles after `enter_valid_i`, whatever the key length and `Stages`. While `full_o` is high no block may be picked.
// A key write names the round as aes_stage counts it, 0 for the key that is added first; bit n of `key_rounds_i`
// writes all passes' places of one stage at once only where a pass is named, so zeroising walks over the passes.
module aes_pipe
  import aes_pkg::*;
#(
  parameter int unsigned Stages        = 14,
  parameter bit          EnableDecrypt = 1'b1,
  parameter int unsigned ContextWidth  = 7,
  localparam int unsigned Passes       = 14 / Stages,
  localparam int unsigned PassWidth    = Passes > 1 ? $clog2(Passes) : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  output logic                    full_o,
  input  logic                    pick_valid_i,
  input  logic [ContextWidth-1:0] pick_context_i,
  input  logic                    pick_inverse_i,

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

  logic [127:0] first_keys_q [2**FirstWidth];
  logic [127:0] first_key_q;
  always_ff @(posedge clk_i) begin
    if (key_write_i[0]) first_keys_q[first_address(key_context_i, key_inverse_i)] <= key_i;
  end
  always_ff @(posedge clk_i) begin
    if (pick_valid_i) first_key_q <= first_keys_q[first_address(pick_context_i, pick_inverse_i)];
  end

  logic                    enter_valid [Stages];
  logic [127:0]            enter_block [Stages];
  logic [ContextWidth-1:0] enter_context [Stages];
  logic                    enter_inverse [Stages];
  logic [1:0]              enter_key_length [Stages];
  logic [PassWidth-1:0]    enter_pass [Stages];
  logic                    valid [Stages];
  logic [127:0]            leave_block [Stages];
  logic [ContextWidth-1:0] leave_context [Stages];
  logic                    leave_inverse [Stages];
  logic [1:0]              leave_key_length [Stages];
  logic [PassWidth-1:0]    leave_pass [Stages];

  for (genvar i = 0; i < Stages; i++) begin : gen_stage
    if (i == 0) begin : gen_first
      logic again;
      assign again = Passes > 1 && valid[Stages-1] && leave_pass[Stages-1] != LastPass;
      assign enter_valid[0]      = enter_valid_i | again;
      assign enter_block[0]      = again ? leave_block[Stages-1] : enter_block_i ^ first_key_q;
      assign enter_context[0]    = again ? leave_context[Stages-1] : enter_context_i;
      assign enter_inverse[0]    = again ? leave_inverse[Stages-1] : enter_inverse_i;
      assign enter_key_length[0] = again ? leave_key_length[Stages-1] : enter_key_length_i;
      assign enter_pass[0]       = again ? leave_pass[Stages-1] + 1'b1 : '0;
    end else begin : gen_next
      assign enter_valid[i]      = valid[i-1];
      assign enter_block[i]      = leave_block[i-1];
      assign enter_context[i]    = leave_context[i-1];
      assign enter_inverse[i]    = leave_inverse[i-1];
      assign enter_key_length[i] = leave_key_length[i-1];
      assign enter_pass[i]       = leave_pass[i-1];
    end

    aes_stage #(
      .Stages(Stages), .Index(i), .EnableDecrypt(EnableDecrypt), .ContextWidth(ContextWidth)
    ) u_stage (
      .clk_i,
      .rst_ni,
      .enter_valid_i(enter_valid[i]),
      .enter_block_i(enter_block[i]),
      .enter_context_i(enter_context[i]),
      .enter_inverse_i(enter_inverse[i]),
      .enter_key_length_i(enter_key_length[i]),
      .enter_pass_i(enter_pass[i]),
      .valid_o(valid[i]),
      .leave_block_o(leave_block[i]),
      .context_o(leave_context[i]),
      .inverse_o(leave_inverse[i]),
      .key_length_o(leave_key_length[i]),
      .pass_o(leave_pass[i]),
      .key_write_i(key_write_i[i+1]),
      .key_context_i,
      .key_inverse_i,
      .key_pass_i,
      .key_i
    );
  end

  always_ff @(posedge clk_i) begin
    if (valid[Stages-1] && leave_pass[Stages-1] == LastPass) exit_block_o <= leave_block[Stages-1];
  end

  // A block picked now enters in the next cycle, when one that is a stage further up may come round again.
  if (Stages == 14) begin : gen_unrolled
    assign full_o = 1'b0;
  end else if (Stages == 1) begin : gen_single
    assign full_o = enter_valid_i | (valid[0] & (leave_pass[0] < LastPass - 1'b1));
  end else begin : gen_ring
    assign full_o = valid[Stages-2] & (leave_pass[Stages-2] != LastPass);
  end
endmodule
