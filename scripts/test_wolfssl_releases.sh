#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Builds the wolfSSL callback against other releases of wolfSSL and runs its tests, and wolfCrypt's own test, with them on the
# simulated board: test_wolfssl_releases.sh [RELEASE…]. Each is fetched once, from a crate with its sources, and kept in
# .venv/wolfssl.
set -euo pipefail
cd "$(dirname "$0")/.."
releases=(5.9.4)
options=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=ON -DWOLFSSL_CRYPTOCB=yes -DWOLFSSL_EXAMPLES=no
  -DWOLFSSL_CRYPT_TESTS=no -DWOLFSSL_AESCCM=yes -DWOLFSSL_AESCTR=yes -DWOLFSSL_AESECB=yes -DWOLFSSL_CMAC=yes -DWOLFSSL_DES3=yes
  -DWOLFSSL_SHA3=yes -DWOLFSSL_SHA224=yes -DWOLFSSL_KEYGEN=yes -DWOLFSSL_TLS13=yes -DWOLFSSL_PUBLIC_MP=yes
  -DWOLFSSL_ECCCUSTCURVES=all -DWOLFSSL_CURVE25519=yes -DWOLFSSL_ED25519=yes -DWOLFSSL_MLKEM=yes -DWOLFSSL_MLDSA=yes
  -DWOLFSSL_CERTGEN=yes)

build() { # FOLDER
  local folder
  folder=$(cd "$1" && pwd)
  .venv/bin/cmake -G Ninja -S "$folder/vendor/wolfssl-sys/wolfssl-src" -B "$folder/build" -DCMAKE_MAKE_PROGRAM="$PWD/.venv/bin/ninja" \
    -DCMAKE_INSTALL_PREFIX="$folder/here" "${options[@]}" >"$folder/configure.log" 2>&1
  .venv/bin/cmake --build "$folder/build" --parallel "${JOBS:-2}" --target install >"$folder/build.log" 2>&1
}

if ! command -v cargo >/dev/null; then
  echo "test: no other releases of wolfSSL: cargo, which fetches their sources, is not installed"
  exit 0
fi
status=0
for release in "${releases[@]}"; do
  [ $# -eq 0 ] || [[ " $* " == *" $release "* ]] || continue
  folder=.venv/wolfssl/$release
  if [ ! -e "$folder/here/lib/libwolfssl.so" ]; then
    echo "test: fetching and building wolfSSL $release"
    scripts/wolfssl.sh "$release"
    build "$folder"
  fi
  echo "test: the callback with wolfSSL $release"
  TARGET=wolfssl_tests scripts/build.sh "build/wolfssl-$release" -DOUTWORK_TESTS=ON -DOUTWORK_BOARD_WIDTHS=128 \
    -DOUTWORK_WOLFSSL_PLUGIN_INCLUDE="$PWD/$folder/here/include" -DOUTWORK_WOLFSSL_PLUGIN_LIBRARY="$PWD/$folder/here/lib/libwolfssl.so" \
    -DOUTWORK_WOLFSSL_SOURCE="$PWD/$folder/vendor/wolfssl-sys/wolfssl-src"
  .venv/bin/ctest --test-dir "build/wolfssl-$release" --output-on-failure --no-tests=error -R '^wolfssl_' || status=1
done
exit $status
