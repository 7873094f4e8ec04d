// Files of the sealed states, in compile order; paths are relative to this file. ../common/ow_spec_pkg.sv,
// ../common/ow_engine_pkg.sv, ../common/ow_turn_pick.sv, ../common/ow_ram.sv and ../common/ascon_pkg.sv must be
// compiled before.
ow_seal_core.sv
ow_seal_rows.sv
ow_seal.sv
