// The system but its CPU, which platform/soc/cpu generates.
soc_pkg.sv
soc_axil.sv
soc_bus.sv
soc_clint.sv
soc_console.sv
soc_plic.sv
soc.sv
