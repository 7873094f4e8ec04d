# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Crypto libraries with their plug-in as parts of a program for the system on chip: sources and the compiler's options."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from outwork.errors import OutworkError
from outwork.paths import PROJECT

LIBRARIES: Final = PROJECT / "platform/soc/libraries"
BENCH: Final = PROJECT / "platform/soc/bench"
OFFLOAD: Final = PROJECT / "plugins/offload"
PSA: Final = PROJECT / "plugins/psa"
WOLFSSL_PLUGIN: Final = PROJECT / "plugins/wolfssl"
WOLFSSL: Final = PROJECT / ".venv/wolfssl/5.9.4/vendor/wolfssl-sys/wolfssl-src"
WOLFSSL_FILES: Final = (
    *(
        "aes",
        "cmac",
        "coding",
        "cryptocb",
        "error",
        "hash",
        "hmac",
        "kdf",
        "logging",
        "memory",
        "random",
        "sha",
        "sha256",
    ),
    *("sha3", "sha512", "sp_int", "wc_encrypt", "wc_port", "wolfmath"),
)
MBEDTLS: Final = PROJECT / ".venv/mbedtls/3.6.5"
MBEDTLS_FILES: Final = (
    *("aes", "asn1parse", "asn1write", "bignum", "bignum_core", "block_cipher", "ccm", "cipher", "cipher_wrap", "cmac"),
    *("constant_time", "ecdh", "ecdsa", "ecp", "ecp_curves", "gcm", "md", "oid", "platform", "platform_util"),
    *(
        "psa_crypto",
        "psa_crypto_aead",
        "psa_crypto_cipher",
        "psa_crypto_client",
        "psa_crypto_driver_wrappers_no_static",
    ),
    *("psa_crypto_ecp", "psa_crypto_hash", "psa_crypto_mac", "psa_crypto_slot_management", "psa_util"),
    *("psa_crypto_rsa", "rsa", "rsa_alt_helpers", "sha1", "sha256", "sha3", "sha512"),
)


@dataclass(frozen=True)
class Library:
    """Sources besides those of the program, and the options for all of them."""

    sources: tuple[Path, ...]
    flags: tuple[str, ...]
    fetched_by: str

    def check(self) -> None:
        """Raises OutworkError if the library has not been fetched."""
        if not all(source.is_file() for source in self.sources):
            raise OutworkError(f"The library's sources are missing: `{self.fetched_by}` fetches them.")


def environment(freertos: bool) -> tuple[Path, ...]:
    """Returns the sources of a program's environment: memory of the C library, and the bare machine or a task."""
    return LIBRARIES / "heap.c", LIBRARIES / ("freertos.c" if freertos else "bare_metal.c")


def _core() -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """The plug-ins' core, and what opens the device for it."""
    sources = (LIBRARIES / "library.c", *sorted((OFFLOAD / "firmware").glob("*.c")), OFFLOAD / "src/reason.c")
    folders = (LIBRARIES, BENCH, OFFLOAD, OFFLOAD / "firmware")
    return sources, ("-DOUTWORK_FIRMWARE", *(f"-I{folder}" for folder in folders))


def psa(instructions: bool = False) -> Library:
    """Returns Mbed TLS with the PSA driver; `instructions`: with its hooks for the CPU's crypto instructions."""
    sources, flags = _core()
    hooks = ((LIBRARIES / "zkn_mbedtls.c",), ("-DLIBRARY_INSTRUCTIONS",)) if instructions else ((), ())
    return Library(
        (
            *sources,
            *hooks[0],
            *sorted((PSA / "src").glob("*.c")),
            *(MBEDTLS / f"library/{name}.c" for name in MBEDTLS_FILES),
        ),
        (
            *flags,
            *hooks[1],
            *("-DOUTWORK_PSA", '-DMBEDTLS_CONFIG_FILE="psa_config.h"', f"-I{PSA}/include", f"-I{PSA}/bench"),
            *(f"-I{MBEDTLS}/include", f"-I{MBEDTLS}/library"),
        ),
        "scripts/mbedtls.sh 3.6.5",
    )


def wolfcrypt(program: str = "benchmark") -> Library:
    """Returns wolfCrypt with the callback and its benchmark, or its `test`.

    That leaves out what runs all of it once more with a callback of its own, which is software.
    """
    sources, flags = _core()
    return Library(
        (
            *sources,
            *sorted((WOLFSSL_PLUGIN / "src").glob("*.c")),
            *(WOLFSSL / f"wolfcrypt/src/{name}.c" for name in WOLFSSL_FILES),
            WOLFSSL / f"wolfcrypt/{program}/{program}.c",
        ),
        (*flags, "-DWOLFSSL_USER_SETTINGS", "-DWC_TEST_NO_CRYPTOCB_SW_TEST", f"-I{WOLFSSL_PLUGIN}", f"-I{WOLFSSL}"),
        "scripts/wolfssl.sh",
    )
