# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Reports, as JSON on standard output, what a program gets from OpenSSL as configured on this machine.

Run in a process of its own (`python -m outwork.openssl.probe`), because OpenSSL reads its configuration once.
"""

import json
from typing import Any, Final

from cffi import FFI

from outwork.openssl import libcrypto

# <openssl/crypto.h>
VERSION: Final = 0
INFO_MODULES: Final = 1003

CIPHER: Final = b"AES-256-GCM"
LENGTHS: Final = (16, 1024, 16384, 65536)
WORDS: Final = ("name", "version", "buildinfo", "complaint", "policy")
COUNTS: Final = ("jobs", "bytes", "cpu-requests", "cpu-bytes", "cpu-policy", "cpu-fault")

DECLARATIONS: Final = (
    libcrypto.DECLARATIONS
    + """
typedef struct ossl_provider_st OSSL_PROVIDER;
char *CONF_get1_default_config_file(void);
int OSSL_PROVIDER_do_all(void *, int (*)(OSSL_PROVIDER *, void *), void *);
const char *OSSL_PROVIDER_get0_name(const OSSL_PROVIDER *);
int OSSL_PROVIDER_get_params(const OSSL_PROVIDER *, OSSL_PARAM *);
OSSL_PROVIDER *OSSL_PROVIDER_try_load(void *, const char *, int);
const OSSL_PROVIDER *EVP_CIPHER_get0_provider(const EVP_CIPHER *);
unsigned long ERR_get_error(void);
void ERR_error_string_n(unsigned long, char *, size_t);
"""
)
OSSL_PARAM_UNSIGNED_INTEGER: Final = 2
OSSL_PARAM_UTF8_PTR: Final = 6


class Probe:
    """libcrypto in this process."""

    def __init__(self) -> None:
        library = libcrypto.file_name()
        self.ffi: Any = FFI()
        self.ffi.cdef(DECLARATIONS)
        self.c: Any = self.ffi.dlopen(library)

    def text(self, pointer: Any) -> str:
        return "" if pointer == self.ffi.NULL else self.ffi.string(pointer).decode("utf-8", "replace")

    def errors(self) -> list[str]:
        found: list[str] = []
        while code := self.c.ERR_get_error():
            room = self.ffi.new("char[256]")
            self.c.ERR_error_string_n(code, room, 256)
            found.append(self.text(room))
        return found

    def _param(self, provider: Any, name: str, kind: int, value: Any, size: int) -> bool:
        key = self.ffi.new("char[]", name.encode())
        params = self.ffi.new("OSSL_PARAM[2]")
        params[0].key, params[0].data_type = key, kind
        params[0].data, params[0].data_size = value, size
        params[0].return_size = self.ffi.cast("size_t", -1)
        params[1].key = self.ffi.NULL
        return bool(self.c.OSSL_PROVIDER_get_params(provider, params))

    def words(self, provider: Any) -> dict[str, str]:
        found: dict[str, str] = {}
        for name in WORDS:
            value = self.ffi.new("char **")
            if self._param(provider, name, OSSL_PARAM_UTF8_PTR, value, 0):
                found[name] = self.text(value[0])
        return found

    def counts(self, provider: Any) -> dict[str, int]:
        found: dict[str, int] = {}
        for name in COUNTS:
            value = self.ffi.new("uint64_t *")
            if self._param(provider, name, OSSL_PARAM_UNSIGNED_INTEGER, value, 8):
                found[name] = int(value[0])
        return found

    def providers(self) -> dict[str, Any]:
        """Returns the names of the active providers."""
        found: dict[str, Any] = {}

        @self.ffi.callback("int(OSSL_PROVIDER *, void *)")  # type: ignore[untyped-decorator]
        def note(provider: Any, _: Any) -> int:
            found[self.text(self.c.OSSL_PROVIDER_get0_name(provider))] = provider
            return 1

        self.c.OSSL_PROVIDER_do_all(self.ffi.NULL, note, self.ffi.NULL)
        return found

    def seal(self, properties: bytes, message: bytes) -> tuple[str, bytes]:
        """Encrypts a message. Returns the provider that did it, and the ciphertext with its tag."""
        cipher = self.c.EVP_CIPHER_fetch(self.ffi.NULL, CIPHER, properties)
        if cipher == self.ffi.NULL:
            return "", b""
        who = self.text(self.c.OSSL_PROVIDER_get0_name(self.c.EVP_CIPHER_get0_provider(cipher)))
        context = self.c.EVP_CIPHER_CTX_new()
        output = self.ffi.new("unsigned char[]", len(message) + 32)
        length = self.ffi.new("int *")
        good = self.c.EVP_CipherInit_ex2(context, cipher, bytes(range(32)), bytes(range(12)), 1, self.ffi.NULL)
        good &= self.c.EVP_CipherUpdate(context, output, length, message, len(message))
        good &= self.c.EVP_CipherFinal_ex(context, output + length[0], length)
        good &= self.c.EVP_CIPHER_CTX_ctrl(context, libcrypto.GET_TAG, 16, output + len(message))
        self.c.EVP_CIPHER_CTX_free(context)
        return who, bytes(self.ffi.buffer(output, len(message) + 16)) if good == 1 else b""


def run() -> dict[str, Any]:
    probe = Probe()
    c = probe.c
    report: dict[str, Any] = {
        "version": probe.text(c.OpenSSL_version(VERSION)),
        "modules_folder": probe.text(c.OPENSSL_info(INFO_MODULES)),
        "configuration": probe.text(c.CONF_get1_default_config_file()),
        "trials": [],
    }
    who, _ = probe.seal(b"", b"")  # the first fetch reads the configuration
    active = probe.providers()
    report["providers"] = sorted(active)
    report["preferred"] = who
    report["errors"] = probe.errors()
    provider = active.get("outwork")
    if provider is None:
        provider = c.OSSL_PROVIDER_try_load(probe.ffi.NULL, b"outwork", 1)
        report["load_errors"] = probe.errors()
        provider = None if provider == probe.ffi.NULL else provider
    if provider is None:
        return report
    report["words"] = probe.words(provider)
    for length in LENGTHS:
        before = probe.counts(provider)
        message = bytes(index % 251 for index in range(length))
        _, ours = probe.seal(b"provider=outwork", message)
        after = probe.counts(provider)
        _, theirs = probe.seal(b"provider=default", message)
        report["trials"].append(
            {
                "bytes": length,
                "right": ours == theirs if theirs else len(ours) == length + 16,
                "changes": {name: after[name] - before[name] for name in after},
            }
        )
    report["words"] = probe.words(provider)  # if the device could not be opened, the provider reports it now
    return report


if __name__ == "__main__":
    print(json.dumps(run()))
