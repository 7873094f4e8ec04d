# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The software engine: this machine's OpenSSL, one message per call."""

import hmac
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from outwork.algorithms.base import Algorithm, Operation, no_software
from outwork.algorithms.cipher import Cipher
from outwork.algorithms.combined import Combined
from outwork.device.memory import Memory
from outwork.engines import software_hash
from outwork.engines.base import Engine, EngineInfo, Key, Outcome, Request
from outwork.engines.hashing import HashTask, Result, Stream
from outwork.errors import OutworkError
from outwork.openssl import libcrypto
from outwork.openssl.libcrypto import GET_TAG, OSSL_PARAM_UTF8_STRING, SET_IV_BYTES, SET_TAG

# EVP uses int for lengths.
UPDATE_BYTES_MAX = 1 << 30


class _Handle:
    """A key with the OpenSSL contexts that contain its schedule, one per direction, created on first use."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.contexts: dict[bool, Any] = {}
        self.iv_bytes: dict[bool, int] = {}


class SoftwareEngine(Engine):
    name = "software"
    depth = 4

    def __init__(self) -> None:
        self._library = libcrypto.load()
        self._ffi, self._c = self._library.ffi, self._library.c
        self._null = self._ffi.NULL
        self._written = self._ffi.new("int *")
        self._finished: list[Request] = []
        self.description = self._library.version

    def supports(self, algorithm: Algorithm, operation: Operation) -> bool:
        if isinstance(algorithm, Cipher) and algorithm.library_name is not None:
            return self._library.cipher(algorithm.library_name) is not None
        if isinstance(algorithm, Combined):
            return False  # one message is two calls
        return algorithm.has_software  # an error says so later if this OpenSSL lacks it

    def hash_streams(self, task: HashTask, streams: Iterable[Stream]) -> Iterator[Result]:
        return software_hash.hash_streams(task, streams)

    def allocate(self, size_bytes: int) -> Memory:
        return Memory(size_bytes)

    def load_key(self, cipher: Cipher, key: bytes) -> Key:
        return Key(cipher, _Handle(key))

    def drop_key(self, key: Key) -> None:
        free = self._c.EVP_MAC_CTX_free if key.cipher.mode == "cmac" else self._c.EVP_CIPHER_CTX_free
        for context in key.handle.contexts.values():
            free(context)
        key.handle.contexts.clear()

    def submit(self, requests: Sequence[Request]) -> None:
        for request in requests:
            self.process(request)
        self._finished.extend(requests)

    def poll(self) -> list[Request]:
        finished, self._finished = self._finished, []
        return finished

    def run(self, request: Request) -> None:
        self.process(request)

    def process(self, request: Request) -> None:
        """Processes one message."""
        mode = request.key.cipher.mode
        if mode == "cmac":
            is_good = self._cmac(request)
        elif mode == "gmac":
            is_good = self._gmac(request)
        else:
            is_good = self._cipher(request)
        request.outcome = Outcome.OK if is_good else Outcome.NOT_AUTHENTIC

    def _must(self, answer: int) -> None:
        if answer != 1:
            self._c.ERR_clear_error()
            raise OutworkError(
                f"{self._library.version} refused the request: it does not accept this key, IV or length."
            )

    def _begin(self, request: Request, is_encrypt: bool) -> Any:
        """Returns a context with the request's IV; the key schedule is computed once per key."""
        handle, c, cipher = request.key.handle, self._c, request.key.cipher
        context = handle.contexts.get(is_encrypt)
        has_length = bool(cipher.tag_lengths)
        if context is None:
            evp_cipher = self._evp_cipher(cipher)
            context = handle.contexts[is_encrypt] = c.EVP_CIPHER_CTX_new()
            self._must(c.EVP_CipherInit_ex2(context, evp_cipher, self._null, self._null, is_encrypt, self._null))
            c.EVP_CIPHER_CTX_set_padding(context, 0)
            if has_length:
                self._must(c.EVP_CIPHER_CTX_ctrl(context, SET_IV_BYTES, len(request.iv), self._null))
                handle.iv_bytes[is_encrypt] = len(request.iv)
            if cipher.mode == "ccm":
                self._set_ccm_tag(context, request, is_encrypt)
            self._must(
                c.EVP_CipherInit_ex2(context, self._null, handle.key, request.iv or self._null, is_encrypt, self._null)
            )
            return context
        if has_length and handle.iv_bytes[is_encrypt] != len(request.iv):
            self._must(c.EVP_CIPHER_CTX_ctrl(context, SET_IV_BYTES, len(request.iv), self._null))
            handle.iv_bytes[is_encrypt] = len(request.iv)
        if cipher.mode == "ccm":
            self._set_ccm_tag(context, request, is_encrypt)
        self._must(
            c.EVP_CipherInit_ex2(context, self._null, self._null, request.iv or self._null, is_encrypt, self._null)
        )
        return context

    def _evp_cipher(self, cipher: Cipher) -> Any:
        found = None if cipher.library_name is None else self._library.cipher(cipher.library_name)
        if found is None:
            raise no_software(cipher)
        return found

    def _set_ccm_tag(self, context: Any, request: Request, is_encrypt: bool) -> None:
        expected = self._null if is_encrypt else self._pointer(request.source + request.length_bytes)
        self._must(self._c.EVP_CIPHER_CTX_ctrl(context, SET_TAG, request.tag_bytes, expected))

    def _pointer(self, address: int) -> Any:
        return self._ffi.cast("unsigned char *", address)

    def _update(self, context: Any, destination: Any, source: Any, length: int) -> bool:
        """Processes any length, in several calls if it is too long for OpenSSL's int. Returns whether it succeeded."""
        done = 0
        while True:
            part = min(length - done, UPDATE_BYTES_MAX)
            out = self._null if destination == self._null else destination + done
            if self._c.EVP_CipherUpdate(context, out, self._written, source + done, part) != 1:
                self._c.ERR_clear_error()
                return False
            done += part
            if done == length:
                return True

    def _cipher(self, request: Request) -> bool:
        ffi, c, cipher = self._ffi, self._c, request.key.cipher
        is_encrypt = request.operation is Operation.ENCRYPT
        context = self._begin(request, is_encrypt)
        source, destination = self._pointer(request.source), self._pointer(request.destination)
        length = request.length_bytes
        is_ccm = cipher.mode == "ccm"
        if is_ccm:
            self._must(c.EVP_CipherUpdate(context, self._null, self._written, self._null, length))
        if request.aad:
            self._must(c.EVP_CipherUpdate(context, self._null, self._written, request.aad, len(request.aad)))
        if cipher.is_aead and not (is_ccm or is_encrypt):
            self._must(c.EVP_CIPHER_CTX_ctrl(context, SET_TAG, request.tag_bytes, source + length))
        is_good = self._update(context, destination, source, length) if length or is_ccm else True
        if is_good and not is_ccm:
            is_good = c.EVP_CipherFinal_ex(context, destination + length, self._written) == 1
        if not is_good:
            c.ERR_clear_error()
            if not cipher.is_aead or is_encrypt:
                self._must(0)
            ffi.memmove(destination, bytes(length), length)
            return False
        if cipher.is_aead and is_encrypt:
            self._must(c.EVP_CIPHER_CTX_ctrl(context, GET_TAG, request.tag_bytes, destination + length))
        return True

    def _gmac(self, request: Request) -> bool:
        c = self._c
        context = self._begin(request, is_encrypt=True)
        if request.length_bytes:
            self._must(self._update(context, self._null, self._pointer(request.source), request.length_bytes))
        self._must(c.EVP_CipherFinal_ex(context, self._ffi.new("unsigned char[16]"), self._written))
        tag = self._ffi.new("unsigned char[16]")
        self._must(c.EVP_CIPHER_CTX_ctrl(context, GET_TAG, 16, tag))
        return self._finish_mac(request, bytes(tag))

    def _cmac(self, request: Request) -> bool:
        ffi, c, handle = self._ffi, self._c, request.key.handle
        context = handle.contexts.get(True)
        if context is None:
            context = handle.contexts[True] = c.EVP_MAC_CTX_new(self._library.cmac)
            name = ffi.new("char[]", (request.key.cipher.library_name or "").encode())
            label = ffi.new("char[]", b"cipher")
            parameters = ffi.new("OSSL_PARAM[2]")
            parameters[0].key, parameters[0].data_type = label, OSSL_PARAM_UTF8_STRING
            parameters[0].data, parameters[0].data_size = name, len(name) - 1
            self._must(c.EVP_MAC_init(context, handle.key, len(handle.key), parameters))
        else:
            self._must(c.EVP_MAC_init(context, self._null, 0, self._null))
        self._must(c.EVP_MAC_update(context, self._pointer(request.source), request.length_bytes))
        tag, length = ffi.new("unsigned char[16]"), ffi.new("size_t *")
        self._must(c.EVP_MAC_final(context, tag, length, 16))
        return self._finish_mac(request, bytes(tag))

    @staticmethod
    def _finish_mac(request: Request, tag: bytes) -> bool:
        if request.operation is Operation.VERIFY:
            return hmac.compare_digest(tag[: request.tag_bytes], request.tag[: request.tag_bytes])
        request.tag = tag[: request.tag_bytes]
        return True


ENGINE = EngineInfo("software", "this machine's OpenSSL", lambda board, boards: SoftwareEngine())
