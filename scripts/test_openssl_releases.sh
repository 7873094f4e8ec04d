#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Builds the provider against other releases of OpenSSL and runs its C tests, on the fake device. Tests of functions
# that only these releases have run on the simulated board too: test_openssl_releases.sh [RELEASE…]. Each release is
# fetched once, from a crate with its sources, and kept in .venv/openssl.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib.sh
crates=(300.5.4+3.5.4 400.0.2+4.0.3) # of openssl-src: its own version, and OpenSSL's
options=(no-shared -fPIC no-legacy no-apps no-docs no-tests)

build() { # FOLDER RELEASE
  local folder release=$2 major name needs
  folder=$(cd "$1" && pwd)
  mkdir -p "$folder/build"
  (
    cd "$folder/build"
    perl ../vendor/openssl-src/openssl/Configure "${options[@]}" --prefix="$folder/here" --libdir=lib >configure.log
    make -s -j "${JOBS:-2}" build_libs >make.log 2>&1
    make -s install_dev >install.log 2>&1
    # The crates lack the scripts for lists of exported symbols, so everything is exported.
    major=${release%%.*}
    for name in crypto ssl; do
      needs=()
      [ $name = crypto ] || needs=(-L"$folder/here/lib" -lcrypto)
      "${CC:-cc}" -shared -o "$folder/here/lib/lib$name.so.$major" -Wl,-soname,"lib$name.so.$major" -Wl,-Bsymbolic \
        -Wl,--whole-archive "lib$name.a" -Wl,--no-whole-archive "${needs[@]}" -ldl -pthread
      ln -sf "lib$name.so.$major" "$folder/here/lib/lib$name.so"
    done
  )
}

if ! command -v cargo >/dev/null; then
  echo "test: no other releases of OpenSSL: cargo, which fetches their sources, is not installed"
  exit 0
fi
status=0
for crate in "${crates[@]}"; do
  release=${crate#*+}
  [ $# -eq 0 ] || [[ " $* " == *" $release "* ]] || continue
  folder=.venv/openssl/$release
  if [ ! -e "$folder/here/lib/libcrypto.so" ]; then
    echo "test: fetching and building OpenSSL $release"
    fetch_crate openssl-src "$crate" "$folder"
    build "$folder" "$release"
  fi
  echo "test: the provider with OpenSSL $release"
  TARGET="openssl_tests ow_board_128" scripts/build.sh "build/openssl-$release" -DOUTWORK_TESTS=ON -DOUTWORK_BOARD_WIDTHS=128 -DOPENSSL_ROOT_DIR="$PWD/$folder/here"
  LD_LIBRARY_PATH=$PWD/$folder/here/lib .venv/bin/ctest --test-dir "build/openssl-$release" --output-on-failure --no-tests=error \
    -R '^openssl_(.*_(fake|plain)|(pipes|slots|kem|mldsa|tls_keys)_board)$' || status=1
done
exit $status
