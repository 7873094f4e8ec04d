# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that no source files depend on each other in a circle: C files by the functions they call, Python files and the
folders of the package by imports.

Imports for type checking only, and imports inside functions, do not count: they do not exist when a module is loaded.
"""

import ast
import re
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
C_FOLDERS = ("driver/src", "platform/*/src", "plugins/*/src")
DEFINITION = re.compile(r"^(?!static)\w[\w \*]*?\b(\w+)\([^;{]*\)\s*\{", re.MULTILINE)
# Comments, strings, and names of types, which may also be names of functions.
NO_CALL = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"|\b(?:struct|enum|union) \w+", re.DOTALL)
Graph = dict[str, set[str]]


def c_graph(folder: Path) -> Graph:
    texts = {
        path.relative_to(ROOT).as_posix(): NO_CALL.sub(" ", path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.c"))
    }
    home = {name: path for path, text in texts.items() for name in DEFINITION.findall(text)}
    return {
        path: {home[word] for word in set(re.findall(r"\w+", text)) if home.get(word, path) != path}
        for path, text in texts.items()
    }


def imports(tree: ast.Module, module: str, is_package: bool) -> Iterable[str]:
    """Returns the absolute names that a module imports when it is loaded; for `from a import b` both a and a.b."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")[: None if is_package and node.level == 1 else -(node.level - is_package)]
                base = ".".join([*parts, *([node.module] if node.module else [])])
            for alias in node.names:
                yield f"{base}.{alias.name}"
            yield base


def python_graph(package: str) -> Graph:
    paths = {}
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    graph: Graph = {}
    for module, path in paths.items():
        found = set(imports(ast.parse(path.read_text(encoding="utf-8")), module, path.name == "__init__.py"))
        deepest = {
            name for name in found if name in paths and not any(f"{name}.{x}" in paths for x in _tails(found, name))
        }
        graph[module] = deepest - {module}
    return graph


def folder_graph(graph: Graph) -> Graph:
    """Returns which folders and modules of a package's top level import which others."""
    top = {module: ".".join(module.split(".")[:2]) for module in graph}
    folders: Graph = {}
    for module, found in graph.items():
        folders.setdefault(top[module], set()).update({top[name] for name in found} - {top[module]})
    return folders


def _tails(found: set[str], name: str) -> set[str]:
    return {other[len(name) + 1 :].split(".")[0] for other in found if other.startswith(name + ".")}


def circles(graph: Graph) -> list[list[str]]:
    """Returns the strongly connected components of more than one node (Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component: list[str] = []
            while not component or component[-1] != node:
                component.append(stack.pop())
            if len(component) > 1:
                found.append(sorted(component))

    for node in graph:
        if node not in index:
            visit(node)
    return found


def main() -> int:
    graphs = [c_graph(folder) for pattern in C_FOLDERS for folder in sorted(ROOT.glob(pattern))]
    package = python_graph("outwork")
    graphs += [package, folder_graph(package)]
    found = [circle for graph in graphs for circle in circles(graph)]
    for circle in found:
        print("depend on each other: " + ", ".join(circle))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
