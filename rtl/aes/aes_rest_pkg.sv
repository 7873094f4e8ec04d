// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What decides of the bytes left in a section: kept beside their number, so that no sum stands before a decision.
package aes_rest_pkg;
  typedef struct packed {
    logic some;               // more than 0
    logic over8;              // more than 8
    logic last;               // at most 16: one word
    logic steals;             // 17 to 31: the last two blocks of XTS
    logic many;               // at least 48
    logic more;               // at least 64
  } aes_rest_t;

  // Returns the rest of a section of `bytes` bytes with `ahead` more before them.
  function automatic aes_rest_t rest_of(logic [31:0] bytes, logic [3:0] ahead);
    logic       near_end;   // below 64
    logic [6:0] left;
    left     = 7'(bytes[5:0]) + 7'(ahead);
    near_end = bytes[31:6] == '0 && !left[6];
    rest_of.some   = !near_end || left[5:0] != '0;
    rest_of.over8  = !near_end || left[5:0] > 6'd8;
    rest_of.last   = near_end && left[5:0] <= 6'd16;
    rest_of.steals = near_end && left[5:0] > 6'd16 && left[5:0] < 6'd32;
    rest_of.many   = !near_end || left[5:4] == '1;
    rest_of.more   = !near_end;
  endfunction

  // Returns the rest when a word has gone, from the bytes left with it and the rest with it: if there are not many, the
  // lowest bits of the number tell all.
  function automatic aes_rest_t rest_after(logic [32:0] left, aes_rest_t rest);
    rest_after.some   = rest.many || left[5:0] > 6'd16;
    rest_after.over8  = rest.many || left[5:0] > 6'd24;
    rest_after.last   = !rest.many && left[5:0] <= 6'd32;
    rest_after.steals = !rest.many && left[5:0] > 6'd32;
    rest_after.many   = rest.more;
    rest_after.more   = rest.more && (left[32:7] != '0 || left[6:4] > 3'd4);
  endfunction
endpackage
