#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Builds the kernel for `outwork soc boot` as build/soc/linux/Image (two minutes), from Debian's sources:
# linux.sh [module | ssh]. With `module` it is build/linux/Image, the one that platform/linux/kernel is tested on, and
# build/linux/kernel has what its modules are compiled against; with `ssh` the same in build/linux-ssh, with what ssh needs.
#
# It is made anew when its configuration, its sources or this script change. Firmware, device tree and the first process are
# compiled by `outwork soc boot` itself. Exit status 3: the distribution does not have these sources.
set -euo pipefail
cd "$(dirname "$0")/.."
configs=("$PWD/platform/soc/linux/kernel.config")
folder=build/soc/linux
targets=(Image)
cross=riscv64-linux-gnu-
case ${1-} in
'') ;;
module)
  configs+=("$PWD/platform/linux/kernel/test.config")
  folder=build/linux
  targets=(Image modules)
  ;;
ssh)
  configs+=("$PWD/platform/linux/kernel/test.config" "$PWD/platform/soc/openssh/kernel.config")
  folder=build/linux-ssh
  targets=(Image modules)
  ;;
*) echo "linux: no kernel '$1'; there are: module, ssh" >&2 && exit 2 ;;
esac

fail() {
  printf 'linux: %s\n' "$@" >&2
  exit 1
}

unpacked=$(scripts/kernel_unpack.sh linux)
key=$(echo "$unpacked" | cat - "${configs[@]}" scripts/linux.sh | sha256sum | cut -c 1-16)
[ ! -e $folder/Image ] || [ "$(cat $folder/Image.key 2>/dev/null)" != "$key" ] || exit 0

mkdir -p $folder
object=$PWD/$folder/kernel
kernel() {
  make -C "$unpacked" O="$object" ARCH=riscv CROSS_COMPILE=$cross \
    KBUILD_BUILD_TIMESTAMP=2026-01-01 KBUILD_BUILD_USER=outwork KBUILD_BUILD_HOST=outwork "$@"
}
rm -rf "$object" $folder/Image.key
mkdir "$object"
log=$object/build.log
echo "linux: configuring"
cat "${configs[@]}" >"$object/all.config"
kernel KCONFIG_ALLCONFIG="$object/all.config" allnoconfig >"$log" 2>&1 || fail "the configuration failed; see $log"
grep -o '^CONFIG[^ ]*=y' "$object/all.config" | while read -r option; do
  grep -qx "$option" "$object/.config" || fail "the kernel does not take $option"
done
echo "linux: compiling about 430 files"
if ! kernel -j "${JOBS:-2}" "${targets[@]}" 2>&1 | tee -a "$log" | awk '/^  CC /{if (++n % 100 == 0) print "linux: " n " files"; fflush()}'; then
  tail -n 20 "$log" >&2
  fail "the kernel was not built; see $log"
fi
cp "$object/arch/riscv/boot/Image" $folder/Image.new
mv $folder/Image.new $folder/Image
"${cross}strip" --strip-debug -o $folder/vmlinux "$object/vmlinux" # the names of its functions
[ $# -gt 0 ] || rm -rf "$object"
echo "$key" >$folder/Image.key
echo "linux: $folder/Image, $(wc -c <$folder/Image) bytes, of ${unpacked##*/}"
