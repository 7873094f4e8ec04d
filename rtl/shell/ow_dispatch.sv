// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Dispatches fetched descriptors: chooses a queue (priority, then round robin) and a stream, gets the engine's plan.
//
// A job takes eight cycles: choose a queue, take its descriptor, look its key up, ask the planner, take the plan, check,
// start, hand over. The planner has a cycle of its own, from registers to registers (ow_engine_mux). A refused job starts
// too, with its status, so that it ends as every job does. Which queues are ready was found in the cycle before (ow_ready);
// the last job's stream counts from the take on.
module ow_dispatch
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
(
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  grant_t [NumQueues-1:0] grant_i,
  input  logic [NumQueues-1:0]   run_i,        // enabled, granted, neither halted nor being reset
  input  logic [NumQueues-1:0]   ready_i,      // a job can be dispatched, unless its queue has been stopped since
  output queue_t                 select_o,
  output logic                   take_o,
  input  ow_descriptor_t         descriptor_i, // the one last taken

  // The planner of the opcode's engine: answers in the cycle after.
  output ow_command_t            command_o,
  output logic [7:0]             key_slot_o,
  input  key_slot_t              key_i,        // of key_slot_o, combinational
  output ow_key_info_t           key_info_o,   // a register
  input  ow_plan_t               plan_i,
  output logic                   key_held_o,   // key_slot_o must not change now

  input  stream_mask_t           active_i,
  output logic                   start_next_o,   // a job starts in the next cycle
  output logic                   start_o,
  output ow_stream_t             start_stream_o,
  output job_t                   start_job_o,
  output logic                   start_slot_used_o,
  output logic                   start_inline_key_o,
  output logic                   start_engine_o,     // an engine takes the job
  output logic [7:0]             start_status_o, // other than OK: the job is refused

  output logic                   command_valid_o,
  input  logic                   command_ready_i,
  output ow_stream_t             command_stream_o,
  output ow_plan_t               command_plan_o,
  output logic [NumQueues-1:0]   busy_o        // a job of the queue is being dispatched
);
  typedef enum logic [2:0] {Choose, Take, Look, Ask, Plan, Check, Start, Hand} step_e;
  step_e step_q;

  // Choose.
  logic [NumQueues-1:0] ready, urgent;
  logic   pick_valid, pick;
  queue_t picked, queue_q;
  queue_t not_queue_q;   // a copy, since `queue_q` has many readers: inverted, lest synthesis makes one of two
  for (genvar q = 0; q < NumQueues; q++) begin : gen_ready
    assign ready[q]  = ready_i[q] && run_i[q];
    assign urgent[q] = ready[q] && grant_i[q].high_priority;
  end
  assign pick = step_q == Choose;
  ow_round_robin #(.Count(NumQueues)) u_pick (
    .clk_i, .rst_ni,
    .request_i(|urgent ? urgent : ready),
    .take_i   (pick),
    .valid_o  (pick_valid),
    .index_o  (picked)
  );
  assign select_o = ~not_queue_q;
  assign take_o   = step_q == Take && ready[select_o];   // which now counts the last job's stream
  assign busy_o   = step_q != Choose ? NumQueues'(1) << queue_q : '0;

  // Look the key up, plan, and check the plan.
  ow_plan_t       plan_q;         // from the check on zero for a refused job
  ow_stream_t     stream_q;
  logic [7:0]     status, status_q;
  logic           engine_job;
  logic           uses_context, key_held, permitted, names_key, permitted_q, gone_q;
  ow_slot_context_t named;
  assign command_o = '{
    iv: descriptor_i.iv, aad_length: descriptor_i.aad_length, length: descriptor_i.length,
    key: descriptor_i.control.key, tag_length: descriptor_i.control.tag_length,
    long_iv: descriptor_i.control.long_iv, long_iv_bytes: descriptor_i.iv[95:64],
    append_tag: descriptor_i.control.append_tag, save_state: descriptor_i.control.save_state,
    load_state: descriptor_i.control.load_state, inline_key: descriptor_i.control.inline_key,
    decrypt: descriptor_i.control.decrypt, opcode: descriptor_i.control.opcode
  };
  assign key_slot_o   = descriptor_i.control.key;
  // The planner sees nothing of a slot that the queue may not use, empty ones included, so no status can reveal it.
  assign permitted    = key_i.queues[3'(queue_q)];
  assign key_held     = step_q != Choose && !descriptor_i.control.inline_key;
  assign key_held_o   = key_held;
  assign start_next_o = step_q == Check;
  assign names_key    = descriptor_i.control.generation;
  assign named        = ow_slot_context_t'(descriptor_i.context_);
  assign uses_context = plan_q.key_words != '0 || plan_q.state_in || plan_q.state_out;

  always_comb begin
    status = plan_q.status;
    if (names_key && (descriptor_i.control.inline_key || (plan_q.status == StOk && !plan_q.uses_key))) begin
      status = StBadFlags;
    end else if (plan_q.status == StOk) begin
      if ((descriptor_i.control.source_list && descriptor_i.source[3:0] != '0)
          || (descriptor_i.control.destination_list && descriptor_i.destination[3:0] != '0)
          || (uses_context && descriptor_i.context_[3:0] != '0)) begin
        status = StBadSegment;
      end
    end
    // First whether the queue may use the slot, then whether it contains the key that the job names, then whatever
    // depends on the key. A refusal for other reasons does not depend on the slot's content.
    if (!descriptor_i.control.inline_key
        && (plan_q.uses_key || plan_q.status == StBadKey || plan_q.status == StKeyDenied)) begin
      if (!permitted_q) status = StKeyDenied;
      else if (names_key && gone_q) status = StKeyGone;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q          <= Choose;
      start_o         <= 1'b0;
      command_valid_o <= 1'b0;
    end else begin
      start_o <= start_next_o;
      unique case (step_q)
        Choose:  if (pick_valid) step_q <= Take;
        Take:    step_q <= take_o ? Look : Choose;
        Look:    step_q <= Ask;
        Ask:     step_q <= Plan;
        Plan:    step_q <= Check;
        Check:   step_q <= Start;
        Start:   step_q <= Hand;
        default: if (command_ready_i || !command_valid_o) step_q <= Choose;
      endcase
      command_valid_o <= (step_q == Start && start_engine_o) || (command_valid_o && !command_ready_i);
    end
    if (pick) {queue_q, not_queue_q} <= {picked, ~picked};
    if (step_q == Look) begin
      key_info_o  <= permitted ? key_i.info : '0;
      permitted_q <= permitted;
      gone_q      <= named.value.generation != key_i.generation[15:0];
    end
    if (step_q == Plan) plan_q <= plan_i;
    if (step_q == Check) begin
      if (status != StOk) plan_q <= '0;   // a refused job moves no data
      status_q <= status;
      stream_q <= lowest(~active_i);
    end
  end

  // Start.
  assign engine_job         = descriptor_i.control.opcode != OpNop;
  assign start_stream_o     = stream_q;
  assign start_status_o     = status_q;
  assign start_engine_o     = status_q == StOk && engine_job;
  assign start_slot_used_o  = plan_q.uses_key;
  assign start_inline_key_o = descriptor_i.control.inline_key;
  assign start_job_o = '{
    queue: queue_q, cookie: descriptor_i.cookie, interrupt: descriptor_i.control.interrupt,
    source_list: descriptor_i.control.source_list, destination_list: descriptor_i.control.destination_list,
    source: descriptor_i.source, destination: descriptor_i.destination, aad: descriptor_i.aad,
    context_address: names_key ? 64'(named.value.address) : descriptor_i.context_, iv_address: descriptor_i.iv[63:0],
    wipe: plan_q.tag_in_bytes != '0 && plan_q.out_bytes != '0,
    plan: plan_q
  };

  // Hand over to the engine.
  assign command_stream_o = stream_q;
  assign command_plan_o   = plan_q;
endmodule
