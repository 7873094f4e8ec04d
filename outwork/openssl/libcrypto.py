# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""OpenSSL's libcrypto through cffi: the few EVP functions that the software engine calls."""

from functools import cache
from typing import Any, Final

from cffi import FFI

from outwork.errors import OutworkError

NAMES: Final = ("libcrypto.so.3", "libcrypto.so.4", "libcrypto.so", "libcrypto.3.dylib", "libcrypto.dylib")

# EVP_CTRL_*, <openssl/evp.h>
SET_IV_BYTES: Final = 0x9
GET_TAG: Final = 0x10
SET_TAG: Final = 0x11

OSSL_PARAM_UTF8_STRING: Final = 4
OPENSSL_INFO_CPU_SETTINGS: Final = 1008  # <openssl/crypto.h>

DECLARATIONS: Final = """
typedef struct evp_cipher_st EVP_CIPHER;
typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;
typedef struct evp_mac_st EVP_MAC;
typedef struct evp_mac_ctx_st EVP_MAC_CTX;
typedef struct { const char *key; unsigned int data_type; void *data; size_t data_size; size_t return_size; } OSSL_PARAM;
const char *OpenSSL_version(int);
const char *OPENSSL_info(int);
EVP_CIPHER *EVP_CIPHER_fetch(void *, const char *, const char *);
EVP_CIPHER_CTX *EVP_CIPHER_CTX_new(void);
void EVP_CIPHER_CTX_free(EVP_CIPHER_CTX *);
int EVP_CIPHER_CTX_ctrl(EVP_CIPHER_CTX *, int, int, void *);
int EVP_CIPHER_CTX_set_padding(EVP_CIPHER_CTX *, int);
int EVP_CipherInit_ex2(EVP_CIPHER_CTX *, const EVP_CIPHER *, const unsigned char *, const unsigned char *, int, void *);
int EVP_CipherUpdate(EVP_CIPHER_CTX *, unsigned char *, int *, const unsigned char *, int);
int EVP_CipherFinal_ex(EVP_CIPHER_CTX *, unsigned char *, int *);
EVP_MAC *EVP_MAC_fetch(void *, const char *, const char *);
EVP_MAC_CTX *EVP_MAC_CTX_new(EVP_MAC *);
void EVP_MAC_CTX_free(EVP_MAC_CTX *);
int EVP_MAC_init(EVP_MAC_CTX *, const unsigned char *, size_t, const OSSL_PARAM[]);
int EVP_MAC_update(EVP_MAC_CTX *, const unsigned char *, size_t);
int EVP_MAC_final(EVP_MAC_CTX *, unsigned char *, size_t *, size_t);
void ERR_clear_error(void);
"""


class LibCrypto:
    """The loaded library; each cipher is fetched once."""

    def __init__(self) -> None:
        self.ffi: Any = FFI()
        self.ffi.cdef(DECLARATIONS)
        self.c: Any = None
        self.name = ""
        for name in NAMES:
            try:
                self.c = self.ffi.dlopen(name)
                self.name = name
                break
            except OSError:
                continue
        if self.c is None:
            raise OutworkError(
                "The software engine needs OpenSSL's library libcrypto, version 3 or later; install it (Debian: libssl3)."
            )
        self.version: str = self.ffi.string(self.c.OpenSSL_version(0)).decode()
        self._ciphers: dict[str, Any] = {}
        self.cmac: Any = self.c.EVP_MAC_fetch(self.ffi.NULL, b"CMAC", self.ffi.NULL)

    def cpu_settings(self) -> str:
        """Returns the CPU instructions that it uses, as it reports them (`openssl info -cpusettings`)."""
        said = self.c.OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS)
        return "" if said == self.ffi.NULL else self.ffi.string(said).decode()

    def cipher(self, name: str) -> Any:
        """Returns the EVP_CIPHER with this name (`aes-256-gcm`), or None if this OpenSSL does not have it."""
        if name not in self._ciphers:
            found = self.c.EVP_CIPHER_fetch(self.ffi.NULL, name.encode(), self.ffi.NULL)
            self._ciphers[name] = None if found == self.ffi.NULL else found
            self.c.ERR_clear_error()
        return self._ciphers[name]


def file_name() -> str:
    """Returns the file name of the library; if it is not found, the first name that is tried."""
    try:
        return load().name
    except OutworkError:
        return NAMES[0]


@cache
def load() -> LibCrypto:
    return LibCrypto()
