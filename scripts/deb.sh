#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Writes Debian packages into dist/ from the wheel there and a build folder: deb.sh FOLDER
#
# outwork           command line with simulated boards and manual pages; Python packages that Debian lacks are inside
# outwork-openssl   the OpenSSL provider; it changes no configuration of OpenSSL: `outwork openssl install` does
# liboutwork<N>     the driver as a shared library; liboutwork-dev: headers, pkg-config, CMake package, sources
# outwork-doc       the pages of docs/
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
python=.venv/bin/python
version=$(sed -n 's/^__version__: Final = "\(.*\)"/\1/p' outwork/__init__.py)
interface=${version%.*}
architecture=$(dpkg --print-architecture)
triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
wheels=(dist/outwork-"$version"-*.whl)
[ -e "${wheels[0]}" ] || {
  echo "deb: there is no wheel in dist: run \`make wheel\` first." >&2
  exit 1
}
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
umask 022

# depends FILE…: the packages whose libraries these files need.
depends() {
  mkdir -p "$stage/shlibs/debian"
  printf 'Source: outwork\n\nPackage: outwork\nArchitecture: any\n' >"$stage/shlibs/debian/control"
  (cd "$stage/shlibs" && dpkg-shlibdeps --ignore-missing-info -O "${@/#/-e}" 2>/dev/null) | sed 's/^shlibs:Depends=//'
}

# pack NAME DEPENDS SECTION ARCHITECTURE SUMMARY: makes the package of $stage/NAME.
pack() {
  local root=$stage/$1
  install -Dm644 LICENSE "$root/usr/share/doc/$1/copyright"
  mkdir -p "$root/DEBIAN"
  {
    echo "Package: $1"
    echo "Version: $version"
    echo "Architecture: $4"
    echo "Maintainer: The Outwork authors <outwork@localhost>"
    echo "Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)"
    [ -z "$2" ] || echo "Depends: $2"
    echo "Section: $3"
    echo "Priority: optional"
    echo "Description: $5"
  } >"$root/DEBIAN/control"
  (cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  dpkg-deb -Zgzip --root-owner-group --build "$root" "dist/$1_${version}_$4.deb" >/dev/null
  echo "deb: dist/$1_${version}_$4.deb"
}

mkdir -p dist
rm -f dist/*.deb

# The command line, with its Python packages as they are pinned.
root=$stage/outwork
home=$root/usr/lib/outwork
mkdir -p "$home" "$root/usr/bin" "$root/usr/share/man/man1"
$python -m pip install --quiet --disable-pip-version-check --no-compile --only-binary :all: --target "$home" \
  --constraint requirements-run.txt "${wheels[0]}"
rm -rf "${home:?}/bin" "${home:?}/share"
module=$stage/outwork-openssl/usr/lib/$triplet/ossl-modules/outwork.so
mkdir -p "$(dirname "$module")"
mv "$home/outwork/lib/ossl-modules/outwork.so" "$module"
rmdir "$home/outwork/lib/ossl-modules"
install -m755 scripts/deb/outwork "$root/usr/bin/outwork"
$python scripts/man_pages.py "$root/usr/share/man/man1"
gzip -9n "$root"/usr/share/man/man1/*.1
series=$($python -c 'import sys; print(f"{sys.version_info[0]}.{sys.version_info[1]}")')
next=${series%.*}.$((${series#*.} + 1))
mapfile -t libraries < <(find "$home/outwork/lib" -name '*.so')
install -Dm644 -t "$root/usr/lib/systemd/system" platform/systemd/outwork-board.service
install -Dm644 platform/systemd/outwork.sysusers "$root/usr/lib/sysusers.d/outwork.conf"
install -Dm644 platform/systemd/outwork.tmpfiles "$root/usr/lib/tmpfiles.d/outwork.conf"
mkdir -p "$root/DEBIAN"
for script in prerm postinst postrm; do
  install -m755 scripts/deb/outwork.$script "$root/DEBIAN/$script"
done
pack outwork "python3 (>= $series), python3 (<< $next), openssl, $(depends "${libraries[@]}")" utils "$architecture" \
  "open crypto offload: command line and simulated accelerator"

root=$stage/outwork-openssl
mkdir -p "$root/etc/outwork" "$root/DEBIAN"
sed -e "s|@OUTWORK_OPENSSL_MODULESDIR@|/usr/lib/$triplet/ossl-modules|; s|@OUTWORK_CONFDIR@|/etc/outwork|" \
  -e "s|^#library = .*|library = /usr/lib/outwork/outwork/lib/libow_board_128.so|" plugins/openssl/openssl.cnf.in \
  >"$root/etc/outwork/openssl.cnf"
echo /etc/outwork/openssl.cnf >"$root/DEBIAN/conffiles"
install -m755 scripts/deb/outwork-openssl.prerm "$root/DEBIAN/prerm"
pack outwork-openssl "outwork (= $version), $(depends "$module")" libs "$architecture" \
  "OpenSSL provider that gives work to the Outwork accelerator"

# The driver.
DESTDIR=$stage/driver .venv/bin/cmake --install "$build" --component driver --prefix /usr >/dev/null
driver=$stage/driver/usr
root=$stage/liboutwork$interface
mkdir -p "$root/usr/lib"
mv "$driver"/lib/liboutwork.so.* "$root/usr/lib/" # where liboutwork.so and the CMake package point to
printf 'activate-noawait ldconfig\n' >"$stage/triggers"
mkdir -p "$root/DEBIAN" && cp "$stage/triggers" "$root/DEBIAN/triggers"
printf 'liboutwork %s liboutwork%s (>= %s)\n' "$interface" "$interface" "$version" >"$root/DEBIAN/shlibs"
pack "liboutwork$interface" "$(depends "$root/usr/lib/liboutwork.so.$version")" libs "$architecture" \
  "driver of the Outwork crypto accelerator, shared library"
root=$stage/liboutwork-dev
mkdir -p "$root"
mv "$driver" "$root/usr"
pack liboutwork-dev "liboutwork$interface (= $version)" libdevel "$architecture" \
  "driver of the Outwork crypto accelerator, for developing"

root=$stage/outwork-doc
mkdir -p "$root/usr/share/doc/outwork-doc"
cp -r docs README.md DESIGN.md CHANGELOG.md "$root/usr/share/doc/outwork-doc/"
pack outwork-doc "" doc all "documentation of the Outwork crypto accelerator"
