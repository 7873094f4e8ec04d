# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Parses HTML strictly into a tree: a tag that is not closed, or closed twice, is an error."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

EMPTY = {"meta", "link", "input", "br", "img"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    children: "list[Element | str]" = field(default_factory=list)

    def walk(self) -> "Iterator[Element]":
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, tag: str, where: "Callable[[Element], bool]" = lambda _: True) -> "list[Element]":
        return [element for element in self.walk() if element.tag == tag and where(element)]

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    @property
    def text(self) -> str:
        return " ".join("".join(self._texts()).split())

    @property
    def own_text(self) -> str:
        """Without that of elements inside, such as the second line of a cell."""
        return "".join(child for child in self.children if isinstance(child, str)).strip()

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child._texts()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(element)
        if tag not in EMPTY:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open[-1].tag == tag, f"</{tag}> closes <{self._open[-1].tag}> at {self.getpos()}"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def read(text: str) -> Element:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert len(reader._open) == 1, f"not closed: {[element.tag for element in reader._open[1:]]}"
    return reader.root
