#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# nginx over the accelerator: nginx.sh install|check|uninstall
#
# As root, after openssl.sh. POLICY=always gives every record to the device (default: the measured policy). A demonstration
# site on port 8443 of this machine has a certificate of its own; other sites need no change.
# shellcheck source=recipes/common.sh
source "$(dirname "$0")/common.sh"
need nginx nginx
need curl curl
site=/etc/nginx/conf.d/outwork-example.conf
pages=/var/lib/outwork-example

install() {
  mkdir -p $pages
  head -c 1000000 /dev/urandom >$pages/page
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj /CN=localhost -days 30 \
    -addext subjectAltName=DNS:localhost -keyout $pages/key.pem -out $pages/certificate.pem 2>/dev/null
  cat >$site <<END
server {
  listen 127.0.0.1:8443 ssl;
  root $pages;
  location = /page { }
  location / { return 404; }
  ssl_certificate $pages/certificate.pem;
  ssl_certificate_key $pages/key.pem;
}
END
  for_service nginx
  start nginx
}

check() {
  curl --silent --show-error --fail --cacert $pages/certificate.pem https://localhost:8443/page | cmp - $pages/page
  outwork status --counters $counters
}

uninstall() {
  not_for_service nginx
  rm -rf $site $pages
  stop nginx
  if has_systemd; then start nginx; fi
}

recipe "$@"
