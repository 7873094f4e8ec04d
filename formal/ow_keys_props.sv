// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_keys promises: a slot that is zeroised is empty from the next cycle on until another key is loaded into it,
// its generation has been counted up before that, so that it names one key, and zeroise-all and tamper have reached the
// engines within a bound; a slot gets a key that a job has made only if the last command on it reserved it, for the job's
// queue.
//
// Contract, with `Patience` for each of the engines' own bounds: after a kill no engine works with the key any more, a
// load and a zeroise are answered, each within that many cycles; a descriptor is planned with for as long at most.
module ow_keys_props
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned Patience = 2
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        tamper_i,
  input logic        write_data_i,
  input logic        write_config_i,
  input logic        write_command_i,
  input logic [31:0] write_value_i,
  input logic [7:0]  slot_i,
  input logic        kill_o,
  input logic        held_i,
  input logic        used_i,
  input logic        load_valid_o,
  input logic        load_ready_i,
  input logic        load_refused_i,
  input ow_key_load_t load_o,
  input logic        made_valid_i,
  input ow_queues_t  made_queue_i,
  input logic        making_o,
  input logic        load_good,        // a load or a reservation is taken
  input ow_global_key_config_t config_o,
  input logic        zeroise_valid_o,
  input logic        zeroise_all_o,
  input logic        zeroise_ready_i,
  input logic        valid_inside,     // of the watched slot
  input logic        due_inside,       // its generation is to be counted up
  output logic [1:0] watched
);
  // A made key is loaded, the work at hand ends, then the slots': each has a kill, an answer and two cycles between.
  localparam int unsigned Bound = 5 * Patience + 8;
  logic       begun_q = 1'b0;
  logic       loaded_q, due_q;
  logic       valid_q;
  logic       reserved_q, made_q;        // the last command reserves it; its key was made
  logic [7:0] queues_q;                  // of the reservation
  ow_queues_t offered_q;                 // whose job offers a key
  logic [5:0] waited_q, kill_q, load_q, zeroise_q;
  formal_constant #(.Width(2)) u_watched (.clk_i, .value_o(watched));

  ow_global_key_command_t command;
  assign command = ow_global_key_command_t'(write_value_i);
  wire all  = tamper_i || (write_command_i && command.zeroise_all);
  wire mine = write_command_i && command.zeroise && slot_i == 8'(watched);
  wire loads = load_valid_o && load_ready_i && !load_refused_i && load_o.slot == 8'(watched);
  wire gone = zeroise_valid_o && zeroise_all_o && zeroise_ready_i;

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!rst_ni) begin
      {loaded_q, due_q, waited_q, kill_q, load_q, zeroise_q, valid_q, reserved_q, made_q, queues_q, offered_q} <= '0;
    end else begin
      if (all || mine) loaded_q <= 1'b0;
      else if (loads) loaded_q <= 1'b1;
      if (loads) made_q <= load_o.made;
      if (all || mine) reserved_q <= 1'b0;
      else if (load_good && slot_i == 8'(watched)) begin
        reserved_q <= !command.load;
        queues_q   <= config_o.queues;
      end
      if (made_valid_i && !making_o) offered_q <= made_queue_i;
      valid_q   <= valid_inside;
      due_q     <= (due_q || all) && !gone;
      waited_q  <= tamper_i || !due_q ? '0 : waited_q + 1'b1;
      kill_q    <= kill_o ? kill_q + 1'b1 : '0;
      load_q    <= load_valid_o && !load_ready_i ? load_q + 1'b1 : '0;
      zeroise_q <= zeroise_valid_o && !zeroise_ready_i ? zeroise_q + 1'b1 : '0;
    end

    assume (rst_ni == begun_q);
    assume (4'(write_data_i) + 4'(write_config_i) + 4'(write_command_i) <= 4'd1);
    if (rst_ni) begin
      if (kill_q >= 6'(Patience)) assume (!used_i && !held_i);
      if (load_q >= 6'(Patience)) assume (load_ready_i);
      if (zeroise_q >= 6'(Patience)) assume (zeroise_ready_i);

      if (valid_inside) assert (loaded_q);
      if (valid_inside && made_q) assert (reserved_q);
      if (valid_inside && !valid_q && made_q) assert ((queues_q & 8'(offered_q)) != '0);
      if (valid_inside) assert (!due_inside);
      if (valid_q && !valid_inside) assert (due_inside);
      if (due_q) assert (waited_q <= 6'(Bound));
    end
  end
endmodule

bind ow_keys ow_keys_props u_props (
  .*, .watched(), .valid_inside(u_slots.valid_q[u_props.watched]),
  .due_inside(u_slots.due_q[u_props.watched])
);
