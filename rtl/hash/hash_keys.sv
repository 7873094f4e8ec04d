// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The slots' keys: gives each load to the key lane as a command, and clears rows for a zeroise and after reset.
//
// A loaded key is stored as two chaining values in its slot's rows, those after the first block of HMAC's inner and
// outer hash, or as one, after KMAC's key. The key itself has been wiped when the load ends.
module hash_keys
  import hash_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter logic [15:0] Algorithms = '1,
  parameter int unsigned NumSlots = 32
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         key_load_valid_i,
  output logic         key_load_ready_o,
  output logic         key_load_refused_o,
  input  ow_key_load_t key_load_i,
  input  logic         zeroise_valid_i,
  input  logic         zeroise_all_i,
  input  logic [7:0]   zeroise_slot_i,
  output logic         zeroise_ready_o,

  output logic         cmd_valid_o,     // to the key lane
  input  logic         cmd_ready_i,
  output hash_job_t    cmd_o,
  input  logic         cmd_done_i,

  output logic         zero_o,
  output hash_row_t    zero_row_o,
  input  logic         zero_ready_i,
  output logic         started_o,       // the rows have been cleared after reset
  output logic         busy_o
);
  if (NumSlots > 32) begin : gen_check_slots
    $error("hash_keys: NumSlots is %0d; it must be at most 32.", NumSlots);
  end

  typedef enum logic [2:0] {Idle, Walk, Command, Working, Ready} state_e;
  state_e     state_q;
  logic [7:0] row_q, last_q, stride_q;
  logic       loading_q, refused_q, usable, slot_valid;

  // Digit 3: the opcodes with a key.
  always_comb begin
    usable = 1'b0;
    if (key_load_valid_i) begin
      usable = key_load_i.kind[7:4] == 4'h3 && Algorithms[key_load_i.kind[3:0]] && key_load_i.bytes <= 7'd64;
    end
  end
  assign slot_valid = 32'(zeroise_slot_i) < NumSlots;

  always_comb begin
    cmd_o = '0;
    if (cmd_valid_o) begin
      cmd_o.alg       = key_load_i.kind[3:0];
      cmd_o.kmac      = cmd_o.alg >= AlgShake128;
      cmd_o.hmac      = !cmd_o.kmac;
      cmd_o.raw       = 1'b1;
      cmd_o.slot      = key_load_i.slot[4:0];
      cmd_o.key_words = 4'd4;
      cmd_o.key_bytes = key_load_i.bytes;
    end
  end
  assign zero_row_o         = hash_row_t'(row_q);
  assign key_load_ready_o   = state_q == Ready && loading_q;
  assign key_load_refused_o = refused_q;
  assign zeroise_ready_o    = state_q == Ready && !loading_q;
  assign busy_o             = state_q != Idle;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= Walk;
      zero_o      <= 1'b1;
      cmd_valid_o <= 1'b0;
      started_o   <= 1'b0;
      row_q       <= '0;
      last_q      <= 8'(NumRows - 1);
      stride_q    <= 8'd1;
      loading_q   <= 1'b0;
      refused_q   <= 1'b0;
    end else begin
      unique case (state_q)
        Idle: begin
          loading_q <= 1'b0;
          refused_q <= 1'b0;
          if (zeroise_valid_i) begin
            row_q    <= {RowSlotInner, zeroise_all_i ? 5'd0 : zeroise_slot_i[4:0]};
            last_q   <= {RowSlotOuter, zeroise_all_i ? 5'd31 : zeroise_slot_i[4:0]};
            stride_q <= zeroise_all_i ? 8'd1 : 8'd32;
            state_q  <= (zeroise_all_i || slot_valid) ? Walk : Ready;
            zero_o   <= zeroise_all_i || slot_valid;
          end else if (key_load_valid_i) begin
            loading_q   <= 1'b1;
            refused_q   <= !usable;
            state_q     <= usable ? Command : Ready;
            cmd_valid_o <= usable;
          end
        end
        Walk: if (zero_ready_i) begin
          row_q <= row_q + stride_q;
          if (row_q == last_q) begin
            started_o <= 1'b1;
            state_q   <= started_o ? Ready : Idle;
            zero_o    <= 1'b0;
          end
        end
        Command: if (cmd_ready_i) begin
          state_q     <= Working;
          cmd_valid_o <= 1'b0;
        end
        Working: if (cmd_done_i) state_q <= Ready;
        default: state_q <= Idle;
      endcase
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_tells_its_state: assert (zero_o == (state_q == Walk) && cmd_valid_o == (state_q == Command));
  end
`endif
endmodule
