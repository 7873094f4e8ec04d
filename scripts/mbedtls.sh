#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Installs releases of Mbed TLS, with the PSA driver's patch, in .venv/mbedtls/RELEASE, for the driver's tests: mbedtls.sh [RELEASE…].
# Each is fetched once, from a crate that carries its sources. A release that cannot be fetched is left out, with its tests.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib.sh
releases=(3.6.5=mbedtls-rs-sys@0.3.1/mbedtls 3.5.1=psa-crypto-sys@0.13.0/vendor) # crate, its version, where it has the sources

prepare() { # SOURCES FOLDER: a patched copy
  rm -rf "$2.new"
  cp -a "$1" "$2.new" # with times: what the patch does not touch is not compiled again
  chmod -R u+w "$2.new"
  patch --silent --directory "$2.new" --strip 1 <plugins/psa/patches/mbedtls-3.patch
  cp plugins/psa/*.json "$2.new/scripts/data_files/driver_jsons/"
  .venv/bin/python scripts/psa_wrappers.py "$2.new"
  rm -rf "$2"
  mv "$2.new" "$2"
}

wanted() { # RELEASE FOLDER: it is not there, or was made of another patch
  local file
  [ -e "$2/library/psa_crypto_driver_wrappers.h" ] || return 0
  for file in plugins/psa/patches/*.patch plugins/psa/*.json scripts/psa_wrappers.py; do
    [ "$2/library/psa_crypto_driver_wrappers.h" -nt "$file" ] || return 0
  done
  return 1
}

for entry in "${releases[@]}"; do
  release=${entry%%=*}
  crate=${entry#*=}
  [ $# -eq 0 ] || [[ " $* " == *" $release "* ]] || continue
  folder=.venv/mbedtls/$release
  sources=.venv/mbedtls/fetch-$release/vendor/${crate%%@*}/${crate##*/}
  version=${crate#*@}
  wanted "$release" "$folder" || continue
  if ! command -v patch >/dev/null; then
    echo "setup: continuing without Mbed TLS $release: the program patch, which adds the driver, is not installed"
    continue
  fi
  if [ ! -e "$sources" ]; then
    if ! command -v cargo >/dev/null; then
      echo "setup: continuing without Mbed TLS $release: cargo, which fetches its sources, is not installed"
      continue
    fi
    echo "setup: fetching Mbed TLS $release"
    if ! fetch_crate "${crate%%@*}" "${version%%/*}" ".venv/mbedtls/fetch-$release"; then
      echo "setup: continuing without Mbed TLS $release: its crate ${crate%%/*} cannot be fetched"
      continue
    fi
  fi
  prepare "$sources" "$folder"
done
