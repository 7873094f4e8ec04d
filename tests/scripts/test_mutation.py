# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The mutation tool: places for faults in each language, samples, the table, lines of results."""

from pathlib import Path

import pytest
from mutation.judge import EQUIVALENT, KILLED, REFUSED, SURVIVED, Outcome, candidates, equivalents, score, table
from mutation.layers import LAYERS, SUFFIXES
from mutation.operators import PY, SV, C, Fault, faults, sample

ROOT = Path(__file__).resolve().parents[2]

C_TEXT = """/* a + b */
#define LIMIT (1 + 2)
static int walk(const int *list, unsigned count) {
  int sum[2] = {0, 7};
  for (unsigned i = 0; i < count && list[i] != 3; i++) {
    sum[0] += list[i - 1];
    note("1 + 1", sum);
  }
  if (!ready(list) || (count & 1u) == 0) {
    return -1;
  }
  return sum[0];
}
"""

SV_TEXT = """// a && b
`define SIZE 4
module counter (input logic clk_i, input logic [3:0] add_i, output logic [3:0] sum_o);
  logic [3:0] sum_q;
  assign sum_o = sum_q <= 4'd9 ? sum_q : '0;
  always_ff @(posedge clk_i) begin
    if (add_i[0] && sum_q < 4'hf) begin
      sum_q <= sum_q + add_i;
    end
  end
endmodule
"""

PY_TEXT = '''"""1 + 1"""
def walk(values: list[int], least: int | None = None) -> int:
    total = 0  # 5 + 5
    for value in values:
        if least is not None and value >= least:
            total += value
        note(f"{value} - {total}")
    return total - 1
'''


def changes(text: str, language: str) -> set[tuple[int, str, str, str]]:
    return {(fault.line, fault.kind, fault.before, fault.after) for fault in faults("file", text, language)}


def test_c() -> None:
    assert changes(C_TEXT, C) == {
        (4, "constant", "2", "3"),
        (4, "constant", "2", "1"),
        (4, "constant", "0", "1"),
        (4, "constant", "7", "8"),
        (4, "constant", "7", "6"),
        (5, "constant", "0", "1"),
        (5, "constant", "3", "4"),
        (5, "constant", "3", "2"),
        (5, "operator", "<", "<="),
        (5, "operator", "&&", "||"),
        (5, "operator", "!=", "=="),
        (5, "index", "i", "i + 1"),
        (6, "constant", "0", "1"),
        (6, "constant", "1", "2"),
        (6, "constant", "1", "0"),
        (6, "operator", "+=", "-="),
        (6, "operator", "-", "+"),
        (6, "index", "0", "0 + 1"),
        (6, "index", "i - 1", "i - 1 + 1"),
        (6, "statement", "sum[0] += list[i - 1]", ""),
        (7, "statement", 'note("1 + 1", sum)', ""),
        (9, "operator", "||", "&&"),
        (9, "operator", "&", "|"),
        (9, "operator", "==", "!="),
        (9, "constant", "1u", "2u"),
        (9, "constant", "1u", "0u"),
        (9, "constant", "0", "1"),
        (9, "condition", "!ready(list) || (count & 1u) == 0", "!(!ready(list) || (count & 1u) == 0)"),
        (10, "constant", "1", "2"),
        (10, "constant", "1", "0"),
        (12, "constant", "0", "1"),
        (12, "index", "0", "0 + 1"),
    }


def test_systemverilog() -> None:
    found = changes(SV_TEXT, SV)
    behind_module = {change for change in found if change[0] > 4}
    assert behind_module == {
        (5, "operator", "<=", "<"),
        (5, "constant", "4'd9", "4'd8"),
        (5, "constant", "4'd9", "4'd10"),
        (5, "constant", "'0", "'1"),
        (5, "statement", "assign sum_o = sum_q <= 4'd9 ? sum_q : '0", ""),
        (7, "operator", "&&", "||"),
        (7, "operator", "<", "<="),
        (7, "constant", "0", "1"),
        (7, "constant", "4'hf", "4'h0"),
        (7, "constant", "4'hf", "4'he"),
        (7, "index", "0", "0 + 1"),
        (7, "condition", "add_i[0] && sum_q < 4'hf", "!(add_i[0] && sum_q < 4'hf)"),
        (8, "operator", "+", "-"),
        (8, "statement", "sum_q <= sum_q + add_i", ""),
    }
    assert not any(line < 3 for line, *_ in found)


