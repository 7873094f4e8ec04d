#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Prepares .venv and system packages for the groups of work named: run lab cluster parquet test package wheel lint docs synthesis area litex soc linux uml qemu cross formal baselines
# (default: run lab test). Baselines are the libraries that the lab compares with; those that cannot be installed are left out.
#
# A group that is already in place costs a few milliseconds, so that every make target can name the groups that it needs.
set -euo pipefail
cd "$(dirname "$0")/.."
groups=("${@:-run}")
[ $# -eq 0 ] && groups=(run lab test)
venv=.venv

say() { printf 'setup: %s\n' "$*"; }
has_header() { printf '#include <%s>\n' "$1" | "${CC:-cc}" -E - >/dev/null 2>&1; }
has_venv() { python3 -c 'import ensurepip, venv' >/dev/null 2>&1; }

# The command line is linked into .venv, and pyproject.toml, which names its entry point, has not changed since.
is_installed() { [ ! -e outwork/__init__.py ] || { [ -x $venv/bin/outwork ] && [ $venv/bin/outwork -nt pyproject.toml ]; }; }

# Debian packages that a group still lacks on this machine. Checks for tools, not for packages, so that other
# distributions and manual installations work too.
missing_packages() {
  case $1 in
  run)
    command -v g++ >/dev/null || echo g++
    command -v make >/dev/null || echo make
    command -v openssl >/dev/null || echo openssl
    command -v python3 >/dev/null || echo python3
    has_venv || echo python3-venv
    ;;
  test)
    command -v clang++ >/dev/null || echo clang
    has_header openssl/evp.h || echo libssl-dev
    has_header zlib.h || echo zlib1g-dev
    has_header lz4.h || echo liblz4-dev
    has_header valgrind/memcheck.h || echo valgrind
    ;;
  package)
    command -v dtc >/dev/null || echo device-tree-compiler
    command -v tclsh >/dev/null || echo tcl
    ;;
  lint)
    command -v clang >/dev/null || echo clang
    command -v arm-none-eabi-gcc >/dev/null || echo gcc-arm-none-eabi libnewlib-arm-none-eabi
    command -v riscv64-unknown-elf-gcc >/dev/null || echo gcc-riscv64-unknown-elf
    [ -e /usr/lib/picolibc/riscv64-unknown-elf/picolibc.specs ] || echo picolibc-riscv64-unknown-elf
    ;;
  litex)
    has_header event2/event.h || echo libevent-dev
    has_header json-c/json.h || echo libjson-c-dev
    has_header zlib.h || echo zlib1g-dev
    command -v riscv64-unknown-elf-gcc >/dev/null || echo gcc-riscv64-unknown-elf
    [ -e /usr/lib/picolibc/riscv64-unknown-elf/picolibc.specs ] || echo picolibc-riscv64-unknown-elf
    ;;
  soc)
    command -v java >/dev/null || echo openjdk-17-jre-headless
    command -v mvn >/dev/null || echo maven
    command -v cargo >/dev/null || echo cargo
    command -v riscv64-unknown-elf-gcc >/dev/null || echo gcc-riscv64-unknown-elf
    [ -e /usr/lib/picolibc/riscv64-unknown-elf/picolibc.specs ] || echo picolibc-riscv64-unknown-elf
    ;;
  linux)
    [ -e /usr/src/linux-source-6.1.tar.xz ] || echo linux-source-6.1
    command -v riscv64-linux-gnu-gcc >/dev/null || echo gcc-riscv64-linux-gnu
    command -v dtc >/dev/null || echo device-tree-compiler
    for tool in flex bison bc; do command -v $tool >/dev/null || echo $tool; done
    command -v xz >/dev/null || echo xz-utils
    ;;
  uml)
    [ -e /usr/src/linux-source-6.1.tar.xz ] || echo linux-source-6.1
    { [ -x /bin/busybox ] && ! ldd /bin/busybox >/dev/null 2>&1; } || echo busybox-static
    for tool in flex bison bc patch; do command -v $tool >/dev/null || echo $tool; done
    command -v ip >/dev/null || echo iproute2
    command -v xz >/dev/null || echo xz-utils
    ;;
  qemu)
    command -v qemu-system-x86_64 >/dev/null || echo qemu-system-x86
    [ -e "/lib/modules/$(source scripts/lib.sh && debian_kernel '')/build/Makefile" ] || echo linux-headers-amd64
    { [ -x /bin/busybox ] && ! ldd /bin/busybox >/dev/null 2>&1; } || echo busybox-static
    [ -x /sbin/depmod ] || echo kmod
    ;;
  formal)
    command -v berkeley-abc >/dev/null || echo berkeley-abc
    command -v z3 >/dev/null || echo z3
    ;;
  baselines)
    has_header mbedtls/gcm.h || echo libmbedtls-dev
    has_header wolfssl/options.h || echo libwolfssl-dev
    [ "$(uname -m)" != x86_64 ] || has_header intel-ipsec-mb.h || echo libipsec-mb-dev
    ;;
  esac
}

install_packages() {
  local as_root=() command="apt-get install -y --no-install-recommends $*"
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      say "these system packages are missing: $*"
      say "install them and start again:  sudo $command"
      exit 1
    fi
    as_root=(sudo)
  fi
  if ! command -v apt-get >/dev/null; then
    say "this machine lacks, by their Debian names: $*; install them and start again"
    exit 1
  fi
  say "installing system packages: $*"
  export DEBIAN_FRONTEND=noninteractive
  # Package lists on a fresh machine are absent or old; a failed refresh matters only if the install fails too.
  "${as_root[@]}" apt-get update -qq || true
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Sources to compile, which pip only fetches and checks; and a mark for every installed library, because CMake searches
# for libraries again when this folder changes.
fetch_baselines() {
  local package folder=$venv/baselines
  mkdir -p $folder
  for package in libmbedtls-dev libwolfssl-dev libipsec-mb-dev; do
    missing_packages baselines | grep -qx "$package" || touch "$folder/$package"
  done
  $venv/bin/python -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: \
    --dest $folder --requirement "$1"
}

for group in "${groups[@]}"; do
  requirements=requirements-$group.txt
  stamp=$venv/.ready-$group
  if [ ! -e "$requirements" ]; then
    say "unknown group '$group'; there are: run lab cluster parquet test package wheel lint docs synthesis area litex soc linux uml qemu cross formal baselines"
    exit 2
  fi
  if [ "$stamp" -nt "$requirements" ] && { [ "$group" != run ] || is_installed; }; then
    continue
  fi
  mapfile -t packages < <(missing_packages "$group" | tr ' ' '\n')
  if [ "$group" = baselines ]; then
    for package in "${packages[@]}"; do
      (install_packages "$package") || say "continuing without $package"
    done
  elif [ ${#packages[@]} -gt 0 ]; then
    install_packages "${packages[@]}"
  fi
  if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    say "Python 3.11 or newer is needed; python3 is $(python3 --version)"
    exit 1
  fi
  if [ ! -x $venv/bin/python ]; then
    say "creating $venv"
    python3 -m venv $venv
  fi
  if [ "$group" = baselines ]; then
    say "fetching $requirements"
    if fetch_baselines "$requirements" && [ -z "$(missing_packages baselines)" ]; then
      touch "$stamp"
    fi
    continue
  fi
  say "installing $requirements"
  # Python compiles what is imported, which is little of it.
  $venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --requirement "$requirements"
  if [ "$group" = run ] && [ -e outwork/__init__.py ]; then
    $venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
  fi
  touch "$stamp"
done
