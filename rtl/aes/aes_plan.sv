// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The AES engine's planner: whether a job is valid, and which bytes it needs.
//
// Combinational. A job with several errors gets the status with the lowest number; the key is checked only if there is
// no other error. `key_i` is read only without INLINE_KEY.
//
//   flags    LOAD_STATE, SAVE_STATE: XTS, GCM, GMAC, CMAC (for ECB, CBC and CTR the completion's tag is the state)
//            APPEND_TAG: GCM, GMAC, CCM, CMAC; not with DECRYPT, not with SAVE_STATE
//            LONG_IV: GCM, GMAC; with LOAD_STATE the IV comes from the state and memory is not read
//   lengths  ECB, CBC and every job with SAVE_STATE: multiples of 16; XTS at least 16; CCM less than 2^(8q)
//            AAD: only GCM without LOAD_STATE, and CCM; the last part of a CMAC is not empty
//   tags     (none with SAVE_STATE) GCM 4 to 16; CCM 4, 6 .. 16; CMAC, GMAC 1 to 16, with DECRYPT 4 to 16; EIA2 4
//   IV       a long IV is not empty; CCM: first byte q-1 from 1 to 7, last q bytes zero
//            EEA2, EIA2: a radio IV has only COUNT, BEARER, DIRECTION and the number of bits in the last byte
//   right    of a key in a slot: `mac`, `encrypt` or `decrypt`, as the job needs. GMAC needs `mac` and `encrypt`: from
//            two tags under one IV a client can compute GHASH's key, and from that an IV for which any chosen block
//            is the first counter block
//   key      loaded for AES; 128 bits for EEA2 and EIA2; two keys for XTS, and only there; XTS takes no 192-bit keys
//            (IEEE 1619)
module aes_plan
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter bit EnableDecrypt = 1'b1
) (
  input  ow_command_t  cmd_i,
  input  ow_key_info_t key_i,
  output ow_plan_t     plan_o
);

  logic ecb, cbc, ctr, gcm, gmac, xts, ccm, cmac, eea2, eia2, radio;
  assign ecb  = cmd_i.opcode == OpAesEcb;
  assign cbc  = cmd_i.opcode == OpAesCbc;
  assign ctr  = cmd_i.opcode == OpAesCtr;
  assign gcm  = cmd_i.opcode == OpAesGcm;
  assign gmac = cmd_i.opcode == OpAesGmac;
  assign xts  = cmd_i.opcode == OpAesXts;
  assign ccm  = cmd_i.opcode == OpAesCcm;
  assign cmac = cmd_i.opcode == OpAesCmac;
  assign eea2 = cmd_i.opcode == OpEea2;
  assign eia2 = cmd_i.opcode == OpEia2;

  ow_radio_iv_t radio_iv;
  assign radio    = eea2 | eia2;
  assign radio_iv = ow_radio_iv_t'(cmd_i.iv);

  logic known, has_tag, mac_only;
  assign mac_only = gmac | cmac | eia2;
  assign has_tag  = gcm | ccm | mac_only;
  assign known    = has_tag | ctr | eea2 | ((ecb | cbc | xts) & (EnableDecrypt | ~cmd_i.decrypt));

  logic bad_flags;
  assign bad_flags = ((cmd_i.load_state | cmd_i.save_state) & ~(xts | gcm | gmac | cmac)) |
                     (cmd_i.append_tag & (~has_tag | cmd_i.decrypt | cmd_i.save_state)) |
                     (cmd_i.long_iv & ~(gcm | gmac));

  // CCM: Ctr_0 holds q-1, the nonce of 15-q bytes, and q zero bytes (SP 800-38C A.3).
  logic [2:0] ccm_q1;
  logic       ccm_long, ccm_counter;
  assign ccm_q1 = cmd_i.iv[2:0];
  always_comb begin
    ccm_long    = 1'b0;
    ccm_counter = 1'b0;
    for (int unsigned i = 0; i < 8; i++) begin
      // Byte i of Q, counted from the least significant; the counter's byte i is byte 15-i of the block.
      if (i <= 32'(ccm_q1)) ccm_counter |= cmd_i.iv[8*(15-i) +: 8] != 8'h00;
      else if (i < 4) ccm_long |= cmd_i.length[8*i +: 8] != 8'h00;
    end
  end

  logic bad_length;
  assign bad_length = ((ecb | cbc | cmd_i.save_state) & (cmd_i.length[3:0] != 4'd0)) |
                      (xts & (cmd_i.length < 32'd16)) |
                      (ccm & ccm_long) |
                      (radio & (radio_iv.control.last_bits != 3'd0) & (cmd_i.length == 32'd0)) |
                      (cmac & cmd_i.load_state & ~cmd_i.save_state & (cmd_i.length == 32'd0)) |
                      ((cmd_i.aad_length != 32'd0) & ~(ccm | (gcm & ~cmd_i.load_state)));

  logic [4:0] tag_length_min;
  logic       bad_tag_length;
  assign tag_length_min = (mac_only & ~cmd_i.decrypt) ? 5'd1 : 5'd4;
  assign bad_tag_length = has_tag & ~cmd_i.save_state &
                          ((cmd_i.tag_length < tag_length_min) | (cmd_i.tag_length > 5'd16) |
                           (ccm & cmd_i.tag_length[0]) | (eia2 & (cmd_i.tag_length != 5'd4)));

  logic long_iv, bad_iv;
  assign long_iv = cmd_i.long_iv & ~cmd_i.load_state;
  assign bad_iv  = (long_iv & (cmd_i.long_iv_bytes == 32'd0)) |
                   (ccm & ((cmd_i.iv[7:3] != 5'd0) | (ccm_q1 == 3'd0) | ccm_counter)) |
                   (radio & ((radio_iv.way.unused6 != '0) | (cmd_i.iv[127:99] != '0)));

  logic [1:0] key_length;
  logic       bad_key, denied;
  assign key_length = cmd_i.inline_key ? cmd_i.key[1:0] : key_i.length;
  assign bad_key    = (cmd_i.inline_key ? (cmd_i.key[7:2] != 6'd0)
                                        : (~key_i.valid | (key_i.kind != 8'd0) |
                                           (key_i.two_keys != xts))) |
                      (key_length == 2'd3) | (xts & (key_length == KeyBits192)) |
                      (radio & (key_length != KeyBits128));
  assign denied     = ~cmd_i.inline_key &
                      ~(gmac ? key_i.mac & key_i.encrypt : mac_only ? key_i.mac :
                        cmd_i.decrypt ? key_i.decrypt : key_i.encrypt);

  logic [7:0] status;
  assign status = status_of('{
    opcode: !known, flags: bad_flags, length: bad_length, tag_length: bad_tag_length, iv: bad_iv, key: bad_key,
    denied: denied, default: 1'b0
  });

  logic valid;   // `status` is StOk, found sooner
  assign valid = known & ~(bad_flags | bad_length | bad_tag_length | bad_iv | bad_key | denied);

  // SP 800-38C A.2.2: 2 or 6 bytes with the length come before the AAD; the engine makes them.
  logic [3:0] skew;
  assign skew = cmd_i.aad_length == 32'd0 ? 4'd0 : cmd_i.aad_length < 32'd65280 ? 4'd2 : 4'd6;

  always_comb begin
    plan_o = '0;
    plan_o.status        = status;
    plan_o.uses_key      = valid & ~cmd_i.inline_key;
    plan_o.state_in      = cmd_i.load_state;
    plan_o.state_out     = cmd_i.save_state;
    plan_o.state_at      = 4'd4;
    plan_o.state_words   = 5'd3;
    plan_o.aad_bytes     = cmd_i.aad_length;
    plan_o.payload_bytes = cmd_i.length;
    if (cmd_i.inline_key) plan_o.key_words = (xts ? 4'd3 : 4'd1) + 4'(key_length != KeyBits128);
    if (long_iv) plan_o.iv_bytes = cmd_i.long_iv_bytes;
    if (ccm) plan_o.aad_skew = skew;
    if (has_tag && cmd_i.decrypt && !cmd_i.save_state) plan_o.tag_in_bytes = 7'(cmd_i.tag_length);
    plan_o.out_bytes = (mac_only ? 33'd0 : 33'(cmd_i.length)) + (cmd_i.append_tag ? 33'(cmd_i.tag_length) : 33'd0);
  end
endmodule
