// The system but its CPU, which platform/soc/cpu generates.
soc_pkg.sv
../../../rtl/aes/aes_pkg.sv
zkn.sv
soc_axil.sv
soc_bus.sv
soc_clint.sv
soc_console.sv
soc_plic.sv
soc.sv
