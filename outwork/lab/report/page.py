# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Assembles and writes the page, and its key figures as PNG."""

import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from outwork import __version__
from outwork.errors import OutworkError
from outwork.files import streams
from outwork.lab.records import Record
from outwork.lab.report import (
    answer,
    coverage,
    head,
    images,
    latency,
    marks,
    model,
    one_clock,
    operations,
    papers,
    setting,
    stages,
    theme,
    throughput,
    whatif,
)
from outwork.lab.report.blocks import Section, figures_of
from outwork.lab.report.view import View


def write(
    records: Sequence[Record],
    skipped: Sequence[str],
    output: Path,
    folder: Path | None = None,
    stopped: Sequence[str] = (),
) -> list[Path]:
    """Writes the page, and the PNGs if a folder is given. Returns the written files, the page first.

    The page's head says which lines were skipped, and which runs have stopped before their end.
    """
    covered = coverage.of_plans(records)
    view = View([record for record in records if not record.is_on_soc])
    made = [
        *answer.sections(view),
        throughput.section(view),
        *operations.sections(view),
        model.section(view),
        stages.section(view),
        whatif.section(view),
        one_clock.section(records),
        papers.section(view, covered, [record for record in records if record.is_on_soc]),
        latency.section(view),
        latency.wide(view),
        setting.section(view, covered),
    ]
    text = _html(made, head=head.head(view, skipped, stopped))
    written = [output]
    try:
        streams.write_text(output, text, force=True)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            written += _images(made, folder)
    except OSError as error:
        raise OutworkError(f"The report cannot be written: {error.filename}: {error.strerror}.") from error
    return written


def _images(made: Sequence[Section], folder: Path) -> list[Path]:
    found = []
    for section in made:
        for figure in figures_of(section.blocks):
            if figure.image:
                path = folder / f"{figure.image}.png"
                images.write(figure, path)
                found.append(path)
    return found


def _html(made: Sequence[Section], **values: object) -> str:
    environment = Environment(
        loader=PackageLoader(__package__, "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["rich"] = rich
    environment.filters["unbroken"] = unbroken
    environment.filters["key_mark"] = marks.key_mark
    return environment.get_template("page.html").render(
        sections=made,
        kinds=theme.KINDS,
        shades=theme.SHADES,
        version=__version__,
        style=Markup(_resource("style.css")),
        script=Markup(_resource("script.js")),
        **values,
    )


def rich(text: str) -> Markup:
    """Renders `code`, **strong** and [links](#inside) of our own text; everything else is plain text."""
    safe = str(escape(text))
    safe = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", safe)
    safe = re.sub(r"`(.+?)`", r"<code>\1</code>", safe)
    return Markup(re.sub(r"\[([^]]+)\]\((#[\w-]+)\)", r'<a href="\2">\1</a>', safe))


def unbroken(text: str) -> Markup:
    """Renders text like `rich`, with names of algorithms that no line breaks at their hyphens."""
    return Markup(re.sub(r"\b[A-Z][A-Z\d]*(?:-[A-Z\d]+)+\b", r'<span class="name">\g<0></span>', str(rich(text))))


def _resource(name: str) -> str:
    """Returns a resource without its licence lines, which the page contains once."""
    text = (resources.files(__package__) / name).read_text(encoding="utf-8")
    return re.sub(r"^(?://|/\*) SPDX.*\n", "", text, flags=re.MULTILINE)
