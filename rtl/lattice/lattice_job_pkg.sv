// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The opcodes of the lattice engine, until spec/outwork.rdl has them.
package lattice_job_pkg;
  localparam logic [7:0] OpMlkemKeygen      = 8'ha0;
  localparam logic [7:0] OpMlkemEncapsulate = 8'ha1;
  localparam logic [7:0] OpMlkemDecapsulate = 8'ha2;
endpackage
