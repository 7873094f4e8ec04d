# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the recipes share: the project's command line, paths, and services on machines with and without systemd.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export PATH=$project/.venv/bin:$PATH:/usr/sbin:/sbin
settings=/etc/outwork
counters=/run/outwork/counters

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# need PROGRAM PACKAGE: ends with status 3 if the program is not installed.
need() {
  command -v "$1" >/dev/null && return
  echo "$(basename "$0"): $1 is missing: apt-get install $2" >&2
  exit 3
}

has_systemd() { [ -d /run/systemd/system ]; }

# start UNIT, stop UNIT: by systemd; where it does not run, such as in a container, by run_unit.py, as the unit says.
start() {
  if has_systemd; then
    systemctl daemon-reload
    systemctl restart "$1"
  else
    python3 "$project/recipes/run_unit.py" start "$1"
  fi
}
stop() {
  if has_systemd; then systemctl stop "$1"; else python3 "$project/recipes/run_unit.py" stop "$1"; fi
}

# for_service UNIT: has one service use the provider with a policy of its own, and leave its counters.
for_service() {
  [ -e $settings/openssl.cnf ] || fail "The provider is not installed: run recipes/openssl.sh install first."
  mkdir -p $counters
  chmod 1777 $counters
  # Sections of the same name grow together, and the last value of a name counts.
  cat >"$settings/$1.cnf" <<END
openssl_conf = openssl_init
.include $(openssl version -d | cut -d '"' -f 2)/openssl.cnf
.include $settings/openssl.cnf
[outwork_sect]
policy = ${POLICY:-$settings/policy.txt}
counters = $counters
END
  mkdir -p "/etc/systemd/system/$1.service.d"
  cat >"/etc/systemd/system/$1.service.d/outwork.conf" <<END
[Service]
Environment=OPENSSL_CONF=$settings/$1.cnf
END
}

# not_for_service UNIT: takes that back.
not_for_service() {
  rm -f "$settings/$1.cnf" "/etc/systemd/system/$1.service.d/outwork.conf"
  rmdir --ignore-fail-on-non-empty "/etc/systemd/system/$1.service.d"
}

# recipe WORD: runs the function of that name.
recipe() {
  case ${1:-} in
  install | check | uninstall) "$1" ;;
  *) fail "The word is install, check or uninstall." ;;
  esac
}
