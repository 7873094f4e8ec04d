#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Builds OpenSSH's ssh, sshd and scp for Linux on the system on chip, in build/soc/openssh: static programs for rv32imac, ssh
# and sshd with the OpenSSL and the provider of scripts/soc_openssl.sh inside; and what the guest has beside them
# (platform/soc/openssh).
#
# OpenSSH is that of Debian 12, as its authors have published it, and is kept in .venv/openssh. It is compiled again when this
# script or OpenSSL's libraries change (four minutes of a CPU).
set -euo pipefail
cd "$(dirname "$0")/.."
release=9.2p1
hash=3f66dbf1655fb45f50e1c56da62ab01218c228807b21338d634ebcdf9d71cf46
folder=$PWD/build/soc/openssh
# Left out: what cannot run there, and what is not part of a session.
options=(--without-zlib --without-pam --without-shadow --without-hardening --without-stackprotect --without-pie --with-sandbox=no
  --disable-strip --disable-lastlog --disable-utmp --disable-utmpx --disable-wtmp --disable-wtmpx --disable-libutil
  --disable-pututline --disable-pututxline --disable-security-key --disable-pkcs11 --with-privsep-path=/empty)

fail() {
  printf 'soc-openssh: %s\n' "$@" >&2
  exit 1
}

# Prints where Debian's mirror has the source: beside a package that was built from it.
address() {
  local uri
  uri=$(apt-get --print-uris download openssh-client 2>/dev/null | sed -n "s/^'\([^']*\)'.*/\1/p")
  [ -z "$uri" ] || echo "${uri%/*}/openssh_$release.orig.tar.gz"
}

scripts/soc_openssl.sh
openssl=$(echo "$PWD"/build/soc/openssl/openssl-*)
crate=$(sed -n 's/^crate=[^+]*+\([^ ]*\) .*/\1/p' scripts/soc_openssl.sh)
headers=$PWD/.venv/openssl/$crate/vendor/openssl-src/openssl/include
export ZIG_GLOBAL_CACHE_DIR=$PWD/.venv/zig ZIG_LOCAL_CACHE_DIR=$PWD/.venv/zig
zig=$(.venv/bin/python -c 'import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent / "zig")')
compiler="$zig cc -target riscv32-linux-musl -mcpu=generic_rv32+m+a+c"

archive=$PWD/.venv/openssh/openssh_$release.orig.tar.gz
if [ ! -e "$archive" ]; then
  from=$(address)
  [ -n "$from" ] || fail "apt knows no package openssh-client, beside which its source is: put $archive there"
  echo "soc-openssh: fetching OpenSSH $release"
  mkdir -p "${archive%/*}"
  /usr/lib/apt/apt-helper -qq download-file "$from" "$archive.new" "SHA256:$hash" 2>/dev/null || fail "$from was not fetched"
  mv "$archive.new" "$archive"
fi
echo "$hash  $archive" | sha256sum --check --quiet || fail "$archive is not OpenSSH $release: delete it"

key=$(cat scripts/soc_openssh.sh <(echo "$openssl") | sha256sum | cut -c 1-16)
built=$folder/openssh-$key
log=$built/build.log
if [ ! -e "$built/complete" ]; then
  rm -rf "$folder"/openssh-*
  mkdir -p "$built"
  tar xzf "$archive" --strip-components=1 -C "$built"
  echo "soc-openssh: configuring OpenSSH $release"
  (
    cd "$built"
    ./configure --build="$(uname -m)-linux-gnu" --host=riscv32-linux-musl CC="$compiler" AR="$zig ar" RANLIB="$zig ranlib" \
      CPPFLAGS="-I$openssl/include -I$headers" CFLAGS="-O2 -g0 -fomit-frame-pointer -ffunction-sections -fdata-sections" \
      LDFLAGS="-static -L$openssl -Wl,--gc-sections" LIBS="$openssl/lock_free.o" "${options[@]}"
  ) >"$log" 2>&1 || fail "the configuration failed; see $log"
  echo "soc-openssh: compiling about 200 files"
  make -C "$built" -j "${JOBS:-2}" libssh.a openbsd-compat/libopenbsd-compat.a >>"$log" 2>&1 || fail "OpenSSH was not built; see $log"
  touch "$built/complete"
fi

key=$(cat scripts/soc_openssh.sh build/soc/openssl/openssl.key platform/soc/openssh/*.[ch] | sha256sum | cut -c 1-16)
[ ! -e "$folder/sshd" ] || [ "$(cat "$folder/key" 2>/dev/null)" != "$key" ] || exit 0
read -ra compile <<<"$compiler -static -O2 -g0 -Wall -Wextra"
"${compile[@]}" -c -I"$openssl/include" -I"$headers" platform/soc/openssh/curve25519.c -o "$built/curve25519.o" ||
  fail "the compiler rejected curve25519.c"
# Links PROGRAM at ADDRESS with OBJECTS. Each has addresses of its own, so that a profile by address tells them apart. What
# comes before OpenSSH's library has precedence.
link() {
  rm -f "$built/$1"
  make -C "$built" -j "${JOBS:-2}" "$1" LIBS="$3 -lcrypto" \
    LDFLAGS="curve25519.o -L. -Lopenbsd-compat -static -L$openssl -Wl,--gc-sections -Wl,--image-base=$2" >>"$log" 2>&1 ||
    fail "$1 was not linked; see $log"
  cp "$built/$1" "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
  echo "soc-openssh: build/soc/openssh/$1, $(wc -c <"$folder/$1") bytes, of OpenSSH $release"
}
provider=$(echo "$openssl"/provider/*.o)
link ssh 0x40000000 "$provider"
link sshd 0x50000000 "$provider"
link scp 0x70000000 "$openssl/lock_free.o"
for program in shell prepare transfer same; do
  "${compile[@]}" -Wl,--image-base=0x60000000 "platform/soc/openssh/$program.c" -o "$folder/$program" ||
    fail "the compiler rejected $program.c"
done
echo "$key" >"$folder/key"
