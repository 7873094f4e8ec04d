// States sealed between engines and shell, in compile order; paths are relative to this file. It needs
// ../common/ow_spec_pkg.sv, ../common/ow_engine_pkg.sv, ../common/ow_fair_pick.sv and ../common/ascon_pkg.sv before.
ow_seal_core.sv
ow_seal.sv
