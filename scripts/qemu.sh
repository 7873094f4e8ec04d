#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Prepares Debian's own kernel for QEMU, and the kernel module for it: qemu.sh [VERSION]. build/qemu gets vmlinuz, release, the
# kernel's modules in lib/modules, and module/ (compiled against the headers that are installed); with a version that Debian has
# beside its own, such as 6.12, build/qemu-VERSION.
#
# The kernel is downloaded as its package and unpacked, not installed. Exit status 3: the distribution does not have it.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib.sh
folder=$PWD/build/qemu${1:+-$1}
release=$(debian_kernel "${1-}")
if [ -z "$release" ]; then
  echo "qemu: there is no kernel: this distribution has no package linux-headers-${1:+$1-}amd64, Debian has"
  exit 3
fi
scripts/setup.sh run qemu
if [ "$(cat "$folder/release" 2>/dev/null)" != "$release" ]; then
  echo "qemu: downloading linux-image-$release (70 MB)"
  rm -rf "${folder:?}"
  mkdir -p "$folder/package"
  (cd "$folder/package" && apt-get download -qq "linux-image-$release" && dpkg -x ./*.deb .)
  mv "$folder"/package/boot/vmlinuz-* "$folder/vmlinuz"
  mv "$folder/package/lib" "$folder/lib"
  rm -rf "$folder/package"
  PATH=$PATH:/usr/sbin:/sbin depmod -b "$folder" "$release"
  echo "$release" >"$folder/release"
fi
if [ ! -e "/lib/modules/$release/build/Makefile" ]; then
  echo "qemu: the headers of $release are missing: install linux-headers-$release" >&2
  exit 1
fi
scripts/kernel_module.sh "$folder/module" "/lib/modules/$release/build" --silent
