# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the driver wrappers of an Mbed TLS source tree from its templates and descriptions.

Does the same as the tree's scripts/generate_driver_wrappers.py, for trees without the scripts that it needs.
"""

import json
import sys
from pathlib import Path

import jinja2


def main(root: Path) -> None:
    data = root / "scripts" / "data_files"
    names = json.loads((data / "driver_jsons" / "driverlist.json").read_text(encoding="utf-8"))
    drivers = [json.loads((data / "driver_jsons" / name).read_text(encoding="utf-8")) for name in names]
    loader = jinja2.FileSystemLoader(data / "driver_templates")
    templates = jinja2.Environment(loader=loader, keep_trailing_newline=True, autoescape=False)
    for template in ("psa_crypto_driver_wrappers.h", "psa_crypto_driver_wrappers_no_static.c"):
        text = templates.get_template(f"{template}.jinja").render(drivers=drivers)
        (root / "library" / template).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
