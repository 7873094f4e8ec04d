#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Runs the kernel's own semantic checks (scripts/coccinelle, as `make coccicheck MODE=report` does) over the kernel module and the
# portable driver in it: kernel_cocci.sh [FOLDER]; default: build/lint/kernel, which gets the module's sources first.
#
# Prints what they find. Exit status 1 if they find anything, or cannot be run.
set -euo pipefail
cd "$(dirname "$0")/.."
kernels=(build/soc/linux/sources-*)
[ -d "${kernels[0]}/scripts/coccinelle" ] || { echo "kernel_cocci: there are no sources of a kernel: make linux unpacks them" >&2 && exit 1; }
command -v spatch >/dev/null || { echo "kernel_cocci: there is no spatch: install the package coccinelle" >&2 && exit 1; }
kernel=$(cd "${kernels[0]}" && pwd)
folder=${1-}
if [ -z "$folder" ]; then
  folder=build/lint/kernel
  scripts/kernel_sources.sh $folder
  for part in bench faults compare lab; do
    rm -rf "${folder:?}/$part"
    cp -r platform/linux/kernel/$part $folder/
  done
fi
includes=()
for each in arch/x86/include include arch/x86/include/uapi include/uapi; do
  includes+=(-I "$kernel/$each")
done

found=$(mktemp)
trap 'rm -f "$found"' EXIT
while read -r check; do
  # Those in OCaml want a compiler of it. They are about one driver of the kernel, and about a style of comparisons.
  if grep -q 'script:ocaml' "$check"; then
    continue
  fi
  read -ra options <<<"$(sed -n 's|^// Options:||p' "$check")"
  spatch -D report --no-show-diff --very-quiet --cocci-file "$check" "${options[@]}" --dir "$folder" "${includes[@]}" 2>&1 |
    # What spatch says about the check itself, and about files without a word that the check needs.
    grep -vE '^(warning: line [0-9]+: should |[0-9]+ files match)' >>"$found" || [ "${PIPESTATUS[0]}" -eq 0 ] || {
    echo "$check cannot be run" >>"$found"
  }
done < <(find "$kernel/scripts/coccinelle" -name '*.cocci' | sort)

# The portable driver has no min() and max().
! grep -vE '/driver/[a-z_]+\.[ch]:[0-9:-]+: WARNING opportunity for (min|max)\(\)$' "$found"
