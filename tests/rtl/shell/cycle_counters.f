// Counters of cycles alone, in compile order; paths are relative to this file.
../../../rtl/common/ow_spec_pkg.sv
../../../rtl/common/ow_engine_pkg.sv
../../../rtl/common/ow_clock_gate.sv
../../../rtl/shell/ow_shell_pkg.sv
../../../rtl/shell/ow_cycle_counters.sv
