# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The tests named in docs/complaints.md exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "complaints.md"
WORDS = re.findall(r"`([^`\n]+)`", PAGE.read_text())
FUNCTIONS = sorted({word for word in WORDS if "::" in word})
CTESTS = sorted({word for word in WORDS if re.fullmatch(r"(openssl|psa|wolfssl|driver)_[\w*]+", word)})


def registered() -> set[str]:
    """The names that CMake gives to ctest, with `*` where a release stands or where the page says so."""
    names = set()
    for folder in ("openssl", "psa", "wolfssl", "driver"):
        text = (ROOT / "tests" / folder / "CMakeLists.txt").read_text()
        names |= set(re.findall(r"(?:add_test\(NAME |ow_add_memcheck\()([\w${}]+)", text))
        for name, ways in re.findall(r"^ow_wolfssl_test\((\w+) ([^)]*)\)", text, re.M):
            names |= {f"wolfssl_{name}_{way}" for way in ways.split()}
        for name, kinds in re.findall(r"^ow_openssl_test\((\w+) ([^)]*)\)", text, re.M):
            names |= {
                f"openssl_{name}_{kind.lower()}" for kind in re.findall(r"\b(?:FAKE|PLAIN|BOARD|MEMCHECK)\b", kinds)
            }
            names |= {f"openssl_{name}_memcheck_sample"} if "SAMPLE" in kinds else set()
        for tests in re.findall(r"^foreach\(name ([\w ]+)\)\n  add_executable\(driver_\$", text, re.M):
            names |= {f"driver_{test}" for test in tests.split()}
        for tests, body in re.findall(r"foreach\(test ([\w ]+)\)(.*?)endforeach\(\)", text, re.S):
            for name in re.findall(r"add_test\(NAME ([\w${}]+)", body):
                names |= {name.replace("${test}", test).replace("${board}", "fake") for test in tests.split()}
    return {name.replace("${release}", "*") for name in names}


def test_the_page_names_tests() -> None:
    assert len(FUNCTIONS) >= 10
    assert len(CTESTS) >= 30


@pytest.mark.parametrize("name", CTESTS)
def test_ctest_has_it(name: str) -> None:
    pattern = re.compile(name.replace("*", r"[\w*]+"))
    assert any(pattern.fullmatch(known) for known in registered())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_pytest_has_it(name: str) -> None:
    path, function = name.split("::")
    assert re.search(rf"^def {function}\(", (ROOT / path).read_text(), re.M)
