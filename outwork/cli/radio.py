# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork radio`: encrypts packets of LTE and 5G with the 3GPP algorithms, one at a time or in batches."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Final, cast

import typer

from outwork import messages
from outwork.algorithms import radio as algorithms
from outwork.algorithms.radio import MAC_BYTES, Packet, RadioAlgorithm
from outwork.choice.engine import DEVICE
from outwork.cli import options
from outwork.cli.application import Application
from outwork.cli.options import DEFAULT_BOARD, DEFAULT_ENGINE
from outwork.errors import NotAuthenticError, OutworkError, UsageError
from outwork.files.streams import STANDARD, check_target, mode_of, open_sink, open_source, write_file
from outwork.radio import batch
from outwork.radio.engines import ENGINES, check_message, open_engine
from outwork.radio.software import Message
from outwork.simulated import patience

MESSAGE_BYTES_MAX: Final = 1 << 30
BYTE_ORDERS: Final = ("little", "big")

app = Application(
    "Radio algorithms of LTE and 5G: ZUC, SNOW 3G and AES, with COUNT, BEARER, DIRECTION and lengths in bits."
)

NAMES: Final = tuple(algorithm.name for algorithm in algorithms.FAMILY.others)
AlgorithmName = Annotated[
    str,
    typer.Option(
        "--algorithm",
        metavar="NAME",
        autocompletion=lambda: NAMES,
        help="Such as 128-eea3 or nia1.",
        show_default=False,
    ),
]
Key = Annotated[str, typer.Option("--key", metavar="HEX", help="16 bytes.", show_default=False)]
Count = Annotated[
    str, typer.Option("--count", metavar="N", help="COUNT, 32 bits; 0x… is hexadecimal.", show_default=False)
]
Bearer = Annotated[int, typer.Option("--bearer", metavar="N", help="BEARER, 0 to 31.", show_default=False)]
Direction = Annotated[
    int, typer.Option("--direction", metavar="N", help="DIRECTION: 0 uplink, 1 downlink.", show_default=False)
]
Bits = Annotated[
    int | None,
    typer.Option("--bits", metavar="N", help="LENGTH. \\[default: all of the input's bytes]", show_default=False),
]
EngineName = Annotated[
    str,
    typer.Option("--engine", envvar="OUTWORK_RADIO_ENGINE", metavar="NAME", help=f"One of: {', '.join(ENGINES)}."),
]


def _number(text: str, option: str) -> int:
    try:
        return int(text, 0)
    except ValueError as error:
        raise UsageError(f"{option} takes a number such as 7 or 0x398a59b4, not '{text}'.") from error


def _find(name: str, is_mac: bool) -> RadioAlgorithm:
    algorithm = algorithms.find(name)
    if algorithm.is_mac != is_mac:
        other = name.lower().replace("eia", "eea") if algorithm.is_mac else name.lower().replace("eea", "eia")
        raise UsageError(
            f"{algorithm} {'makes a MAC' if algorithm.is_mac else 'is a cipher'}: "
            f"{'use `radio mac`, or' if algorithm.is_mac else 'use `radio encrypt`, or'} an algorithm such as {other}."
        )
    return algorithm


def _read_message(key: str, count: str, bearer: int, direction: int, bits: int | None) -> Message:
    secret = options.from_hexadecimal(key, "--key")
    # checks what can be checked before reading the input
    Packet(_number(count, "--count"), bearer, direction, bits or 0)
    with open_source(STANDARD) as reading:
        data = reading.read_all(MESSAGE_BYTES_MAX)
    packet = Packet(_number(count, "--count"), bearer, direction, 8 * len(data) if bits is None else bits)
    return check_message(Message(secret, packet, data))


@app.command()
def encrypt(
    algorithm: AlgorithmName,
    key: Key,
    count: Count,
    bearer: Bearer,
    direction: Direction,
    bits: Bits = None,
    engine: EngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
) -> None:
    """Encrypt or decrypt one packet (the same operation), from standard input to standard output.

    The first bit is the highest of the first byte; bits after the last one are zero in the output. Keys on a command line can be
    seen by other users of the machine: this is for tests.

    Examples:

      printf 'hello' | outwork radio encrypt --algorithm nea3 --key 173d14ba5003731d7a60049470f00a29 --count 0x66035492 --bearer 15 --direction 0 | xxd
    """
    chosen = _find(algorithm, is_mac=False)
    message = _read_message(key, count, bearer, direction, bits)
    with closing(open_engine(engine, board)) as worker, patience(engine == DEVICE):
        result = worker.run(chosen, [message])[0][0]
    with open_sink(STANDARD) as writing:
        writing.write(result)


@app.command()
def mac(
    algorithm: AlgorithmName,
    key: Key,
    count: Count,
    bearer: Bearer,
    direction: Direction,
    bits: Bits = None,
    engine: EngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
) -> None:
    """Print the MAC of the packet on standard input, in hexadecimal.

    Examples:

      outwork radio mac --algorithm nia1 --key 2bd6459f82c5b300952c49104881ff48 --count 0x38a6f056 --bearer 31 --direction 0 --bits 88 < packet
    """
    chosen = _find(algorithm, is_mac=True)
    message = _read_message(key, count, bearer, direction, bits)
    with closing(open_engine(engine, board)) as worker, patience(engine == DEVICE):
        print(worker.run(chosen, [message])[0][0].hex())


