#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Encrypts a file on the accelerator, checks the result with OpenSSL, and times both: demo.sh [FILE]
set -euo pipefail
cd "$(dirname "$0")/.."
outwork=.venv/bin/outwork
folder=build/demo
rm -rf $folder
mkdir -p $folder
say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
show() { printf '$ %s\n' "$*" && "$@"; }

input=${1:-}
if [ -z "$input" ]; then
  # A default input: the project's sources and the simulated accelerator's library.
  input=$folder/outwork.tar
  tar --create --file $input --exclude __pycache__ rtl driver platform outwork spec docs scripts build/release/lib
fi
(umask 077 && head -c 18 /dev/urandom | base64 >$folder/password)
printf 'Input: %s, %d bytes\n' "$input" "$(stat -c %s "$input")"

say "1. Encrypt on the accelerator (the SystemVerilog, simulated), decrypt with OpenSSL"
show $outwork encrypt "$input" $folder/openssl.enc --cipher aes-256-ctr --format openssl --password-file $folder/password
show openssl enc -d -aes-256-ctr -pbkdf2 -pass file:$folder/password -in $folder/openssl.enc -out $folder/openssl.out
show cmp "$input" $folder/openssl.out
echo "The same bytes."

say "2. The other way: encrypt with OpenSSL, decrypt on the accelerator"
show openssl enc -aes-256-cbc -pbkdf2 -pass file:$folder/password -in "$input" -out $folder/cbc.enc
show $outwork decrypt $folder/cbc.enc $folder/cbc.out --cipher aes-256-cbc --format openssl --password-file $folder/password
show cmp "$input" $folder/cbc.out
echo "The same bytes."

say "3. Authenticated encryption (AES-256-GCM); a damaged file is refused"
show $outwork encrypt "$input" $folder/gcm.ow --password-file $folder/password
show $outwork decrypt $folder/gcm.ow $folder/gcm.out --engine software --password-file $folder/password
show cmp "$input" $folder/gcm.out
echo "The same bytes."
.venv/bin/python - $folder/gcm.ow <<'END'
import pathlib, sys
path = pathlib.Path(sys.argv[1])
data = bytearray(path.read_bytes())
data[len(data) // 2] ^= 1
path.write_bytes(data)
END
if show $outwork decrypt $folder/gcm.ow $folder/damaged.out --password-file $folder/password; then
  echo "demo: a damaged file was accepted"
  exit 1
fi
if [ -e $folder/damaged.out ]; then
  echo "demo: decrypting a damaged file has left an output"
  exit 1
fi

say "4. By the size of a job: cycles counted on the device, at the board's clock; OpenSSL measured on this CPU"
show env COLUMNS=150 $outwork bench --algorithm aes-256-gcm --operation encrypt --size 16 --size 1024 --size 16384 \
  --engine accelerator --engine cpu
say "5. The same as a page: break-even, where the cycles go, OpenSSL without crypto instructions too"
show $outwork lab run quick --output $folder/quick.jsonl
show $outwork lab report $folder/quick.jsonl --output $folder/report.html
printf 'Open %s in a browser.\n' "$PWD/$folder/report.html"
printf '\nDemo done in %d seconds. Next: %s --help\n' $SECONDS $outwork
