# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""For the guest: gives its kernel entropy, without which OpenSSL waits and private operations of the module go to software."""

import fcntl
import hashlib
import struct
from pathlib import Path

ADD_ENTROPY = 0x40085203  # RNDADDENTROPY of <linux/random.h>


def seed() -> None:
    bits, entropy = 256, hashlib.sha256(b"outwork").digest()
    with Path("/dev/urandom").open("wb") as device:
        fcntl.ioctl(device, ADD_ENTROPY, struct.pack("ii32s", bits, len(entropy), entropy))


if __name__ == "__main__":
    seed()
