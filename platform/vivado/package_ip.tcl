# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Packages the accelerator as an IP of Vivado, with the parameters of a preset as defaults:
#   vivado -mode batch -source platform/vivado/package_ip.tcl -tclargs PRESET FOLDER
source [file join [file dirname [info script]] facts.tcl]

if {[llength $argv] != 2} {
  error "usage: package_ip.tcl -tclargs PRESET FOLDER"
}
lassign $argv preset folder
set values [outwork::preset $preset]

create_project -in_memory -part xc7z020clg484-1
read_verilog -sv [outwork::configured [outwork::macros $preset] [file join $folder configured]]
# The top of an IP for block designs must be Verilog.
read_verilog [file join $outwork::root rtl/outwork_axi.v]
set_property top outwork_axi [current_fileset]
update_compile_order -fileset sources_1

ipx::package_project -root_dir $folder -vendor outwork -library outwork -taxonomy /UserIP -import_files -force
set core [ipx::current_core]
set_property name outwork_axi $core
set_property version [outwork::version] $core
set_property display_name "Outwork" $core
set_property description "Crypto offload: registers behind AXI4-Lite, jobs in memory behind AXI4" $core

# Clock, reset and interrupt are declared in outwork_axi.v, the AXI ports are known by their names.
foreach interface {s_axil m_axi} {
  ipx::associate_bus_interfaces -busif $interface -clock aclk $core
}
dict for {name value} $values {
  set_property value $value [ipx::get_user_parameters $name -of_objects $core]
  set_property value $value [ipx::get_hdl_parameters $name -of_objects $core]
}

ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity $core
ipx::save_core $core
close_project
