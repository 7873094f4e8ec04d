// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One queue's register page: doorbell, interrupt with coalescing, halt and reset. Its long words are in ow_queue_words.
//
// A doorbell may only increase; any other value is ignored and halts the queue. The reset of a queue without a grant
// clears the page as a reset of the device does: the queue's next user can read nothing of the previous one.
module ow_queue_page
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
(
  input  logic          clk_i,
  input  logic          config_clk_i,     // gated clk_i; must run for writes, halts, watchdogs and the end of a reset
  input  logic          rst_ni,
  input  logic          write_i,
  input  logic [11:0]   write_address_i,
  input  logic [31:0]   write_data_i,
  input  logic          granted_i,
  input  logic          read_i,
  input  logic [11:0]   read_address_i,
  output logic [31:0]   read_data_o,      // in the next cycle; zero for other addresses

  output queue_config_t config_o,
  output logic          stopped_o,        // halted or being reset
  output logic          start_o,          // a doorbell is written, and every job announced before has completed
  input  logic          hold_i,           // a reset must not complete now
  output logic          forget_o,         // the reset is complete: positions return to zero
  output logic          clear_o,          // the same without a grant: counters are cleared too
  input  logic          drained_i,        // while it is being reset, no job, read or record of it is in progress
  input  logic          busy_i,
  input  logic          watchdog_i,
  input  logic          halt_i,
  input  logic [7:0]    halt_reason_i,
  input  logic [15:0]   fetched_i,
  output logic [15:0]   completed_o,
  input  logic          recorded_i,       // memory has acknowledged a completion record
  input  logic          recorded_interrupt_i,
  output logic          irq_o,
  output logic          pending_o
);
  queue_config_t config_q;
  logic          halted_q, watchdog_q, pending_q;
  logic [7:0]    halt_q;
  logic [15:0]   completed_q, waiting_q;  // waiting: completions that have not raised an interrupt
  logic [31:0]   timer_q;

  assign config_o    = config_q;
  assign stopped_o   = halted_q || config_q.reset;
  assign forget_o    = config_q.reset && drained_i && !hold_i;
  assign clear_o     = forget_o && !granted_i;
  assign completed_o = completed_q;
  wire idle = completed_q == config_q.doorbell;   // every announced job has completed
  assign pending_o   = pending_q;
  assign irq_o       = pending_q && config_q.irq_enable;

  // Whether so many completions wait, or for so long, is known in the cycle after. A record of the cycle in which
  // the interrupt is raised is the first of the next count, unless it raises it itself.
  logic reached_q, late_q, raise;
  always_ff @(posedge clk_i) begin
    reached_q <= waiting_q >= config_q.irq_count;
    late_q    <= config_q.irq_time != '0 && timer_q >= config_q.irq_time;
  end
  assign raise = (recorded_i && recorded_interrupt_i) || (waiting_q != '0 && (reached_q || late_q));

  logic [15:0] announced;
  logic        bad_doorbell;
  assign announced    = write_data_i[15:0] - config_q.doorbell;
  assign bad_doorbell = announced > 16'd1 << RingLog2Max;
  // A doorbell that announces nothing starts nothing: else a queue could keep another one from the end of its reset.
  assign start_o = write_i && write_address_i == QueueDoorbellOffset && !stopped_o && !bad_doorbell && announced != '0
                   && idle;

  always_ff @(posedge config_clk_i) begin
    if (!rst_ni) begin
      config_q   <= '0;
      halted_q   <= 1'b0;
      halt_q     <= HaltNone;
      watchdog_q <= 1'b0;
    end else begin
      if (write_i) begin
        unique case (write_address_i)
          QueueControlOffset: begin
            config_q.enable     <= write_data_i[QueueControlEnableLsb] && !write_data_i[QueueControlResetLsb];
            config_q.irq_enable <= write_data_i[QueueControlIrqEnableLsb];
            if (write_data_i[QueueControlResetLsb]) config_q.reset <= 1'b1;
          end
          QueueDoorbellOffset: begin
            if (!stopped_o && bad_doorbell) begin
              halted_q <= 1'b1;
              halt_q   <= HaltBadDoorbell;
            end else if (!stopped_o) begin
              config_q.doorbell <= write_data_i[15:0];
            end
          end
          QueueIrqCountOffset: config_q.irq_count <= write_data_i[15:0];
          QueueIrqTimeOffset:  config_q.irq_time <= write_data_i;
          default: ;
        endcase
      end
      // A running queue keeps its ring.
      if (write_i && !config_q.enable && write_address_i == QueueRingSizeOffset) config_q.log2 <= write_data_i[3:0];
      if (watchdog_i) watchdog_q <= 1'b1;
      if (halt_i && !halted_q) begin
        halted_q <= 1'b1;
        halt_q   <= halt_reason_i;
      end
      if (forget_o) begin
        config_q.reset    <= 1'b0;
        config_q.doorbell <= '0;
        halted_q          <= 1'b0;
        halt_q            <= HaltNone;
        watchdog_q        <= 1'b0;
      end
      if (clear_o) config_q <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pending_q   <= 1'b0;
      completed_q <= '0;
      waiting_q   <= '0;
      timer_q     <= '0;
    end else begin
      if (write_i && write_address_i == QueueIrqOffset && write_data_i[0]) pending_q <= 1'b0;
      if (write_i && write_address_i == QueueDoorbellOffset && !stopped_o && bad_doorbell) pending_q <= 1'b1;
      if (halt_i && !halted_q) pending_q <= 1'b1;
      if (recorded_i) completed_q <= completed_q + 16'd1;
      if (raise) begin
        pending_q <= 1'b1;
        waiting_q <= 16'(recorded_i && !recorded_interrupt_i);
      end else if (recorded_i) begin
        waiting_q <= waiting_q + 16'd1;
      end
      if (waiting_q == '0 || raise) timer_q <= '0;
      else timer_q <= timer_q + 32'd1;
      if (forget_o) begin
        pending_q   <= 1'b0;
        completed_q <= '0;
        waiting_q   <= '0;
      end
      if (clear_o) timer_q <= '0;
    end
  end

  always_ff @(posedge clk_i) if (read_i) begin
    unique case (read_address_i)
      QueueControlOffset:    read_data_o <= {29'd0, config_q.irq_enable, config_q.reset, config_q.enable};
      QueueStatusOffset:     read_data_o <= {16'd0, halt_q, 5'd0, watchdog_q, halted_q, busy_i};
      QueueRingSizeOffset:   read_data_o <= {28'd0, config_q.log2};
      QueueDoorbellOffset:   read_data_o <= {16'd0, config_q.doorbell};
      QueueProgressOffset:   read_data_o <= {completed_q, fetched_i};
      QueueIrqCountOffset:   read_data_o <= {16'd0, config_q.irq_count};
      QueueIrqTimeOffset:    read_data_o <= config_q.irq_time;
      QueueIrqOffset:        read_data_o <= {31'd0, pending_q};
      default:               read_data_o <= '0;
    endcase
  end
endmodule
