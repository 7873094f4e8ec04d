#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# One simulated board for all programs of a machine, as a service: board.sh install|check|uninstall
#
# As root, after openssl.sh. Members of the group outwork may use the board.
# shellcheck source=recipes/common.sh
source "$(dirname "$0")/common.sh"
need systemd-sysusers systemd
unit=/etc/systemd/system/outwork-board.service
socket=/run/outwork/board

install() {
  sed "s|/usr/bin/outwork|$project/.venv/bin/outwork|" "$project/platform/systemd/outwork-board.service" >$unit
  systemd-analyze verify --man=no $unit
  command install -Dm644 "$project/platform/systemd/outwork.sysusers" /etc/sysusers.d/outwork.conf
  command install -Dm644 "$project/platform/systemd/outwork.tmpfiles" /etc/tmpfiles.d/outwork.conf
  systemd-sysusers outwork.conf
  systemd-tmpfiles --create outwork.conf
  runuser -u outwork -- "$project/.venv/bin/outwork" --version >/dev/null ||
    fail "The user outwork may not run $project/.venv/bin/outwork: use a project folder and a Python that everybody may read."
  start outwork-board
  for _ in $(seq 300); do [ -S $socket ] || sleep 0.1; done
  [ -S $socket ] || fail "The service has made no socket $socket: look into its journal."
  if has_systemd; then systemctl enable outwork-board; fi
}

check() {
  local configuration=$settings/board.cnf digest
  [ -e $settings/openssl.cnf ] || fail "The provider is not installed: run recipes/openssl.sh install first."
  cat >$configuration <<END
openssl_conf = openssl_init
.include $(openssl version -d | cut -d '"' -f 2)/openssl.cnf
.include $settings/openssl.cnf
[outwork_sect]
platform = shared
socket = $socket
policy = always
counters = $counters
END
  digest=$(seq 100000 | OPENSSL_CONF=$configuration openssl dgst -sha256)
  seq 100000 | openssl dgst -provider default -sha256 | cmp - <(echo "$digest")
  rm $configuration
  outwork status --counters $counters
}

uninstall() {
  if has_systemd; then systemctl disable outwork-board; fi
  stop outwork-board
  rm -f $unit /etc/sysusers.d/outwork.conf /etc/tmpfiles.d/outwork.conf
  rm -rf $counters $socket
  rmdir --ignore-fail-on-non-empty /run/outwork
  if getent passwd outwork >/dev/null; then userdel outwork; fi
  if has_systemd; then systemctl daemon-reload; fi
}

recipe "$@"
