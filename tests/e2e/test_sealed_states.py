# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Sealed states under keys in slots, in memory, against the golden model: key, nonce, and the values that they are
bound to."""

import random

import models
import pytest
from raw import Descriptor, RawQueue

from outwork import spec
from outwork.device.board import Board
from outwork.spec import Opcode, Status

model = models.load("seal")
SEED = 41
SLOT = 9
QUEUE = 2
LENGTHS = {16: spec.KeyLength.BITS_128, 32: spec.KeyLength.BITS_256}
# Opcode, key, words of the state, its place in the context.
MODES = [
    (Opcode.AES_CMAC, 16, 3, 0x40),
    (Opcode.AES_GMAC, 32, 3, 0x40),
    (Opcode.HMAC_SHA1, 20, 9, 0x80),
    (Opcode.HMAC_SHA512, 64, 13, 0x80),
    (Opcode.KMAC256, 33, 14, 0x80),
]


@pytest.mark.parametrize(("opcode", "key_bytes", "words", "place"), MODES)
def test_as_the_model_has_it(board: Board, opcode: Opcode, key_bytes: int, words: int, place: int) -> None:
    rng = random.Random(SEED)
    seed, key, message = rng.randbytes(32), rng.randbytes(key_bytes), rng.randbytes(512)
    platform = board.platform
    for i in range(spec.GLOBAL_SEED_COUNT):
        offset = spec.GLOBAL_SEED_OFFSET + i * spec.GLOBAL_SEED_STRIDE
        platform.write32(platform.context, offset, int.from_bytes(seed[4 * i : 4 * i + 4], "little"))
    memory = board.memory(4096)
    memory.view[:] = bytes(4096)
    memory.view[:512] = message
    queue = RawQueue(board, QUEUE)

    def save(inline: bool) -> bytes:
        memory.view[1024:2048] = bytes(1024)
        memory.view[1024 : 1024 + key_bytes] = key if inline else bytes(key_bytes)
        code = LENGTHS[key_bytes] if opcode in (Opcode.AES_CMAC, Opcode.AES_GMAC) else key_bytes
        control = {"opcode": opcode, "key": code if inline else SLOT, "inline_key": int(inline), "save_state": 1}
        job = Descriptor(control, source=memory.address, context=memory.address + 1024, length=512, iv=bytes(range(12)))
        done = queue.run(job)
        assert (done.status, done.tag) == (Status.OK, bytes(16))
        return bytes(memory.view[1024:2048])

    state = save(inline=True)[place : place + 16 * words]
    generations = set()
    for count in range(3):
        # Each loading of the slot is another generation; the first is not this test's to know.
        board.load_key(SLOT, key, kind=0 if opcode in (Opcode.AES_CMAC, Opcode.AES_GMAC) else opcode)
        sealed = save(inline=False)[place - 32 : place + 16 * words]
        board.zeroise(SLOT)
        nonce, tag, ciphertext = sealed[:16], sealed[16:32], sealed[32:]
        assert nonce[8:] == QUEUE.to_bytes(8, "little")
        for generation in range(64):
            bound = model.associated(opcode, SLOT, QUEUE, words, generation)
            if model.decrypt(seed[:16], nonce, bound, ciphertext, tag) == state:
                assert model.seal(seed[:16], int.from_bytes(nonce[:8], "little"), QUEUE, bound, state) == sealed
                generations.add(generation)
        assert len(generations) == count + 1
