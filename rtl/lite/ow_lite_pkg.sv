// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Registers, memory layouts and codes: generated from spec/lite.rdl by spec/generate.py; do not edit.

// A package holds more constants than any one design reads, and `interrupt` is a word of some C++ compilers.
// verilator lint_off UNUSEDPARAM
// verilator lint_off SYMRSVDWORD
package ow_lite_pkg;

  typedef enum logic [1:0] {
    LiteModeEcb = 2'h0,
    LiteModeCbc = 2'h1,
    LiteModeCtr = 2'h2
  } ow_lite_mode_e;

  typedef enum logic [2:0] {
    LiteCommandStart = 3'h1,
    LiteCommandLoadKey = 3'h2,
    LiteCommandDrop = 3'h3,
    LiteCommandZeroise = 3'h4
  } ow_lite_command_e;

  typedef enum logic [3:0] {
    LiteErrorNone = 4'h0,
    LiteErrorNoKey = 4'h1,
    LiteErrorBadKey = 4'h2,
    LiteErrorBadIv = 4'h3,
    LiteErrorNoMessage = 4'h4,
    LiteErrorOverrun = 4'h5,
    LiteErrorNoOutput = 4'h6,
    LiteErrorInUse = 4'h7,
    LiteErrorBadCommand = 4'h8,
    LiteErrorTampered = 4'h9
  } ow_lite_error_e;

  // All of the accelerator. Only whole words can be written: a write with a missing strobe is answered SLVERR and has no effect. What is not listed reads zero and ignores writes.
  localparam int unsigned LitePageOffset = 'h0;
  localparam logic [11:0] LiteIdOffset = 12'h000;
  localparam logic [31:0] LiteIdReset = 32'h4f574c54;
  localparam logic [11:0] LiteVersionOffset = 12'h004;
  localparam logic [31:0] LiteVersionReset = 32'h07000100;
  localparam logic [11:0] LiteStatusOffset = 12'h008;
  localparam logic [11:0] LiteIrqEnableOffset = 12'h00c;
  localparam logic [31:0] LiteIrqEnableReset = 32'h00000000;
  localparam logic [11:0] LiteCommandOffset = 12'h010;
  localparam logic [11:0] LiteKeyOffset = 12'h014;
  localparam logic [11:0] LiteIvOffset = 12'h018;
  localparam logic [11:0] LiteDataInOffset = 12'h01c;
  localparam logic [11:0] LiteDataOutOffset = 12'h020;

  typedef struct packed {
    logic [7:0] modes;
    logic [7:0] major;
    logic [7:0] minor;
    logic [7:0] patch;
  } ow_lite_version_t;

  typedef struct packed {
    logic [13:0] unused18;
    logic output_ready;
    logic input_ready;
    logic [1:0] unused14;
    logic [1:0] blocks;
    logic tamper;
    logic busy;
    logic message;
    logic key;
    logic [3:0] unused4;
    logic [3:0] error;
  } ow_lite_status_t;

  typedef struct packed {
    logic [29:0] unused2;
    logic error;
    logic output_ready;
  } ow_lite_irq_enable_t;

  typedef struct packed {
    logic [20:0] unused11;
    logic decrypt;
    logic [1:0] mode;
    logic [4:0] unused3;
    logic [2:0] command;
  } ow_lite_command_t;

  localparam int unsigned LiteVersionPatchLsb = 0;
  localparam int unsigned LiteVersionPatchWidth = 8;
  localparam int unsigned LiteVersionMinorLsb = 8;
  localparam int unsigned LiteVersionMinorWidth = 8;
  localparam int unsigned LiteVersionMajorLsb = 16;
  localparam int unsigned LiteVersionMajorWidth = 8;
  localparam int unsigned LiteVersionModesLsb = 24;
  localparam int unsigned LiteVersionModesWidth = 8;
  localparam int unsigned LiteStatusErrorLsb = 0;
  localparam int unsigned LiteStatusErrorWidth = 4;
  localparam int unsigned LiteStatusKeyLsb = 8;
  localparam int unsigned LiteStatusKeyWidth = 1;
  localparam int unsigned LiteStatusMessageLsb = 9;
  localparam int unsigned LiteStatusMessageWidth = 1;
  localparam int unsigned LiteStatusBusyLsb = 10;
  localparam int unsigned LiteStatusBusyWidth = 1;
  localparam int unsigned LiteStatusTamperLsb = 11;
  localparam int unsigned LiteStatusTamperWidth = 1;
  localparam int unsigned LiteStatusBlocksLsb = 12;
  localparam int unsigned LiteStatusBlocksWidth = 2;
  localparam int unsigned LiteStatusInputReadyLsb = 16;
  localparam int unsigned LiteStatusInputReadyWidth = 1;
  localparam int unsigned LiteStatusOutputReadyLsb = 17;
  localparam int unsigned LiteStatusOutputReadyWidth = 1;
  localparam int unsigned LiteIrqEnableOutputReadyLsb = 0;
  localparam int unsigned LiteIrqEnableOutputReadyWidth = 1;
  localparam int unsigned LiteIrqEnableErrorLsb = 1;
  localparam int unsigned LiteIrqEnableErrorWidth = 1;
  localparam int unsigned LiteCommandCommandLsb = 0;
  localparam int unsigned LiteCommandCommandWidth = 3;
  localparam int unsigned LiteCommandModeLsb = 8;
  localparam int unsigned LiteCommandModeWidth = 2;
  localparam int unsigned LiteCommandDecryptLsb = 10;
  localparam int unsigned LiteCommandDecryptWidth = 1;

endpackage
// verilator lint_on UNUSEDPARAM
// verilator lint_on SYMRSVDWORD
