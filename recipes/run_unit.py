# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Starts and stops a systemd unit on a machine without systemd, such as a container: run_unit.py start|stop UNIT.

Reads the unit and its drop-ins, and keeps to what they say of commands, user, group, umask, folders and variables. What they
say of isolation needs systemd.
"""

import grp
import os
import pwd
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

FOLDERS = ("/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system")
PROCESSES = Path("/run/outwork-units")
SECONDS_MAX = 30


def read(unit: str) -> dict[str, list[str]]:
    """Returns the settings of the section Service, each with all of its values."""
    found = [Path(folder) / f"{unit}.service" for folder in FOLDERS if (Path(folder) / f"{unit}.service").is_file()]
    if not found:
        raise SystemExit(f"run_unit: there is no unit {unit}.service.")
    drop_ins = [path for folder in FOLDERS for path in sorted(Path(folder).glob(f"{unit}.service.d/*.conf"))]
    settings: dict[str, list[str]] = {}
    for path in [found[0], *drop_ins]:
        section = ""
        for line in path.read_text().replace("\\\n", " ").splitlines():
            if line.startswith("["):
                section = line.strip("[] ")
            elif section == "Service" and "=" in line and not line.startswith(("#", ";")):
                name, value = line.split("=", 1)
                settings.setdefault(name.strip(), []).append(value.strip())
    return settings


def environment(settings: dict[str, list[str]]) -> dict[str, str]:
    values = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
    lines = [word for line in settings.get("Environment", []) for word in shlex.split(line)]
    for name in settings.get("EnvironmentFile", []):
        path = Path(name.removeprefix("-"))
        lines += shlex.split(path.read_text(), comments=True) if path.is_file() else []
    return values | dict(line.split("=", 1) for line in lines if "=" in line)


def words(command: str, variables: dict[str, str]) -> list[str]:
    """Returns a command line; $NAME stands for the words of a variable."""
    found: list[str] = []
    for word in shlex.split(command.lstrip("-@+!")):
        name = re.fullmatch(r"\$\{?(\w+)\}?", word)
        found += shlex.split(variables.get(name[1], "")) if name else [word]
    return found


def start(unit: str) -> None:
    stop(unit)
    settings = read(unit)
    variables = environment(settings)
    for folder in settings.get("RuntimeDirectory", []):
        Path("/run", folder).mkdir(mode=0o755, exist_ok=True)
    user = pwd.getpwnam(settings["User"][-1]) if "User" in settings else None
    group = grp.getgrnam(settings["Group"][-1]).gr_gid if "Group" in settings else user and user.pw_gid
    umask = int(settings.get("UMask", ["0022"])[-1], 8)
    PROCESSES.mkdir(exist_ok=True)
    log = (PROCESSES / f"{unit}.log").open("wb")

    def run(command: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            words(command, variables),
            env=variables,
            user=user and user.pw_uid,
            group=group,
            extra_groups=[] if user else None,
            umask=umask,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )

    for command in settings.get("ExecStartPre", []):
        if run(command).wait() != 0 and not command.startswith("-"):
            raise SystemExit(f"run_unit: {command} has failed: {log.name}")
    kind = settings.get("Type", ["simple"])[-1]
    ready = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    if kind == "notify":
        place = PROCESSES / f"{unit}.notify"
        place.unlink(missing_ok=True)
        ready.bind(str(place))
        ready.settimeout(SECONDS_MAX)
        variables["NOTIFY_SOCKET"] = str(place)
    process = run(settings["ExecStart"][-1])
    number = process.pid
    if kind == "notify":
        while b"READY=1" not in ready.recv(4096):
            pass
    elif kind == "forking":
        if process.wait() != 0:
            raise SystemExit(f"run_unit: {unit} did not start: {log.name}")
        number = int(Path(settings["PIDFile"][-1]).read_text())
    else:
        time.sleep(1)
        if process.poll() is not None:
            raise SystemExit(f"run_unit: {unit} did not start: {log.name}")
    (PROCESSES / f"{unit}.pid").write_text(str(number))


def stop(unit: str) -> None:
    path = PROCESSES / f"{unit}.pid"
    if not path.is_file():
        return
    number = int(path.read_text())
    path.unlink()
    try:
        os.kill(number, signal.SIGTERM)
        until = time.monotonic() + SECONDS_MAX
        while time.monotonic() < until and not _is_over(number):
            time.sleep(0.05)
    except ProcessLookupError:
        pass


def _is_over(number: int) -> bool:
    """Returns whether a process has ended. Without a parent that asks for its status, it stays as a zombie."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


if __name__ == "__main__":
    verb, name = sys.argv[1:]
    {"start": start, "stop": stop}[verb](name)
