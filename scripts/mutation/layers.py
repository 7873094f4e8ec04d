# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The layers: their sources, and the tests that can detect a fault in them, the fastest first."""

from dataclasses import dataclass
from typing import Final

# Generated files, whose faults would have to be planted in their sources; and lists of names.
GENERATED: Final = (
    "outwork/spec.py",
    "rtl/common/ow_spec_pkg.sv",
    "rtl/lite/ow_lite_pkg.sv",
    "rtl/pka/pka_rom_pkg.sv",
    "rtl/lattice/lattice_rom_pkg.sv",
)
# A header has no object file to compare; a Python model is not part of the RTL.
SUFFIXES: Final = {"rtl": ".sv", "driver": ".c", "plug-ins": ".c", "Python": ".py"}


@dataclass(frozen=True)
class Suite:
    """The fast tests of the sources whose path begins with a prefix."""

    prefix: str
    targets: tuple[str, ...] = ()  # of the build folder, that the ctests need
    ctests: tuple[str, ...] = ()  # regular expressions, in order
    pytests: tuple[str, ...] = ()  # one or more patterns of paths each


def _bench(folder: str, *benches: str) -> Suite:
    return Suite(f"rtl/{folder}/", pytests=tuple(f"tests/rtl/{bench}" for bench in benches or (folder,)))


_SHELL: Final = tuple(f"shell_{program}_64" for program in ("bench", "faults", "keys", "pairs", "shares"))
_SHELL_TESTS: Final = (r"^shell_64_(faults|keys|shares)$", r"^shell_64_(seed|at|lazy)", r"^shell_64_pairs$")
_LITE: Final = ("lite_driver", "lite_rules", "lite_cycles")
_DRIVER: Final = ("aes", "device", "drbg", "hash_state", "jobs", "message", "policy", "queue", "schemes", "trouble")
_OPENSSL_DRIVER: Final = ("keys", "key_vectors", "hash", "mac", "slots")
_OPENSSL: Final = (
    *("random", "edges", "hash", "mac", "keys", "counters", "slots", "tls", "pipes", "skey", "trouble", "beside"),
)
_OPENSSL_LONG: Final = ("key_vectors", "vectors", "storm")
_OPENSSL_PLAIN: Final = ("async", "errors", "forks", "storm")
_BOARD: Final = ("radio", "combined", "des", "hash", "message")
_BOARDS: Final = ("ow_board_128", "ow_board_64", "ow_board_32", "ow_lab_all")
_FILES: Final = (
    "tests/unit/test_container.py tests/unit/test_file_format.py tests/unit/test_kdf.py tests/unit/test_streams.py",
    "tests/unit/test_pipeline.py tests/unit/test_secrets.py tests/unit/test_ciphers.py tests/unit/test_software_engine.py",
    "tests/cli/test_openssl.py tests/cli/test_files.py tests/cli/test_crypt.py tests/cli/test_errors.py",
    "tests/cli/test_targets.py tests/cli/test_asking.py tests/cli/test_device.py",
    "tests/cli/test_digest.py tests/unit/test_progress.py",
)


def _openssl(prefix: str) -> Suite:
    programs = [f"openssl_{name}_fake" for name in _OPENSSL + _OPENSSL_LONG]
    programs += [f"openssl_{name}_plain" for name in _OPENSSL_PLAIN] + [
        "openssl_product",
        *("offload_requests", "offload_lanes", "offload_retry"),
        "offload_shared_fork",
    ]
    others = "^openssl_counters_fake_full$|^offload_requests_memcheck$"
    return Suite(prefix, tuple(programs), (*(f"^{name}$" for name in programs), others))


# A source is tested by the first suite of its layer with a matching prefix.
LAYERS: Final[dict[str, tuple[Suite, ...]]] = {
    "rtl": (
        Suite("rtl/shell/", _SHELL, _SHELL_TESTS),
        Suite("rtl/common/", _SHELL, _SHELL_TESTS, ("tests/rtl/check", "tests/rtl/aes", "tests/rtl/pka")),
        *(_bench(name) for name in ("aes", "ascon", "combined", "des", "hash", "lattice", "radio")),
        Suite(
            "rtl/seal/",
            ("isolation_seal_states", "isolation_seal_attacks"),
            (r"^isolation_seal_(states|attacks)$",),
            ("tests/rtl/seal",),
        ),
        Suite("rtl/lite/", _LITE, (r"^lite_(driver|rules|cycles)$",)),
        _bench("zuc", "radio"),
        _bench("snow3g", "radio"),
        _bench("pka"),
    ),
    "driver": (
        Suite("driver/lite/src/", (*_LITE, "lite_constant_time"), (r"^lite_(driver|cycles|constant_time)$",)),
        Suite(
            "driver/src/",
            (
                *(f"driver_{name}" for name in _DRIVER),
                *(f"openssl_{name}_fake" for name in _OPENSSL_DRIVER),
                *(f"driver_{name}_ow_board_128" for name in _BOARD),
                "driver_constant_time",
            ),
            (
                *(f"^driver_{name}$" for name in _DRIVER),
                *(f"^openssl_{name}_fake$" for name in _OPENSSL_DRIVER),
                r"^driver_constant_time$",
                *(f"^driver_{name}_ow_board_128$" for name in _BOARD),
            ),
        ),
    ),
    "plug-ins": (
        _openssl("plugins/openssl/src/"),
        _openssl("plugins/offload/src/"),
        Suite(
            "plugins/psa/src/",
            ("psa_tests", "psa_keys_3.6.5", "psa_slots_3.6.5", "ow_board_128"),
            (
                r"^psa_(random|aead|keys|slots|edges)_3.5.1_fake$",
                r"^psa_(keys|slots)_3.6.5_fake$",
                r"^psa_(storm|tls|random|aead)_3.5.1_(fake|trouble)$",
                r"^psa_slots_3.6.5_128$",
            ),
        ),
    ),
    "Python": (
        Suite(
            "outwork/lab/",
            _BOARDS,
            pytests=(
                "tests/unit/test_lab_*.py tests/unit/test_bench.py tests/unit/test_policy.py",
                "tests/cli/test_lab*.py",
                "tests/cli/test_device.py tests/unit/test_pka_bench.py",
            ),
        ),
        Suite("outwork/files/", ("ow_board_128",), pytests=_FILES),
        Suite("outwork/radio/", ("ow_board_128",), pytests=("tests/cli/test_radio.py",)),
        Suite("outwork/pka/", ("ow_board_128",), pytests=("tests/cli/test_pka.py tests/cli/test_pka_errors.py",)),
        Suite("outwork/", _BOARDS, pytests=("tests/unit", "tests/cli")),
    ),
}


def suite_of(layer: str, path: str) -> Suite | None:
    if path in GENERATED:
        return None
    return next((suite for suite in LAYERS[layer] if path.startswith(suite.prefix)), None)
