# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A hook of MkDocs: includes Markdown files from elsewhere in the tree, with links that are right on the site; and names the
repository that the tree was cloned from in the head of each page.

A page that consists of the line `--8<-- "rtl/aes/README.md"` shows that file; `--8<-- "rtl/hash/README.md:cycles"` shows
the part of it between the comments `--8<-- [start:cycles]` and `--8<-- [end:cycles]`. Links in such a file are relative to
it. What they name may be a file of docs/, or one that a page of the site shows; a link to anything else becomes plain
text, because the site does not contain it.
"""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^--8<-- "((?:[\w-]+/)*[A-Z]+\.md)(?::([\w-]+))?"$', re.MULTILINE)
MARK = re.compile(r"^<!-- --8<-- \[(?:start|end):[\w-]+\] -->\n", re.MULTILINE)
LINK = re.compile(r"(!?)\[([^\]]+)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)")


def shown_at() -> dict[str, str]:
    """Which page of docs/ shows which file of the tree."""
    pages: dict[str, str] = {}
    for page in sorted((ROOT / "docs").rglob("*.md")):
        for name, _ in INCLUDE.findall(page.read_text(encoding="utf-8")):
            pages.setdefault(name, page.relative_to(ROOT / "docs").as_posix())
    return pages


def part(text: str, name: str) -> str:
    found = re.search(rf"\[start:{name}\] -->\n(.*?)<!-- --8<-- \[end:{name}\]", text, re.DOTALL)
    if not found:
        raise ValueError(f"there is no part '{name}'")
    return found[1]


def repository(remote: str) -> str:
    """Returns the address for browsers of a remote of Git; empty: it has none, as a folder of this machine."""
    found = re.fullmatch(r"(?:(?:https|ssh)://(?:git@)?([\w.-]+\.\w+)/|git@([\w.-]+\.\w+):)(\S+?)(?:\.git)?/?", remote)
    return f"https://{found[1] or found[2]}/{found[3]}" if found else ""


def on_config(config: Any, **_: Any) -> Any:
    command = ["git", "-C", str(ROOT), "remote", "get-url", "origin"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    config.repo_url = config.repo_url or repository(done.stdout.strip()) or None
    if config.repo_url:
        config.repo_name = config.repo_name or config.repo_url.rsplit("/", 1)[1]
    return config


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    here = Path(page.file.src_uri).parent
    pages = shown_at()

    def include(match: re.Match[str]) -> str:
        name, wanted = match.groups()
        text = (ROOT / name).read_text(encoding="utf-8")

        def link(match: re.Match[str]) -> str:
            picture, words, target, anchor = match.groups(default="")
            path = os.path.normpath(Path(name).parent / target)
            if not (ROOT / path).exists():
                raise ValueError(f"{name}: there is no {target}")
            place = pages.get(path) or pages.get(f"{path}/README.md")
            if path.startswith("docs/"):
                place = path.removeprefix("docs/")
            return f"{picture}[{words}]({os.path.relpath(place, here)}{anchor})" if place else words

        return LINK.sub(link, MARK.sub("", part(text, wanted) if wanted else text))

    return INCLUDE.sub(include, markdown)
