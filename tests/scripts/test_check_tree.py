# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The check of the tree: files and RTL blocks that are too long are refused; tables of constants may be long."""

from pathlib import Path

import check_tree
import pytest

# The lines of each block without those of its body, and a text with a place for the body.
BLOCKS = {
    "always_comb": (2, "always_comb begin\n{body}end\n"),
    "always_ff": (5, "always_ff @(posedge clk_i) begin\n  if (!rst_ni) begin\n{body}  end else begin\n  end\nend\n"),
    "always_latch": (3, "always_latch\n  if (a) b = c;\n  else begin {body} end\n"),
    "function": (2, "function automatic logic f(logic a);\n{body}endfunction\n"),
    "task": (2, "task automatic t();\n{body}endtask\n"),
}
BODY = "  case (a) 1'b0: b = 1; default: begin b = 0; end endcase  // end, begin\n"


@pytest.mark.parametrize("word", BLOCKS)
def test_block_may_have_so_many_lines_and_no_more(word: str) -> None:
    frame, text = BLOCKS[word]
    before, behind = "module m;\n\n", "assign c = d;\n" * 200 + "endmodule\n"
    fits = BODY * (check_tree.BLOCK_LINES_MAX - frame)
    assert not list(check_tree.long_blocks("m.sv", before + text.format(body=fits) + behind))
    for line in (BODY, "  // A comment.\n", "\n", "  /* begin\n"):
        more = line + ("  */\n" if "/*" in line else "")
        found = list(check_tree.long_blocks("m.sv", before + text.format(body=fits + more) + behind))
        lines = check_tree.BLOCK_LINES_MAX + more.count("\n")
        assert found == [f"m.sv:3: {word} of {lines} lines; split it (the limit is {check_tree.BLOCK_LINES_MAX})"]


def test_every_block_is_judged_alone() -> None:
    half = "always_comb begin\n" + BODY * (check_tree.BLOCK_LINES_MAX // 2) + "end\n"
    assert not list(check_tree.long_blocks("m.sv", half * 5))


def test_rtl_of_the_tree_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_tree, "ROOT", tmp_path)
    path = tmp_path / "rtl/m.sv"
    path.parent.mkdir()
    path.write_text("always_comb begin\n" + BODY * check_tree.BLOCK_LINES_MAX + "end\nendmodule\n")
    assert any("always_comb of 102 lines" in problem for problem in check_tree.problems(path))


@pytest.mark.parametrize("name", ["a.c", "b.h", "c.cpp", "d.sv", "e.py", "f.sh", "g.cmake", "CMakeLists.txt"])
def test_file_may_have_400_lines_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(check_tree, "ROOT", tmp_path)
    head = ["SPDX-FileCopyrightText: The Outwork authors", "SPDX-License-Identifier: Apache-2.0"]
    path = tmp_path / name
    path.write_text("\n".join(head + ["x"] * 398) + "\n")
    assert not list(check_tree.problems(path))
    path.write_text("\n".join(head + ["x"] * 399) + "\n")
    assert list(check_tree.problems(path)) == [f"{name}: 401 lines; split it (the limit is 400)"]
    for words in check_tree.LONG_BY_NATURE:
        path.write_text("\n".join([*head, words] + ["x"] * 1000) + "\n")
        assert not list(check_tree.problems(path))
