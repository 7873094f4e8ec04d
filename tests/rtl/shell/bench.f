// The shell's bench, in compile order; paths are relative to this file.
../../../rtl/common/ow_spec_pkg.sv
../../../rtl/common/ow_engine_pkg.sv
../../../rtl/common/ow_round_robin.sv
../../../rtl/common/ow_turn_pick.sv
../../../rtl/common/ow_ram.sv
../../../rtl/common/ow_rotate.sv
../../../rtl/common/ow_decode.sv
../../../rtl/common/ow_fifo.sv
../../../rtl/common/ow_clock_gate.sv
-F ../../../rtl/shell/shell.f
copy_engine.sv
shell_bench.sv
