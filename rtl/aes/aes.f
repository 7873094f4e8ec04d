rtl/common/ow_spec_pkg.sv
rtl/common/ow_engine_pkg.sv
rtl/aes/aes_plan.sv
rtl/aes/aes.sv
