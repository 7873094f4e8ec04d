// The radio engine, in compile order; paths are relative to this file. It needs ../common/ow_spec_pkg.sv,
// ../common/ow_engine_pkg.sv, ../common/ow_round_robin.sv, ../common/ow_turn_pick.sv, ../common/ow_arbiter.sv,
// ../common/ow_ram.sv, ../common/ow_key_store.sv, ../common/ow_clmul_rows.sv, ../common/ow_clmul16.sv,
// ../aes/aes_pkg.sv, ../zuc/zuc_pkg.sv and ../snow3g/snow3g_pkg.sv before.
radio_pkg.sv
radio_plan.sv
radio_sboxes.sv
radio_generator.sv
radio_product.sv
radio_accumulator.sv
radio_mac.sv
radio_lane.sv
radio_share.sv
radio_start.sv
radio.sv
