// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The register page of the device's owner: capabilities, time, keys, seed, and the grants of the queues.
//
// After reset nothing is written before `ready_o` (ow_windows).
module ow_global_page
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned DataWidth = 128,
  parameter int unsigned KeySlots = 32,
  parameter bit          MadeKeys = 1'b1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [63:0]            cycle_i,

  input  logic                   write_i,
  input  logic [11:0]            write_address_i,
  input  logic [31:0]            write_data_i,
  input  logic                   read_i,
  input  logic [11:0]            read_address_i,
  output logic [31:0]            read_data_o,   // in the next cycle

  input  ow_capabilities_t       capabilities_i,
  input  ow_global_status_t      status_i,
  input  logic [NumQueues-1:0]   irq_i,

  output logic                   write_key_config_o,
  output logic                   write_key_data_o,
  output logic                   write_key_command_o,
  output logic                   write_seed_o,
  output logic [7:0]             key_slot_o,
  input  ow_global_key_config_t  key_config_i,
  input  ow_global_key_status_t  key_status_i,
  input  logic [15:0]            key_generation_i,

  output logic                   ready_o,
  output grant_t [NumQueues-1:0] grant_o,
  output logic [NumQueues-1:0]   regranted_o,   // the queue's grant has been written in the cycle before
  input  window_name_t           for_reads_i,   // the read port's check asks for a window,
  output window_t                for_reads_o,
  input  window_name_t           for_writes_i,  // and the writer's
  output window_t                for_writes_o,
  input  queue_t                 watch_queue_i,
  output logic [31:0]            watchdog_o     // how many cycles a job of this queue may take; 0: any number
);
  grant_t [NumQueues-1:0] grant_q;
  logic [31:0] cycle_high_q;
  logic [7:0]  key_slot_q;

  assign grant_o             = grant_q;
  assign key_slot_o          = key_slot_q;
  assign write_key_config_o  = write_i && write_address_i == GlobalKeyConfigOffset;
  assign write_key_command_o = write_i && write_address_i == GlobalKeyCommandOffset;
  assign write_key_data_o    = write_i && write_address_i >= GlobalKeyDataOffset
                               && write_address_i < GlobalKeyDataOffset + 12'(4 * GlobalKeyDataCount);

  assign write_seed_o        = write_i && write_address_i >= GlobalSeedOffset
                               && write_address_i < GlobalSeedOffset + 12'(4 * GlobalSeedCount);

  // An address in a queue's block: the queue's number, then a register of the block itself or of a window.
  localparam int unsigned QueueBits = $clog2(QueueConfigStride);
  localparam int unsigned WindowBits = $clog2(WindowStride);
  function automatic logic in_queues(logic [11:0] address);
    return address >= QueueConfigOffset && address < QueueConfigOffset + 12'(NumQueues * QueueConfigStride);
  endfunction
  function automatic queue_t queue_of(logic [11:0] address);
    return queue_t'((address - QueueConfigOffset) >> QueueBits);
  endfunction

  queue_t write_queue, read_queue;
  logic [$bits(for_reads_i.index)-1:0] write_window;
  logic [QueueBits-1:0] write_block, read_block;
  assign write_queue  = queue_of(write_address_i);
  assign read_queue   = queue_of(read_address_i);
  assign write_block  = write_address_i[QueueBits-1:0];
  assign read_block   = read_address_i[QueueBits-1:0];
  assign write_window = write_address_i[WindowBits+:$bits(write_window)];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      grant_q      <= '0;
      regranted_o  <= '0;
      cycle_high_q <= '0;
      key_slot_q   <= '0;
    end else begin
      regranted_o <= '0;
      if (read_i && read_address_i == GlobalCycleLowOffset) cycle_high_q <= cycle_i[63:32];
      if (write_i && write_address_i == GlobalKeySlotOffset) key_slot_q <= write_data_i[7:0];
      if (write_i && in_queues(write_address_i)) begin
        regranted_o[write_queue] <= 1'b1;
        if (write_block == QueueBits'(QueueConfigGrantOffset)) begin
          grant_q[write_queue].allow              <= write_data_i[QueueConfigGrantAllowLsb];
          grant_q[write_queue].high_priority      <= write_data_i[QueueConfigGrantPriorityLsb];
          grant_q[write_queue].any_address        <= write_data_i[QueueConfigGrantAnyAddressLsb];
        end
        if (write_block >= QueueBits'(WindowOffset)) begin
          if (12'(write_block[WindowBits-1:0]) == WindowPermissionOffset) begin
            grant_q[write_queue].read[write_window]  <= write_data_i[WindowPermissionReadLsb];
            grant_q[write_queue].write[write_window] <= write_data_i[WindowPermissionWriteLsb];
          end
        end
      end
    end
  end

  // The addresses of a window are the words before its permission.
  window_name_t shown_window;
  window_t      shown;
  logic [31:0]  shown_watchdog;
  assign shown_window = '{queue: read_queue, index: read_address_i[WindowBits+:$bits(shown_window.index)]};
  ow_windows u_windows (
    .clk_i, .rst_ni, .ready_o,
    .write_i       (write_i && in_queues(write_address_i) && write_block >= QueueBits'(WindowOffset)
                    && 12'(write_block[WindowBits-1:0]) < WindowPermissionOffset),
    .write_window_i('{queue: write_queue, index: write_window}),
    .write_word_i  (write_block[3:2]),
    .write_data_i,
    .shown_i       (shown_window),
    .shown_o       (shown),
    .for_reads_i, .for_reads_o, .for_writes_i, .for_writes_o,
    .write_watchdog_i(write_i && in_queues(write_address_i) && write_block == QueueBits'(QueueConfigWatchdogOffset)),
    .shown_watchdog_o(shown_watchdog),
    .watch_queue_i, .watchdog_o
  );

  // What is known of the slot that is shown comes late, and has a register apart. One of the two is zero.
  logic [31:0] page_q, slot_q;
  assign read_data_o = page_q | slot_q;
  always_ff @(posedge clk_i) if (read_i) begin
    unique case (read_address_i)
      GlobalKeyConfigOffset:     slot_q <= key_config_i;
      GlobalKeyStatusOffset:     slot_q <= key_status_i;
      GlobalKeyGenerationOffset: slot_q <= 32'(key_generation_i);
      default:                   slot_q <= '0;
    endcase
  end

  always_ff @(posedge clk_i) if (read_i) begin
    page_q <= '0;
    unique case (read_address_i)
      GlobalIdOffset:        page_q <= GlobalIdReset;
      GlobalVersionOffset:   page_q <= GlobalVersionReset;
      GlobalShellOffset:     page_q <= {8'(DataWidth / 8), 8'(KeySlots), 8'(NumStreams), 8'(NumQueues)};
      GlobalLimitsOffset:    begin
        page_q <= ow_global_limits_t'{
          made_keys: MadeKeys, no_step_cycles: !StepCycles, no_seal: !Seal, windows: 8'(NumWindows),
          ring_log2_max: 8'(RingLog2Max), default: '0
        };
      end
      GlobalEnginesOffset:   page_q <= ow_engines(capabilities_i);
      GlobalCycleLowOffset:  page_q <= cycle_i[31:0];
      GlobalCycleHighOffset: page_q <= cycle_high_q;
      GlobalStatusOffset:    page_q <= status_i;
      GlobalIrqOffset:       page_q <= 32'(irq_i);
      GlobalKeySlotOffset:   page_q <= 32'(key_slot_q);
      GlobalKeyConfigOffset, GlobalKeyStatusOffset, GlobalKeyGenerationOffset: page_q <= '0;
      default: begin
        page_q <= ow_capability(capabilities_i, read_address_i);
        if (in_queues(read_address_i)) begin
          if (read_block == QueueBits'(QueueConfigGrantOffset)) begin
            page_q <= {29'd0, grant_q[read_queue].any_address,
                           grant_q[read_queue].high_priority, grant_q[read_queue].allow};
          end else if (read_block == QueueBits'(QueueConfigWatchdogOffset)) begin
            page_q <= shown_watchdog;
          end else if (read_block >= QueueBits'(WindowOffset)) begin
            unique case (12'(read_block[WindowBits-1:0]))
              WindowBaseLowOffset:    page_q <= shown.base[31:0];
              WindowBaseHighOffset:   page_q <= shown.base[63:32];
              WindowLastLowOffset:    page_q <= shown.last[31:0];
              WindowLastHighOffset:   page_q <= shown.last[63:32];
              WindowPermissionOffset: begin
                page_q <= {30'd0, grant_q[read_queue].write[shown_window.index],
                                grant_q[read_queue].read[shown_window.index]};
              end
              default: ;
            endcase
          end
        end
      end
    endcase
  end
endmodule
