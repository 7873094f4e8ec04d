# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What an engine cannot be is refused when it is elaborated, with a sentence."""

import pytest
from synthesis import read, run

# Numbers of units have four bits in the capability registers, and in the hash engine.
REFUSED = {
    ("hash", "Sha256Units=16", "Sha512Units=0", "KeccakUnits=0"): "16 units; there must be 1 to 15 in all.",
    ("ascon", "Units=16"): "Units is 16; it must be 1 to 15.",
    ("ascon", "Rounds=3"): "Rounds is 3; it must be 1, 2 or 4.",
    ("radio", "Lanes=17"): "Lanes is 17; it must be 1 to 16.",
    ("aes", "Stages=3"): "Stages must be 14, 7, 2 or 1",
}


@pytest.mark.parametrize(("settings", "sentence"), REFUSED.items())
def test_it_is_refused_with_a_sentence(settings: tuple[str, ...], sentence: str) -> None:
    module, *parameters = settings
    with pytest.raises(SystemExit, match=sentence.replace(".", r"\.")):
        run(module, [read(module, parameters)])
