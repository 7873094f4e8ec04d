#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Builds User Mode Linux, from Debian's sources, and the kernel module for it: uml.sh [debug]. build/uml gets linux, kernel/
# (what modules are compiled against) and module/; with `debug`, build/uml/debug: the kernel with KASAN, lockdep, kmemleak.
#
# It is made anew when its configuration, its sources or this script change (5 minutes of a CPU). Exit status 3: the
# distribution does not have these sources.
set -euo pipefail
cd "$(dirname "$0")/.."
configs=("$PWD/platform/linux/kernel/test.config" "$PWD/platform/uml/kernel.config")
folder=build/uml
case ${1-} in
'') ;;
debug)
  configs+=("$PWD/platform/uml/debug.config")
  folder=build/uml/debug
  ;;
*) echo "usage: uml.sh [debug]" >&2 && exit 2 ;;
esac

fail() {
  printf 'uml: %s\n' "$@" >&2
  exit 1
}

patch=platform/uml/kernel.patch
unpacked=$(scripts/kernel_unpack.sh uml)
object=$PWD/$folder/kernel
compiler=cc
command -v ccache >/dev/null && compiler="ccache cc"
kernel() {
  make -C "$unpacked" O="$object" ARCH=um CC="$compiler" KBUILD_BUILD_TIMESTAMP=2026-01-01 KBUILD_BUILD_USER=outwork KBUILD_BUILD_HOST=outwork "$@"
}

build() {
  local log=$object/build.log file
  # Modules of another configuration would be loaded without a word, and break the kernel.
  rm -rf "$object" $folder/module $folder/linux.key
  mkdir -p "$object/patched"
  # The sources serve other kernels too: a file that is changed has its original beside it.
  sed -n 's|^+++ b/||p' $patch | while read -r file; do
    [ -e "$unpacked/$file.orig" ] || cp "$unpacked/$file" "$unpacked/$file.orig"
    install -D "$unpacked/$file.orig" "$object/patched/$file"
  done
  patch -s -p1 -d "$object/patched" <$patch || fail "$patch does not fit these sources"
  sed -n 's|^+++ b/||p' $patch | while read -r file; do
    cmp -s "$object/patched/$file" "$unpacked/$file" || cp "$object/patched/$file" "$unpacked/$file"
  done
  echo "uml: configuring"
  # The system on chip's interrupt controller is none of User Mode Linux.
  grep -hv '^CONFIG_SIFIVE_PLIC' "${configs[@]}" >"$object/all.config"
  kernel KCONFIG_ALLCONFIG="$object/all.config" allnoconfig >"$log" 2>&1 || fail "the configuration failed; see $log"
  grep -o '^CONFIG[^ ]*=.*' "$object/all.config" | while read -r option; do
    grep -qxF "$option" "$object/.config" || fail "the kernel does not take $option"
  done
  echo "uml: compiling about 900 files"
  if ! kernel -j "${JOBS:-2}" linux modules 2>&1 | tee -a "$log" | awk '/^  CC /{if (++n % 100 == 0) print "uml: " n " files"; fflush()}'; then
    tail -n 20 "$log" >&2
    fail "the kernel was not built; see $log"
  fi
  strip --strip-debug -o $folder/linux "$object/linux"
  echo "$key" >$folder/linux.key
  echo "uml: $folder/linux, $(wc -c <$folder/linux) bytes"
}

key=$(echo "$unpacked" | cat - "${configs[@]}" $patch scripts/uml.sh | sha256sum | cut -c 1-16)
[ -e $folder/linux ] && [ "$(cat $folder/linux.key 2>/dev/null)" = "$key" ] || build
scripts/kernel_module.sh $folder/module $folder/kernel ARCH=um CC="$compiler" --silent
