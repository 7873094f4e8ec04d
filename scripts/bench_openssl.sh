#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Runs the OpenSSL provider's benches from a build folder: bench_openssl.sh FOLDER
#
# The choice between CPU and device is measured twice: with all instructions of this CPU, and without the cryptographic
# ones (x86 only), so that each side is faster at some size.
set -uo pipefail
library=$(cd "$1/lib" && pwd)
bench=$1/bin/openssl_bench
export OUTWORK_BENCH_MODULE=$library/ossl-modules/outwork.so
export OUTWORK_BENCH_NULL_BOARD=$library/libow_board_null.so OUTWORK_BENCH_BOARD=$library/libow_board_tapped.so
status=0
"$bench" overhead || status=1
"$bench" busy || status=1
"$bench" choice || status=1
OPENSSL_ia32cap='~0x0200000200000000:~0x0000060020000000' "$bench" choice || status=1
exit $status
