#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Writes every source of the kernel module, the portable driver's in driver/, and dkms.conf: kernel_sources.sh FOLDER
#
# The folder can be compiled anywhere. As /usr/src/outwork-VERSION it is a package of DKMS, which compiles the module for
# each kernel that is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -eq 1 ] || { echo "usage: kernel_sources.sh FOLDER" >&2 && exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)

# What has not changed keeps its time: it is not compiled again.
copy() {
  local to=$1 file
  shift
  mkdir -p "$to"
  for file in "$@"; do
    cmp -s "$file" "$to/${file##*/}" || cp "$file" "$to/"
  done
}
own=platform/linux/kernel
copy "$folder" $own/Kbuild $own/*.[ch]
copy "$folder/include" $own/include/*.h
copy "$folder/include/outwork" driver/include/outwork/*.h platform/linux/include/outwork/linux_abi.h
copy "$folder/driver" driver/src/*.[ch]

version=$(sed -n 's/^__version__: Final = "\(.*\)"/\1/p' outwork/__init__.py)
cat >"$folder/dkms.conf" <<END
# SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
# SPDX-FileCopyrightText: The Outwork authors
# How DKMS compiles and installs the module.
PACKAGE_NAME="outwork"
PACKAGE_VERSION="$version"
BUILT_MODULE_NAME[0]="outwork"
DEST_MODULE_LOCATION[0]="/updates/dkms"
MAKE[0]="make -C \${kernel_source_dir} M=\${dkms_tree}/outwork/$version/build CONFIG_CRYPTO_DEV_OUTWORK=m modules"
CLEAN="make -C \${kernel_source_dir} M=\${dkms_tree}/outwork/$version/build clean"
AUTOINSTALL="yes"
END
