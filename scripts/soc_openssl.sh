#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Builds OpenSSL's command for `outwork soc boot` as build/soc/openssl/openssl, with the provider inside: a static program
# for rv32imac.
#
# OpenSSL comes from the crate that scripts/test_openssl_releases.sh uses, and is kept in .venv/openssl. It is compiled
# again when its options, the compiler or this script change (five minutes on two cores), the provider when its sources do.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib.sh
crate=300.5.4+3.5.4 # of openssl-src: its own version, and OpenSSL's
release=${crate#*+}
folder=$PWD/build/soc/openssl
# Left out: what cannot run there (sockets, modules), and algorithms that no experiment uses, because they take time to compile.
# DSA is there because OpenSSH does not compile without (scripts/soc_openssh.sh).
options=(no-shared no-pic no-dso no-module no-engine no-legacy no-docs no-tests no-async no-sock no-http no-ui-console
  no-secure-memory no-aria no-bf no-blake2 no-camellia no-cast no-cmp no-cms no-comp no-ct no-dtls no-ec2m no-gost
  no-idea no-md4 no-mdc2 no-ml-dsa no-ml-kem no-ocsp no-psk no-quic no-rc2 no-rc4 no-rmd160 no-seed no-siphash
  no-slh-dsa no-sm2 no-sm3 no-sm4 no-srp no-srtp no-ssl3 no-tls1 no-ts no-whirlpool)

fail() {
  printf 'soc-openssl: %s\n' "$@" >&2
  exit 1
}

if ! command -v cargo >/dev/null; then
  fail "cargo is missing, which fetches OpenSSL's sources: install the package cargo"
fi
scripts/setup.sh run cross
export ZIG_GLOBAL_CACHE_DIR=$PWD/.venv/zig ZIG_LOCAL_CACHE_DIR=$PWD/.venv/zig
zig=$(.venv/bin/python -c 'import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent / "zig")')
target=(-target riscv32-linux-musl "-mcpu=generic_rv32+m+a+c")
# The provider's own code may use the CPU's instructions; OpenSSL finds out by itself, or is told by OPENSSL_riscvcap.
provider_target=(-target riscv32-linux-musl "-mcpu=generic_rv32+m+a+c+zbkb+zbkc")

if [ ! -d ".venv/openssl/$release/vendor" ]; then
  echo "soc-openssl: fetching OpenSSL $release"
  fetch_crate openssl-src "$crate" ".venv/openssl/$release"
fi
sources=$PWD/.venv/openssl/$release/vendor/openssl-src/openssl

# OpenSSL's libraries, and the objects of its command.
key=$(cat scripts/soc_openssl.sh requirements-cross.txt | sha256sum | cut -c 1-16)
built=$folder/openssl-$key
if [ ! -e "$built/complete" ]; then
  rm -rf "$folder"/openssl-*
  mkdir -p "$built"
  # Its own target for RISC-V with 32 bits wants libatomic, which this compiler has inside.
  cat >"$built/soc.conf" <<'TARGET'
my %targets = ("outwork-soc" => {
    inherit_from => ["linux-generic32"], perlasm_scheme => "linux32", asm_arch => "riscv32",
});
TARGET
  log=$built/build.log
  echo "soc-openssl: configuring OpenSSL $release"
  (
    cd "$built"
    CC="$zig cc ${target[*]}" AR="$zig ar" RANLIB="$zig ranlib" perl "$sources/Configure" --config=soc.conf outwork-soc \
      --prefix=/openssl --openssldir=/openssl "${options[@]}" -g0 -fomit-frame-pointer
  ) >"$log" 2>&1 || fail "the configuration failed; see $log"
  echo "soc-openssl: compiling about 900 files"
  make -C "$built" -j "${JOBS:-2}" build_generated >>"$log" 2>&1 || fail "OpenSSL was not built; see $log"
  "$zig" cc "${target[@]}" -O2 -c platform/soc/openssl/lock_free.c -o "$built/lock_free.o"
  if ! make -C "$built" -j "${JOBS:-2}" EX_LIBS="$built/lock_free.o" apps/openssl 2>&1 | tee -a "$log" |
    awk '/ -c -o /{if (++n % 100 == 0) print "soc-openssl: " n " files"; fflush()}'; then
    tail -n 20 "$log" >&2
    fail "OpenSSL was not built; see $log"
  fi
  touch "$built/complete"
fi

# The provider, and the command with it. Of the kinds of link that plugins/offload has one is for this system. The program
# stays away from the addresses of the device, which the process maps where they are (platform/soc/openssl/link.c).
mapfile -t own < <(find platform/soc/openssl platform/soc/firmware/soc.c platform/soc/firmware/string.c driver/src plugins/openssl/src plugins/offload/src \
  platform/linux/src/queue.c -name '*.c' ! -name 'link_s*' | sort)
key=$(cat "${own[@]}" driver/include/outwork/*.h platform/linux/include/outwork/*.h plugins/*/src/*.h plugins/*/*.h platform/soc/rtl/soc_pkg.sv outwork/soc/memory_map.py |
  sha256sum | cut -c 1-16)-$key
[ ! -e "$folder/openssl" ] || [ "$(cat "$folder/openssl.key" 2>/dev/null)" != "$key" ] || exit 0
echo "soc-openssl: compiling the provider"
.venv/bin/python - >"$built/soc_map.h" <<'MAP'
from outwork.soc import memory_map
begin, length = memory_map.program_memory(under_linux=True)
print(memory_map.header({"ProgramBase": begin, "ProgramBytes": length}))
MAP
version=$(sed -n 's/^__version__.* = "\(.*\)"/\1/p' outwork/__init__.py)
rm -rf "$built/provider"
mkdir "$built/provider"
for file in "${own[@]}"; do
  object=${file//\//-}
  "$zig" cc "${provider_target[@]}" -c -O2 -g0 -fomit-frame-pointer -std=gnu11 -D_GNU_SOURCE -DOUTWORK_VERSION="\"$version\"" \
    -Wall -Wextra -Wno-atomic-alignment -ffunction-sections -fdata-sections \
    -I"$built" -I"$built/include" -I"$sources/include" -Idriver/include -Iplatform/linux/include -Iplugins/offload -Iplugins/offload/src -Iplugins/openssl/src \
    -Iplugins -Iplatform/soc/firmware "$file" -o "$built/provider/${object%.c}.o" || fail "the compiler rejected the provider"
done
"$zig" cc "${provider_target[@]}" -static -Wl,--gc-sections -Wl,--image-base=0x40000000 "$built"/provider/*.o \
  "$built"/apps/openssl-bin-*.o "$built/apps/libapps.a" "$built/libssl.a" "$built/libcrypto.a" -o "$folder/openssl.new" ||
  fail "the program was not linked"
mv "$folder/openssl.new" "$folder/openssl"
echo "$key" >"$folder/openssl.key"
echo "soc-openssl: build/soc/openssl/openssl, $(wc -c <"$folder/openssl") bytes, of OpenSSL $release"
