# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`outwork openssl install` and `uninstall` under a root of their own, with a copy of the system's configuration."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from commands import good, outwork, sentence
from openssl_host import CONFIGURATION, MODULE, plain_environment, run
from terminal import at_terminal

POLICY = b"outwork-policy 1\n0x13 32 encrypt 1 1024 -\n"


@dataclass
class Root:
    folder: Path

    def __post_init__(self) -> None:
        self.configuration = self.folder / "openssl.cnf"
        self.configuration.write_bytes(Path(CONFIGURATION).read_bytes())
        self.configuration.chmod(0o640)
        self.drop_in = self.folder / "etc/outwork/openssl.cnf"
        self.words = ("--root", str(self.folder), "--configuration", str(self.configuration))

    def good(self, command: str, *words: str) -> str:
        yes = ("--yes",) if command != "status" and "--dry-run" not in words else ()
        return good("openssl", command, *self.words, *yes, *words).decode()

    def files(self) -> dict[str, tuple[bytes, int]]:
        found = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): (path.read_bytes(), path.stat().st_mode) for path in found}

    def run(self, *words: str) -> bytes:
        return run(*words, environment=plain_environment() | {"OPENSSL_CONF": str(self.configuration)})


@pytest.fixture
def root(tmp_path: Path) -> Root:
    assert MODULE.is_file(), "the provider is not built: libssl-dev is missing"
    return Root(tmp_path)


def test_there_and_back(root: Root) -> None:
    """Shown and not made; made; the device does the work; a second time nothing; back to what was there."""
    before = root.files()
    shown = root.good("install", "--policy", "always", "--dry-run")
    assert f"+.include {root.drop_in}" in shown and "+policy = always" in shown and "outwork.so (" in shown
    assert root.files() == before
    assert root.good("install", "--policy", "always").startswith(shown.split("openssl: nothing")[0])
    assert root.configuration.stat().st_mode & 0o777 == 0o640
    assert (root.folder / "openssl.cnf.before-outwork").read_bytes() == before["openssl.cnf"][0]
    healthy = good("doctor", "--configuration", root.configuration).decode()
    assert "wrong" not in healthy and "the device did them" in healthy
    counters = root.folder / "run"
    counters.mkdir()
    root.drop_in.write_text(root.drop_in.read_text().replace("#counters = /run/outwork", f"counters = {counters}"))
    root.run("openssl", "enc", "-aes-256-ctr", "-K", "00" * 32, "-iv", "00" * 16, "-in", CONFIGURATION)
    table = good("status", "--counters", counters).decode()
    assert "aes-ctr" in table and "openssl" in table
    for path in counters.iterdir():
        path.unlink()
    counters.rmdir()
    root.drop_in.write_text(root.drop_in.read_text().replace(f"counters = {counters}", "#counters = /run/outwork"))
    installed = root.files()
    assert "nothing to change" in root.good("install")
    assert root.files() == installed
    root.good("uninstall")
    assert root.files() == before
    assert "nothing to change" in root.good("uninstall")


def test_policy_file_and_edited_files(root: Root) -> None:
    """A policy of somebody else's comes back; a drop-in that was edited stays, and is named."""
    policy = root.folder / "mine.txt"
    policy.write_bytes(POLICY)
    there = root.folder / "etc/outwork/policy.txt"
    there.parent.mkdir(parents=True)
    there.write_bytes(b"outwork-policy 1\n")
    root.good("install", "--policy", str(policy))
    assert there.read_bytes() == POLICY
    assert f"policy = {there}" in root.drop_in.read_text()
    root.drop_in.write_text(root.drop_in.read_text() + "# mine\n")
    assert "edited, or from elsewhere" in root.good("status")
    assert f"kept, because it was edited: {root.drop_in}" in root.good("uninstall")
    assert there.read_bytes() == b"outwork-policy 1\n"
    assert root.drop_in.read_text().endswith("# mine\n")
    assert not (root.folder / "etc/outwork/installed.json").exists()


def test_a_configuration_that_was_changed_since(root: Root) -> None:
    """Only the line goes; the copy of the first time stays."""
    root.good("install", "--policy", "never")
    root.configuration.write_text(root.configuration.read_text() + "# mine\n")
    root.good("uninstall")
    text = root.configuration.read_text()
    assert text.endswith("# mine\n") and ".include" not in text.splitlines()[-2]
    assert (root.folder / "openssl.cnf.before-outwork").is_file()


def test_openssl_that_would_not_work(root: Root) -> None:
    """A drop-in that was there switches the default provider off: the configuration stays as it is."""
    root.good("install")
    root.good("uninstall")
    text = "[openssl_init]\nproviders = provider_sect\n[provider_sect]\noutwork = outwork_sect\n[outwork_sect]\nactivate = 1\n"
    root.drop_in.parent.mkdir(parents=True)
    root.drop_in.write_text(text)
    before = root.configuration.read_bytes()
    done = outwork("openssl", "install", *root.words, "--yes")
    assert done.returncode == 1 and b"OpenSSL does not have the provider default" in done.stderr
    assert root.configuration.read_bytes() == before


def test_refusals(root: Root) -> None:
    before = root.files()
    assert "add --yes" in outwork("openssl", "install", *root.words).stderr.decode()
    assert "cannot be read" in sentence("openssl", "install", *root.words, "--policy", "/nonexistent", status=2)
    root.configuration.write_text("[section]\nkey = value\n")
    assert "openssl_conf = openssl_init" in sentence("openssl", "install", *root.words, "--yes", status=1)
    root.configuration.write_bytes(before["openssl.cnf"][0])
    assert root.files() == before
    assert outwork("openssl", "status", *root.words).returncode == 1


def test_asks_at_a_terminal(root: Root) -> None:
    before = root.files()
    status, said = at_terminal("openssl", "install", *root.words, answers={"[y/N]": "n\n"})
    assert status == 0 and "nothing was changed" in said and root.files() == before
    status, said = at_terminal("openssl", "install", *root.words, answers={"[y/N]": "y\n"})
    assert status == 0 and "openssl: installed" in said and root.files() != before


def test_a_configuration_of_its_own(tmp_path: Path) -> None:
    """Without --configuration a root gets one that includes the system's."""
    text = good("openssl", "install", "--root", tmp_path, "--policy", "always", "--yes").decode()
    path = Path(text.rsplit("OPENSSL_CONF=", 1)[1].strip())
    assert path.is_relative_to(tmp_path) and "openssl_conf = openssl_init" in path.read_text()
    assert (
        "outwork"
        in run("openssl", "list", "-providers", environment=plain_environment() | {"OPENSSL_CONF": str(path)}).decode()
    )
    good("openssl", "uninstall", "--root", tmp_path, "--yes")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