def test_python() -> None:
    assert changes(PY_TEXT, PY) == {
        (3, "constant", "0", "1"),
        (3, "statement", "total = 0", "pass"),
        (5, "operator", "is not", "is"),
        (5, "operator", "and", "or"),
        (5, "operator", ">=", ">"),
        (5, "condition", "least is not None and value >= least", "not (least is not None and value >= least)"),
        (6, "operator", "+=", "-="),
        (6, "statement", "total += value", "pass"),
        (7, "statement", 'note(f"{value} - {total}")', "pass"),
        (8, "operator", "-", "+"),
        (8, "constant", "1", "2"),
        (8, "constant", "1", "0"),
    }


def test_each_is_one_change() -> None:
    for text, language in ((C_TEXT, C), (SV_TEXT, SV), (PY_TEXT, PY)):
        for fault in faults("file", text, language):
            after = fault.apply(text)
            assert after != text
            assert after[: fault.start] == text[: fault.start]
            assert after.endswith(text[fault.start + len(fault.before) :])
            with pytest.raises(AssertionError, match="has changed"):
                fault.apply("?" * len(text))


def test_samples() -> None:
    """Equally many of every kind; the same for the same seed; a longer one begins with a shorter one."""
    among = list(faults("file", C_TEXT, C))
    chosen = sample(among, 10, seed=3)
    kinds = [fault.kind for fault in chosen]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "condition": 1,
        "constant": 3,
        "index": 2,
        "operator": 2,
        "statement": 2,
    }
    assert sample(among, 10, seed=3) == chosen != sample(among, 10, seed=4)
    assert sample(among, 20, seed=3)[:10] == chosen
    assert sorted(map(str, sample(among, 1000, seed=5))) == sorted(map(str, among))


def outcome(layer: str, what: str) -> Outcome:
    return Outcome(layer, Fault("a.c", 4, 1, "constant", "1", "2"), "0123", what, "test", 1.5)


def test_results_and_table() -> None:
    outcomes = [outcome("driver", KILLED)] * 3 + [outcome("driver", SURVIVED), outcome("driver", EQUIVALENT)]
    outcomes += [outcome("Python", REFUSED)]
    assert [Outcome.parse(one.line()) for one in outcomes] == outcomes
    assert score(outcomes) == 75
    assert score([]) is None
    assert table(outcomes).splitlines()[2:] == [
        "| driver | 5 | 3 | 1 | 0 | 1 | 75 % |",
        "| Python | 1 | 0 | 0 | 1 | 0 | - |",
        "| all | 6 | 3 | 1 | 1 | 1 | 75 % |",
    ]


@pytest.mark.parametrize("layer", LAYERS)
def test_the_projects_own_sources(layer: str) -> None:
    """There are faults of every kind in each layer, and every file's are where they say."""
    found = candidates(ROOT, layer)
    kinds = {fault.kind for fault in found}
    assert kinds == {"operator", "constant", "condition", "statement"} | ({"index"} if layer != "Python" else set())
    assert {Path(fault.file).suffix for fault in found} == {SUFFIXES[layer]}
    for fault in sample(found, 200, seed=1):
        assert fault.apply((ROOT / fault.file).read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", equivalents(), ids=lambda entry: f"{entry['file']}:{entry['before']}")
def test_an_equivalent_fault_can_still_be_made(entry: dict[str, str]) -> None:
    lines = [line.strip() for line in (ROOT / entry["file"]).read_text(encoding="utf-8").split("\n")]
    assert any(line == entry["line"] and entry["before"] in line for line in lines)
