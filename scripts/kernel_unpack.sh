#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Unpacks Debian's sources of the kernel, once, and prints their folder: kernel_unpack.sh GROUP, with the group of packages of
# scripts/setup.sh that compiling it needs.
#
# The folder's name changes with the sources. Exit status 3: the distribution does not have them.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -eq 1 ] || { echo "usage: kernel_unpack.sh GROUP" >&2 && exit 2; }
package=linux-source-6.1
sources=/usr/src/$package.tar.xz
tested=platform/soc/linux/linux-source.sha256
folder=build/soc/linux
exec 3>&1 >&2

if [ ! -e $sources ] && ! apt-cache show $package >/dev/null 2>&1; then
  echo "linux: there is no kernel: this distribution has no package $package, Debian 12 has"
  exit 3
fi
scripts/setup.sh run "$1"

read -r tested_hash release <$tested
hash=$(sha256sum <$sources | cut -d ' ' -f 1)
if [ "$hash" != "$tested_hash" ]; then
  release="$(dpkg-query -W -f '${Version}' $package 2>/dev/null || echo 'of unknown release')"
  echo "linux: $package $release was not tested; the tests in tests/soc and tests/linux say whether it works"
fi
unpacked=$folder/sources-${hash:0:16}
if [ ! -d "$unpacked" ]; then
  echo "linux: unpacking $package $release (1.5 GB)"
  rm -rf $folder/unpacking
  mkdir -p $folder/unpacking
  tar xJf $sources -C $folder/unpacking
  mv "$folder/unpacking/$package" "$unpacked"
fi
echo "$unpacked" >&3
