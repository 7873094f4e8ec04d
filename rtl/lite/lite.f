// The small AES accelerator, whole and in compile order; paths are relative to this file.
../aes/aes_pkg.sv
../aes/aes_sub_word.sv
ow_lite_pkg.sv
ow_lite_aes.sv
ow_lite_port.sv
ow_lite.sv
