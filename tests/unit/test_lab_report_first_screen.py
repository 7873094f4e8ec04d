# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The first screen of the lab's report: the answer in one sentence, then one figure, then everything else."""

import re

import pytest
from lab_records import device, series
from lab_set import ALONE, MANY, SIZES
from page import Element, read

from outwork.lab import report
from outwork.lab.records import Record
from outwork.lab.report import answer, coverage
from outwork.lab.report.blocks import Figure, Prose
from outwork.lab.report.view import View


def ours(**more: object) -> list[Record]:
    """Costs 2,000 + 0.7 n nanoseconds alone, and 100 + 0.65 n with sixteen in flight."""
    return [row for shape in (ALONE, MANY) for row in device(**{"sizes": SIZES, **shape, **more})]


def cpu(fixed: float, per_byte: float, **more: object) -> list[Record]:
    return series(fixed, per_byte, SIZES, **more)


def said(*records: Record) -> str:
    first = answer.sections(View(records))[0].blocks[0]
    assert isinstance(first, Prose)
    assert not re.search(r"\d (B|KiB|MiB)\b", first.text), "a line may end between number and unit"
    return first.text.replace("\u00a0", " ")


def test_the_sentence_names_sizes_and_messages_in_flight() -> None:
    slow = cpu(3e-6, 9e-9, engine="software")
    assert said(*ours(), *slow) == (
        "The accelerator encrypts AES-256-GCM faster than OpenSSL without crypto instructions at any message size."
    )
    middling = cpu(1e-7, 5e-9, engine="software")
    assert said(*ours(), *middling) == (
        "The accelerator encrypts AES-256-GCM faster than OpenSSL without crypto instructions at any message size with 16 in "
        "flight and from 442 B on with one message at a time."
    )
    fast = cpu(5e-8, 0.2e-9)
    assert said(*ours(), *fast) == (
        "The accelerator **never** encrypts AES-256-GCM faster than OpenSSL with crypto instructions."
    )
    assert said(*ours(), *slow, *fast) == (
        "The accelerator encrypts AES-256-GCM faster than OpenSSL without crypto instructions at any message size; it is "
        "**never** faster than OpenSSL with crypto instructions."
    )
    between = cpu(1.5e-7, 0.69e-9)
    assert said(*ours(), *between) == (
        "The accelerator encrypts AES-256-GCM faster than OpenSSL with crypto instructions at any message size with 16 in "
        "flight and never with one message at a time."
    )
    only_small = cpu(5e-6, 0.2e-9)
    assert "up to 5.86 KiB with one message at a time" in said(*ours(), *only_small)


def test_the_sentence_takes_the_usual_library_and_work() -> None:
    """Of several libraries OpenSSL, of several works AES-256-GCM; else what there is."""
    others = [*cpu(9e-6, 9e-9, implementation="ipsec-mb"), *cpu(5e-8, 0.2e-9)]
    assert "than OpenSSL with crypto" in said(*ours(), *others)
    more = [*ours(algorithm="aes-128-cbc"), *cpu(5e-8, 0.2e-9, algorithm="aes-128-cbc")]
    assert "encrypts AES-256-GCM" in said(*more, *ours(), *others)
    assert said(*more) == "The accelerator **never** encrypts AES-128-CBC faster than OpenSSL with crypto instructions."
    where = {"algorithm": "sha3-384", "operation": "digest"}
    assert said(*ours(**where), *cpu(9e-6, 9e-9, **where)).startswith("The accelerator computes SHA3-384 faster than")


def test_public_keys_alone_are_operations_a_second() -> None:
    where = {"algorithm": "rsa-2048", "operation": "private"}
    rows = [*device(2e-3, 0, (256,), **where), *series(0.5e-3, 0, (256,), **where)]
    assert said(*rows) == (
        "The accelerator does 500 RSA-2048 private operations a second, OpenSSL with crypto instructions on one core of this "
        "CPU 2,000."
    )


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Element:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coverage, "of_plans", lambda _: [])
        rows = [*ours(), *cpu(5e-8, 0.2e-9), *cpu(3e-6, 9e-9, engine="software")]
        (path,) = report.write(rows, [], tmp_path_factory.mktemp("page") / "page.html")
    return read(path.read_text(encoding="utf-8"))


def test_one_sentence_and_one_figure_come_first(page: Element) -> None:
    """Machine, versions, legends and contents were above the answer, which began on the second screen."""
    place = {id(element): number for number, element in enumerate(page.walk())}
    (main,) = page.all("main")
    first = main.all("section")[0]
    assert first.attributes["id"] == "answer"
    (sentence,) = first.all("p", lambda text: "answer" in text.classes)
    assert sentence.text.startswith("The accelerator encrypts AES-256-GCM faster than OpenSSL without")
    (figure,) = first.all("figure")
    (legend,) = first.all("ul", lambda text: "legend" in text.classes)
    (conditions,) = main.all("div", lambda text: "conditions" in text.classes)
    (contents,) = main.all("nav")
    order = [place[id(element)] for element in (first, sentence, figure, legend, conditions, contents)]
    assert order == sorted(order)
    (header,) = page.all("header")
    assert not header.all("details") and not header.all("dl") and "24 points" not in header.text
    assert conditions.all("p")[0].text.startswith("24 points; measured on a CPU")
    (marks,) = conditions.all("details")
    assert "open" not in marks.attributes and "counted" in marks.text
    sections = [element.attributes["id"] for element in main.all("section")]
    assert sections[:3] == ["answer", "break-evens", "throughput"]
    (setting,) = main.all("section", lambda part: part.attributes.get("id") == "setting")
    assert "This CPU" in setting.all("dl")[0].text


def test_the_figure_has_a_form_for_phones(page: Element) -> None:
    """It was cut off at the right, where `never` stands."""
    figure = page.all("main")[0].all("section")[0].all("figure")[0]
    wide, narrow = (entry.all("svg")[0] for entry in figure.all("div", lambda div: "drawing" in div.classes))
    width = {name: float(svg.attributes["viewbox"].split()[2]) for name, svg in (("wide", wide), ("narrow", narrow))}
    assert width["narrow"] < 480 < width["wide"]
    assert "large" in wide.classes and "large" not in narrow.classes
    assert all(word in svg.text for svg in (wide, narrow) for word in ("any size", "never", "AES-256-GCM encrypt, one"))


def test_the_figure_is_that_of_the_image() -> None:
    figure = answer.sections(View([*ours(), *cpu(5e-8, 0.2e-9)]))[0].blocks[1]
    assert isinstance(figure, Figure) and figure.image == "break-even" and figure.keys
