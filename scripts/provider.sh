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
line=".include $drop_in"
configuration=$(readlink -f "${OPENSSL_CONF:-$(openssl version -d | cut -d '"' -f 2)/openssl.cnf}")
backup=$configuration.before-outwork

is_named() { [ -e "$configuration" ] && grep -qxF "$line" "$configuration"; }
with_line() { awk 1 "$configuration" && echo "$line"; } # awk adds a missing newline at the end
without_line() { grep -vxF "$line" "$configuration" || true; }

# rewrite COMMAND: replaces the configuration by its output in one step; keeps owner and mode.
rewrite() {
  local new
  new=$(mktemp "$configuration.XXXXXX") || fail "$configuration cannot be changed: run this as root."
  cp -p "$configuration" "$new"
  "$1" >"$new"
  mv "$new" "$configuration"
}

install() {
  .venv/bin/cmake --install "$build" --component openssl
  echo "install: next, \`make enable\` adds it to OpenSSL's configuration, and \`outwork doctor\` checks the result"
}

enable() {
  [ -e "$drop_in" ] || fail "There is no $drop_in: run \`make install\` first."
  [ -e "$configuration" ] || fail "There is no $configuration: name OpenSSL's configuration in OPENSSL_CONF."
  if is_named; then
    echo "enable: $configuration already includes the provider"
    return
  fi
  grep -qE '^[[:space:]]*openssl_conf[[:space:]]*=[[:space:]]*openssl_init[[:space:]]*$' "$configuration" ||
    fail "$configuration has no section openssl_init in use: write \`openssl_conf = openssl_init\` as its first line."
  if [ ! -e "$backup" ]; then
    cp -p "$configuration" "$backup" || fail "$configuration cannot be changed: run this as root."
  fi
  rewrite with_line
  echo "enable: added the provider to $configuration; $backup is the old file"
}

# Changes the configuration before it removes the module: with a missing module every program would report an error.
uninstall() {
  if is_named; then
    rewrite without_line
    echo "uninstall: removed the provider from $configuration"
    cmp -s "$configuration" "$backup" && rm "$backup"
  fi
  rm -f "$module" "$libraries/libow_board_128.so"
  cmp -s "$drop_in" "$build/plugins/openssl/openssl.cnf" && rm "$drop_in"
  rmdir --ignore-fail-on-non-empty "$libraries" "$folder" 2>/dev/null || true
  [ ! -e "$folder" ] || echo "uninstall: kept your files: $(echo "$folder"/*)"
}

case ${2:-} in
install | enable | uninstall) "$2" ;;
*) fail "The second word is install, enable or uninstall." ;;
esac
