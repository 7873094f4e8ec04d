#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Builds the kernel for `outwork soc boot` as build/soc/linux/Image (two minutes), from Debian's sources.
#
# It is made anew when its configuration, its sources or this script change. Firmware, device tree and the first process are
# compiled by `outwork soc boot` itself. Exit status 3: the distribution does not have these sources.
set -euo pipefail
cd "$(dirname "$0")/.."
package=linux-source-6.1
sources=/usr/src/$package.tar.xz
tested=platform/soc/linux/linux-source.sha256
config=$PWD/platform/soc/linux/kernel.config
folder=build/soc/linux
cross=riscv64-linux-gnu-

fail() {
  printf 'linux: %s\n' "$@" >&2
  exit 1
}

if [ ! -e $sources ] && ! apt-cache show $package >/dev/null 2>&1; then
  echo "linux: there is no kernel: this distribution has no package $package, Debian 12 has" >&2
  exit 3
fi
scripts/setup.sh run linux

read -r tested_hash release <$tested
hash=$(sha256sum <$sources | cut -d ' ' -f 1)
if [ "$hash" != "$tested_hash" ]; then
  release="$(dpkg-query -W -f '${Version}' $package 2>/dev/null || echo 'of unknown release')"
  echo "linux: $package $release was not tested; tests/soc/test_soc_linux.py says whether it works"
fi

key=$(echo "$hash" | cat - "$config" scripts/linux.sh | sha256sum | cut -c 1-16)
[ ! -e $folder/Image ] || [ "$(cat $folder/Image.key 2>/dev/null)" != "$key" ] || exit 0

mkdir -p $folder
unpacked=$folder/sources-${hash:0:16}
if [ ! -d "$unpacked" ]; then
  echo "linux: unpacking $package $release (1.5 GB)"
  rm -rf $folder/unpacking
  mkdir $folder/unpacking
  tar xJf $sources -C $folder/unpacking
  mv "$folder/unpacking/$package" "$unpacked"
fi
object=$PWD/$folder/kernel-$key
kernel() {
  make -C "$unpacked" O="$object" ARCH=riscv CROSS_COMPILE=$cross \
    KBUILD_BUILD_TIMESTAMP=2026-01-01 KBUILD_BUILD_USER=outwork KBUILD_BUILD_HOST=outwork "$@"
}
rm -rf "$object"
mkdir "$object"
log=$object/build.log
echo "linux: configuring"
kernel KCONFIG_ALLCONFIG="$config" allnoconfig >"$log" 2>&1 || fail "the configuration failed; see $log"
grep -o '^CONFIG[^ ]*=y' "$config" | while read -r option; do
  grep -qx "$option" "$object/.config" || fail "the kernel does not take $option of $config"
done
echo "linux: compiling about 430 files"
if ! kernel -j "${JOBS:-2}" Image 2>&1 | tee -a "$log" | awk '/^  CC /{if (++n % 100 == 0) print "linux: " n " files"; fflush()}'; then
  tail -n 20 "$log" >&2
  fail "the kernel was not built; see $log"
fi
cp "$object/arch/riscv/boot/Image" $folder/Image.new
mv $folder/Image.new $folder/Image
rm -rf "$object"
echo "$key" >$folder/Image.key
echo "linux: $folder/Image, $(wc -c <$folder/Image) bytes, of $package $release"