@app.command()
def verify(
    algorithm: AlgorithmName,
    key: Key,
    count: Count,
    bearer: Bearer,
    direction: Direction,
    expected: Annotated[str, typer.Option("--mac", metavar="HEX", help="4 bytes.", show_default=False)],
    bits: Bits = None,
    engine: EngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
) -> None:
    """Compare the MAC of the packet on standard input with --mac; the exit status is 3 when they differ."""
    chosen = _find(algorithm, is_mac=True)
    wanted = options.from_hexadecimal(expected, "--mac")
    if len(wanted) != MAC_BYTES:
        raise UsageError(f"--mac takes {MAC_BYTES} bytes, not {len(wanted)}.")
    message = _read_message(key, count, bearer, direction, bits)
    with closing(open_engine(engine, board)) as worker, patience(engine == DEVICE):
        if not worker.verify(chosen, message, wanted):
            raise NotAuthenticError("The MAC does not match: wrong key or parameters, or the packet was changed.")


@app.command(name="batch")
def run_batch(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Packets in the format of WP437, Table 1.", show_default=False)
    ],
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithm",
            metavar="NAME",
            autocompletion=lambda: NAMES,
            help="Algorithm; may be repeated. \\[default: 128-eea3 and 128-eia3]",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The encrypted packets, in the same format; of a MAC, one word per packet.",
            show_default=False,
        ),
    ] = None,
    packets: Annotated[
        int | None,
        typer.Option("--generate", metavar="N", help="First write N random packets to FILE.", show_default=False),
    ] = None,
    bits: Annotated[int, typer.Option("--bits", metavar="N", help="Length of the packets to generate.")] = 256,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the random packets.")] = 1,
    force: options.Force = False,
    byte_order: Annotated[
        str, typer.Option("--byte-order", metavar="NAME", help="Of the file's words: little, or big.")
    ] = "little",
    engine: EngineName = DEFAULT_ENGINE,
    board: options.BoardName = DEFAULT_BOARD,
) -> None:
    """Process a batch of packets with an engine and report the throughput, as Xilinx WP437 (2013) does.

    Each packet has a key, COUNT, BEARER and DIRECTION of its own. The table has the columns of that paper's Table 5.

    Examples:

      outwork radio batch packets.bin --generate 1000 --bits 256 --board zcu102

      outwork radio batch packets.bin --engine software

      outwork radio batch packets.bin --algorithm nea1 --output enciphered.bin
    """
    if byte_order not in BYTE_ORDERS:
        raise UsageError(f"--byte-order is one of: {', '.join(BYTE_ORDERS)}.")
    order = cast(batch.ByteOrder, byte_order)
    chosen = [algorithms.find(name) for name in names or ["128-eea3", "128-eia3"]]
    if output is not None and len(chosen) != 1:
        raise UsageError("--output takes the result of one algorithm: give --algorithm once.")
    if output is not None:
        check_target(str(output), force)
    if packets is not None:
        write_file(file, batch.pack(batch.generate(packets, bits, seed), order), force=force)
    loaded = batch.parse(_read(file), order)
    if not loaded:
        raise OutworkError(f"{file} contains no packets.")
    rows = []
    with closing(open_engine(engine, board)) as worker, patience(engine == DEVICE):
        for algorithm in chosen:
            results, seconds = worker.run(algorithm, loaded)
            rows.append((algorithm, seconds))
        about = f"{worker.description}; time: {worker.seconds_are}"
    if output is not None:
        write_file(output, _result(chosen[0], loaded, results, order), force=force, mode=mode_of(str(file)))
    _report(loaded, rows, about)


def _result(
    algorithm: RadioAlgorithm, loaded: Sequence[Message], results: Sequence[bytes], order: batch.ByteOrder
) -> bytes:
    if algorithm.is_mac:
        return b"".join(result if order == "big" else result[::-1] for result in results)
    done = [Message(entry.key, entry.packet, result) for entry, result in zip(loaded, results, strict=True)]
    return batch.pack(done, order)


def _report(loaded: Sequence[Message], rows: Sequence[tuple[RadioAlgorithm, float]], about: str) -> None:
    from rich.table import Table

    lengths = [entry.packet.bits for entry in loaded]
    span = f"{min(lengths):,}" if min(lengths) == max(lengths) else f"{min(lengths):,} to {max(lengths):,}"
    view = Table(box=None, header_style="bold", pad_edge=False)
    view.add_column("algorithm", no_wrap=True)
    for title in ("packets", "data block length (bits)", "data size (Mb)", "elapsed time (ms)", "throughput (Mb/s)"):
        view.add_column(title, justify="right", no_wrap=True)
    for algorithm, seconds in rows:
        megabits = sum(lengths) / 1e6
        view.add_row(
            algorithm.name,
            f"{len(loaded):,}",
            span,
            f"{megabits:.3f}",
            f"{seconds * 1e3:.3f}",
            f"{megabits / seconds:,.1f}" if seconds else "",
        )
    console = messages.console()
    console.print(view, soft_wrap=True)
    console.print(about, style="dim", soft_wrap=True, highlight=False)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise OutworkError(
            f"The batch {path} cannot be read: {error.strerror}. `outwork radio batch {path} --generate 1000` makes one."
        ) from error
