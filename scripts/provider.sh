#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Installs the OpenSSL provider, adds it to OpenSSL's configuration, or removes both: provider.sh FOLDER install|enable|uninstall
# FOLDER is a build folder. DESTDIR is a prefix of every installed path. OPENSSL_CONF is the configuration; default: the system's.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1

cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
fail() {
  echo "$*" >&2
  exit 1
}

[ -e "$build/CMakeCache.txt" ] || fail "There is no $build: run \`make build\` first."
folder=${DESTDIR:-}$(cached OUTWORK_CONFDIR)
drop_in=$folder/openssl.cnf
module=${DESTDIR:-}$(cached OUTWORK_OPENSSL_MODULESDIR)/outwork.so
libraries=${DESTDIR:-}$(cached OUTWORK_LIBDIR)
configuration=$(readlink -f "${OPENSSL_CONF:-$(openssl version -d | cut -d '"' -f 2)/openssl.cnf}")

install() {
  .venv/bin/cmake --install "$build" --component openssl
  echo "install: next, \`make enable\` adds it to OpenSSL's configuration, and \`outwork doctor\` checks the result"
}

# configure COMMAND: has the command line change OpenSSL's configuration, and nothing else.
configure() {
  .venv/bin/outwork openssl "$1" --configuration-only --yes --root "${DESTDIR:-/}" --configuration "$configuration"
}

enable() {
  [ -e "$drop_in" ] || fail "There is no $drop_in: run \`make install\` first."
  configure install
}

# Changes the configuration before it removes the module: with a missing module every program would report an error.
uninstall() {
  configure uninstall
  rm -f "$module" "$libraries/libow_board_128.so"
  cmp -s "$drop_in" "$build/plugins/openssl/openssl.cnf" && rm "$drop_in"
  rmdir --ignore-fail-on-non-empty "$libraries" "$folder" 2>/dev/null || true
  [ ! -e "$folder" ] || echo "uninstall: kept your files: $(echo "$folder"/*)"
}

case ${2:-} in
install | enable | uninstall) "$2" ;;
*) fail "The second word is install, enable or uninstall." ;;
esac
