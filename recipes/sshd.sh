#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# The OpenSSH server over the accelerator: sshd.sh install|check|uninstall
#
# As root, after openssl.sh. POLICY=always gives every packet to the device (default: the measured policy). Sessions that are
# open stay as they are. `check` logs in with the keys of the user who runs it.
# shellcheck source=recipes/common.sh
source "$(dirname "$0")/common.sh"
need sshd openssh-server
need ssh openssh-client

install() {
  for_service ssh
  start ssh
}

check() {
  # AES, because ChaCha20, which OpenSSH prefers, is not the device's.
  ssh -c aes256-gcm@openssh.com -o BatchMode=yes localhost "cat $(command -v ssh)" | cmp - "$(command -v ssh)"
  outwork status --counters $counters
}

uninstall() {
  not_for_service ssh
  stop ssh
  if has_systemd; then start ssh; fi
}

recipe "$@"
