// The whole accelerator, in compile order; paths are relative to this file.
common/ow_spec_pkg.sv
common/ow_engine_pkg.sv
common/ascon_pkg.sv
common/ow_round_robin.sv
common/ow_port_order.sv
common/ow_port_turn.sv
common/ow_turn_pick.sv
common/ow_share_pick.sv
common/ow_clmul_rows.sv
common/ow_clmul16.sv
common/ow_ram.sv
common/ow_rotate.sv
common/ow_copy.sv
common/ow_decode.sv
common/ow_fifo.sv
common/ow_head_fifo.sv
common/ow_arbiter.sv
common/ow_key_store.sv
common/ow_engine_mux.sv
common/ow_out_register.sv
common/ow_held_check.sv
common/ow_engine_check.sv
common/ow_clock_gate.sv
-F aes/aes.f
-F hash/hash.f
-F combined/combined.f
zuc/zuc_pkg.sv
snow3g/snow3g_pkg.sv
-F radio/radio.f
-F des/des.f
-F ascon/ascon.f
-F lattice/lattice.f
-F pka/pka.f
-F seal/seal.f
-F shell/shell.f
outwork_top.sv
