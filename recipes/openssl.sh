#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# The provider for all programs that use OpenSSL, with a measured policy: openssl.sh install|check|uninstall
#
# As root. ROOT=FOLDER does it in a folder instead, as anybody, with a configuration of its own there. PLAN is the plan that
# measures the policy (default: policy, which takes minutes).
# shellcheck source=recipes/common.sh
source "$(dirname "$0")/common.sh"
words=()
if [ -n "${ROOT:-}" ]; then
  words=(--root "$(realpath -m "$ROOT")")
  settings=$ROOT/etc/outwork
fi

install() {
  local folder
  folder=$(mktemp -d)
  outwork lab run "${PLAN:-policy}" -o "$folder/policy.jsonl"
  outwork lab policy "$folder/policy.jsonl" -o "$folder/policy.txt"
  outwork openssl install "${words[@]}" --policy "$folder/policy.txt" --yes
  rm -r "$folder"
}

# The policy of a server's CPU may keep every message; `always` shows the device at work.
check() {
  local folder configuration
  folder=$(mktemp -d)
  configuration=$(openssl version -d | cut -d '"' -f 2)/openssl.cnf
  outwork openssl status "${words[@]}"
  printf '%s\n' 'openssl_conf = openssl_init' ".include $configuration" ".include $settings/openssl.cnf" \
    >"$folder/measured.cnf"
  outwork doctor --configuration "$folder/measured.cnf"
  { cat "$folder/measured.cnf" && printf '%s\n' '[outwork_sect]' 'policy = always' "counters = $folder"; } >"$folder/always.cnf"
  head -c 1000000 /dev/urandom >"$folder/plain"
  OPENSSL_CONF=$folder/always.cnf openssl enc -aes-256-ctr -K "$(openssl rand -hex 32 | tee "$folder/key")" \
    -iv 00000000000000000000000000000001 -in "$folder/plain" -out "$folder/sealed"
  OPENSSL_CONF=$configuration openssl enc -d -provider default -aes-256-ctr -K "$(cat "$folder/key")" \
    -iv 00000000000000000000000000000001 -in "$folder/sealed" | cmp - "$folder/plain"
  outwork status --counters "$folder"
  rm -r "$folder"
}

uninstall() {
  outwork openssl uninstall "${words[@]}" --yes
}

recipe "$@"
