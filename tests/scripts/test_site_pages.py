# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The pages of the site lead to the repository that they were made from."""

from types import SimpleNamespace

import pytest
import site_pages


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://example.org/outwork/outwork.git", "https://example.org/outwork/outwork"),
        ("https://example.org/outwork/outwork", "https://example.org/outwork/outwork"),
        ("git@example.org:outwork/outwork.git", "https://example.org/outwork/outwork"),
        ("ssh://git@example.org/outwork/outwork.git", "https://example.org/outwork/outwork"),
        ("/home/me/outwork", ""),
        ("https://me:secret@example.org/outwork", ""),
        ("", ""),
    ],
)
def test_the_address_of_a_remote(remote: str, address: str) -> None:
    """A name and a password in it reach no page."""
    assert site_pages.repository(remote) == address


@pytest.mark.parametrize(
    ("remote", "given", "address", "name"),
    [
        ("git@example.org:a/outwork.git\n", None, "https://example.org/a/outwork", "outwork"),
        ("git@example.org:a/outwork.git\n", "https://x.org/b/c", "https://x.org/b/c", "c"),
        ("", None, None, None),
    ],
)
def test_the_link_in_the_head(
    monkeypatch: pytest.MonkeyPatch, remote: str, given: str | None, address: str | None, name: str | None
) -> None:
    monkeypatch.setattr(site_pages.subprocess, "run", lambda *_, **__: SimpleNamespace(stdout=remote))
    config = site_pages.on_config(SimpleNamespace(repo_url=given, repo_name=None))
    assert (config.repo_url, config.repo_name) == (address, name)
