// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Takes a key that a job has made, and gives it to an engine as if the owner of the device had loaded it, with what he told
// of it when he reserved the slot.
//
// The slot must be reserved for the queue of the job, under the generation that the job names. While the key is on its way
// the reservation may end in any cycle: then the slot does not get it, and the command that has ended the reservation,
// which waits for `making_o`, zeroises or replaces what the engine has. The answer of an offer that is withdrawn is given
// to nobody.
module ow_made_key
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned KeySlots = 32,
  parameter bit          MadeKeys = 1'b1,
  localparam int unsigned SlotWidth = $clog2(KeySlots)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 made_valid_i,   // until made_ready_o, or until it is withdrawn
  input  ow_made_key_t         made_i,
  input  ow_queues_t           made_queue_i,   // whose job made it
  output logic                 made_ready_o,
  output logic                 made_refused_o,
  input  logic                 begin_i,        // no command is at work with the engines
  output logic                 making_o,

  // Its slot.
  output logic [SlotWidth-1:0] slot_o,
  input  key_slot_t            reserved_i,
  input  logic [6:0]           bytes_i,
  output logic                 make_o,         // it has its key, unless the reservation ends now

  // To the engines.
  output logic                 load_valid_o,
  output ow_key_load_t         load_o,
  input  logic                 load_ready_i,
  input  logic                 load_refused_i
);
  typedef enum logic [1:0] {
    Idle,
    Check,
    Load,
    Answer
  } step_e;
  step_e        step_q;
  ow_made_key_t made_q;
  ow_queues_t   queue_q;
  logic         refused_q, withdrawn_q, fits, take;
  assign slot_o         = made_q.slot[SlotWidth-1:0];
  assign fits           = made_q.slot < 8'(KeySlots) && reserved_i.reserved
                          && reserved_i.generation[15:0] == made_q.generation
                          && (reserved_i.queues & 8'(queue_q)) != '0;
  assign make_o         = step_q == Load && load_ready_i && !load_refused_i && reserved_i.reserved;
  assign making_o       = step_q != Idle;
  assign made_ready_o   = step_q == Answer && !withdrawn_q;
  assign made_refused_o = refused_q;

  assign load_valid_o = step_q == Load;
  assign load_o = '{
    slot: 8'(slot_o), kind: reserved_i.info.kind, bytes: bytes_i, two_keys: 1'b0, length: reserved_i.info.length,
    made: 1'b1, key: made_q.key, tweak_key: '0, end_key: '0
  };

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q      <= Idle;
      refused_q   <= 1'b0;
      withdrawn_q <= 1'b0;
    end else begin
      withdrawn_q <= making_o && (withdrawn_q || !made_valid_i);
      unique case (step_q)
        Idle: begin
          if (take) step_q <= Check;
        end
        Check: begin
          step_q    <= fits ? Load : Answer;
          refused_q <= 1'b1;
        end
        Load: begin
          if (load_ready_i) begin
            step_q    <= Answer;
            refused_q <= !make_o;
          end
        end
        default: step_q <= Idle;
      endcase
    end
  end

  // The offer. Written so that a byte's erasure is the reset of its flip-flops, and costs no gate a bit.
  logic [31:0] erase;
  assign take = step_q == Idle && MadeKeys && made_valid_i && begin_i;
  always_comb begin
    erase = {32{step_q == Answer}};
    // Engines count on zeros behind a key's bytes.
    for (int i = 16; i < 32; i++) begin
      if (step_q == Check && reserved_i.info.kind != '0 && bytes_i <= 7'(i)) erase[i] = 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 32; i++) begin
      if (!rst_ni || erase[i]) made_q.key[8*i+:8] <= '0;
      else if (take) made_q.key[8*i+:8] <= made_i.key[8*i+:8];
    end
    if (!rst_ni) begin
      {made_q.stream, made_q.slot, made_q.generation} <= '0;
      queue_q <= '0;
    end else if (take) begin
      {made_q.stream, made_q.slot, made_q.generation} <= {made_i.stream, made_i.slot, made_i.generation};
      queue_q <= made_queue_i;
    end
  end
endmodule
