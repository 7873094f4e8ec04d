# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""A hook of MkDocs: includes pages of the project's root in the site and adapts their links.

A page of the site that consists of the line `--8<-- "DESIGN.md"` shows that file. In the root a link to the documentation
starts with docs/; a link to anything else in the tree becomes plain text, because the site does not contain it.
"""

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^--8<-- "([A-Z]+\.md)"$', re.MULTILINE)
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)([^)]+)\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    up = "../" * page.file.src_uri.count("/")

    def link(match: re.Match[str]) -> str:
        text, target = match.groups()
        if target.startswith("docs/"):
            return f"[{text}]({up}{target.removeprefix('docs/')})"
        other = next((name for name, path in pages.items() if path == target), None)
        return f"[{text}]({up}{other})" if other else text

    pages = {"project/design.md": "DESIGN.md", "project/contributing.md": "CONTRIBUTING.md"}
    pages |= {"project/changelog.md": "CHANGELOG.md", "project/security-policy.md": "SECURITY.md"}
    return INCLUDE.sub(lambda match: LINK.sub(link, (ROOT / match[1]).read_text(encoding="utf-8")), markdown)
