# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Makes a Vivado project for a Zynq-7020: registers behind M_AXI_GP0, jobs through S_AXI_HP0, four interrupts, one clock.
#   vivado -mode batch -source platform/zynq/block_design.tcl -tclargs PRESET IP_FOLDER PROJECT_FOLDER [BOARD_PART]
# IP_FOLDER is what platform/vivado/package_ip.tcl wrote. BOARD_PART sets DDR and pins as the board has them, for example
# em.avnet.com:zed:part0:1.4 or tul.com.tw:pynq-z2:part0:1.0; without it they are the processor's defaults.
source [file join [file dirname [info script]] ../vivado/facts.tcl]

if {[llength $argv] < 3 || [llength $argv] > 4} {
  error "usage: block_design.tcl -tclargs PRESET IP_FOLDER PROJECT_FOLDER \[BOARD_PART\]"
}
lassign $argv preset ip_folder folder board
set where [outwork::defines platform/zynq/addresses.h]
set values [outwork::preset $preset]
set clock_mhz 50

create_project -force outwork_zynq $folder -part xc7z020clg484-1
if {$board ne ""} {
  set_property board_part $board [current_project]
}
set_property ip_repo_paths $ip_folder [current_project]
update_ip_catalog
create_bd_design system

create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7:5.5 ps7
apply_bd_automation -rule xilinx.com:bd_rule:processing_system7 \
  -config [list make_external "FIXED_IO, DDR" apply_board_preset [expr {$board ne ""}]] [get_bd_cells ps7]
# HP is 64 bits wide; the interconnect converts what is narrower or wider.
set_property -dict [list \
  CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ $clock_mhz \
  CONFIG.PCW_USE_M_AXI_GP0 1 \
  CONFIG.PCW_USE_S_AXI_HP0 1 \
  CONFIG.PCW_S_AXI_HP0_DATA_WIDTH 64 \
  CONFIG.PCW_USE_FABRIC_INTERRUPT 1 \
  CONFIG.PCW_IRQ_F2P_INTR 1 \
] [get_bd_cells ps7]

create_bd_cell -type ip -vlnv outwork:outwork:outwork_axi:[outwork::version] outwork
set settings [list CONFIG.AxiCache 0b0011]
dict for {name value} $values {
  lappend settings CONFIG.$name $value
}
set_property -dict $settings [get_bd_cells outwork]

create_bd_cell -type ip -vlnv xilinx.com:ip:proc_sys_reset:5.0 reset
foreach name {to_registers to_memory} {
  create_bd_cell -type ip -vlnv xilinx.com:ip:smartconnect:1.0 $name
  set_property -dict [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 1] [get_bd_cells $name]
}
# Nothing detects tampering here.
create_bd_cell -type ip -vlnv xilinx.com:ip:xlconstant:1.1 no_tamper
set_property -dict [list CONFIG.CONST_WIDTH 1 CONFIG.CONST_VAL 0] [get_bd_cells no_tamper]

foreach {from to} {
  ps7/M_AXI_GP0 to_registers/S00_AXI
  to_registers/M00_AXI outwork/s_axil
  outwork/m_axi to_memory/S00_AXI
  to_memory/M00_AXI ps7/S_AXI_HP0
} {
  connect_bd_intf_net [get_bd_intf_pins $from] [get_bd_intf_pins $to]
}
foreach {from others} {
  ps7/FCLK_CLK0 {ps7/M_AXI_GP0_ACLK ps7/S_AXI_HP0_ACLK outwork/aclk to_registers/aclk to_memory/aclk reset/slowest_sync_clk}
  ps7/FCLK_RESET0_N {reset/ext_reset_in}
  reset/peripheral_aresetn {outwork/aresetn to_registers/aresetn to_memory/aresetn}
  outwork/irq {ps7/IRQ_F2P}
  no_tamper/dout {outwork/tamper}
} {
  foreach to $others {
    connect_bd_net [get_bd_pins $from] [get_bd_pins $to]
  }
}

assign_bd_address -offset [dict get $where OUTWORK_REGISTERS_ADDRESS] -range [dict get $where OUTWORK_REGISTERS_BYTES] \
  -target_address_space [get_bd_addr_spaces ps7/Data] [get_bd_addr_segs outwork/s_axil/reg0] -force
assign_bd_address -offset 0x0 -range [dict get $where OUTWORK_DDR_BYTES] \
  -target_address_space [get_bd_addr_spaces outwork/m_axi] [get_bd_addr_segs ps7/S_AXI_HP0/HP0_DDR_LOWOCM] -force

validate_bd_design
save_bd_design
make_wrapper -files [get_files system.bd] -top -import
