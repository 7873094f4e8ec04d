// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The memory map of the system, and its interrupt sources: those of QEMU's machine `virt`, Outwork and Outwork lite.
//
// outwork/soc/memory_map.py reads the constants of this file, for the firmware and its linker script.
package soc_pkg;
  localparam logic [31:0] FinisherBase = 32'h0010_0000;  // ends the simulation
  localparam logic [31:0] ClintBase    = 32'h0200_0000;  // time and software interrupt
  localparam logic [31:0] PlicBase     = 32'h0c00_0000;
  localparam logic [31:0] ConsoleBase  = 32'h1000_0000;
  localparam logic [31:0] OutworkBase  = 32'h1010_0000;
  localparam logic [31:0] LiteBase     = 32'h1018_0000;
  localparam logic [31:0] RamBase      = 32'h8000_0000;
  localparam logic [31:0] RamBytes     = 32'h0400_0000;

  localparam int unsigned LineBytes = 64;   // of both caches

  localparam int unsigned OutworkSource = 1;   // the first of its four: one a queue
  localparam int unsigned LiteSource    = 5;
  localparam int unsigned ConsoleSource = 10;
  localparam int unsigned NumSources    = 10;

  // An access of the CPU to a peripheral. It stays until it is answered with `done`.
  typedef struct packed {
    logic        valid;
    logic        write;
    logic [31:0] address;
    logic [31:0] data;
    logic [3:0]  mask;
  } peripheral_req_t;

  typedef struct packed {
    logic        done;
    logic        error;
    logic [31:0] data;
  } peripheral_rsp_t;
endpackage
