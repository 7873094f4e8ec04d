// The system but its CPU, which platform/soc/cpu generates.
soc_pkg.sv
../../../rtl/common/ow_clock_gate.sv
-F ../../../rtl/lite/lite.f
zkn.sv
soc_axil.sv
soc_bus.sv
soc_clint.sv
soc_console.sv
soc_lite.sv
soc_plic.sv
soc.sv
