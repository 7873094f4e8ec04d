// What the engines share, in compile order; paths are relative to this file.
../../../rtl/common/ow_spec_pkg.sv
../../../rtl/common/ow_engine_pkg.sv
../../../rtl/common/ascon_pkg.sv
../../../rtl/common/ow_round_robin.sv
../../../rtl/common/ow_fair_pick.sv
../../../rtl/common/ow_turn_pick.sv
../../../rtl/common/ow_share_pick.sv
../../../rtl/common/ow_arbiter.sv
../../../rtl/common/ow_fifo.sv
../../../rtl/common/ow_key_store.sv
../../../rtl/aes/aes_pkg.sv
../../../rtl/aes/aes_ghash_pkg.sv
../../../rtl/zuc/zuc_pkg.sv
../../../rtl/snow3g/snow3g_pkg.sv
../../../rtl/common/ow_engine_mux.sv
../../../rtl/common/ow_held_check.sv
../../../rtl/common/ow_engine_check.sv
