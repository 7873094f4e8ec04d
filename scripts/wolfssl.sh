#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Fetches the sources of wolfSSL's releases into .venv/wolfssl/RELEASE/vendor, each once, from a crate that carries them:
# wolfssl.sh [RELEASE…]
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib.sh
crates=(5.3.0+5.9.4) # of wolfssl-sys: its own version, and wolfSSL's

for crate in "${crates[@]}"; do
  release=${crate#*+}
  [ $# -eq 0 ] || [[ " $* " == *" $release "* ]] || continue
  [ ! -e ".venv/wolfssl/$release/vendor/wolfssl-sys/wolfssl-src/wolfcrypt" ] || continue
  if ! command -v cargo >/dev/null; then
    echo "wolfssl: cargo, which fetches the sources, is not installed: install the package cargo" >&2
    exit 1
  fi
  echo "setup: fetching wolfSSL $release"
  fetch_crate wolfssl-sys "${crate%+*}" ".venv/wolfssl/$release"
done
