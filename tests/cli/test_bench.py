# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What `outwork bench` says beside its figures: messages in flight, and sizes of what others have published."""

from commands import good, outwork, sentence


def test_one_message_in_flight_is_told() -> None:
    """Where an engine cannot have as many in flight as --jobs says, in a line for each reason."""

    def notes(*words: str) -> list[str]:
        done = outwork("bench", "--rounds", "1", *words)
        assert done.returncode == 0, done.stderr
        return done.stderr.decode().splitlines()

    start = "outwork: accelerator/outwork measured with 1 message in flight: "
    assert notes("--size", "16", "--size", "32", "--operation", "encrypt", "--jobs", "5000") == [
        f"{start}the device's ring holds 4096 jobs."
    ]
    (said,) = notes("--algorithm", "ed25519", "--operation", "sign", "--jobs", "2")
    assert said == f"{start}the jobs of an Ed25519 signature wait for each other; measure one operation at a time."
    assert notes("--algorithm", "ed25519", "--operation", "sign", "--jobs", "1") == []
    (said,) = notes("--engine", "software", "--size", "16", "--jobs", "2")
    assert said.startswith("outwork: software/openssl measured with 1 message in flight: ")


def test_what_one_message_cannot_be_measured_with_is_told_first() -> None:
    """Not the number in flight, which would not help to change."""
    text = sentence("bench", "--size", "16", "--jobs", "5000", "--keys", "kept", status=2)
    assert text.endswith("with these options: every job has its IV; measure new-iv instead.")


def test_size_of_a_published_figure() -> None:
    """That of the figure, if it is not the size of the row."""
    text = good("bench", "--size", "16", "--size", "48", "--operation", "encrypt", "--rounds", "1").decode()
    lines = [line.rstrip() for line in text.splitlines() if "MB/s, " in line]
    assert [line.endswith(end) for line, end in zip(lines, (", WP512", ", WP512 (16 bytes)"), strict=True)] == [
        True
    ] * 2
