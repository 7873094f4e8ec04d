# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The parameters, ports and interfaces of rtl/outwork_axi.v, as the slang reader finds them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pyslang import ast, syntax

SOURCE = Path(__file__).resolve().parent.parent / "rtl/outwork_axi.v"


@dataclass(frozen=True)
class Parameter:
    name: str
    value: str  # the default: decimal, or as Verilog writes it: 4'b1111
    left: str | None  # expression of the highest bit; None: an integer


@dataclass(frozen=True)
class Port:
    name: str
    direction: str  # in, out
    left: str | None  # expression of the highest bit, in parameters; None: one bit without index
    attributes: dict[str, str]  # those in (* *): X_INTERFACE_INFO


@dataclass(frozen=True)
class Module:
    name: str
    parameters: tuple[Parameter, ...]
    ports: tuple[Port, ...]

    def interface(self, name: str) -> dict[str, Port]:
        """Returns the ports of an AXI interface by the names that AXI gives them: AWADDR."""
        prefix = f"{name}_"
        return {port.name.removeprefix(prefix).upper(): port for port in self.ports if port.name.startswith(prefix)}


def _left(dimensions: Iterable[syntax.VariableDimensionSyntax]) -> str | None:
    """Returns the first number of a range as text. Raises ValueError if the second is not 0."""
    text = "".join(str(dimension).strip() for dimension in dimensions)
    if not text:
        return None
    left, _, right = text.removeprefix("[").removesuffix("]").partition(":")
    if right.strip() != "0":
        raise ValueError(f"{SOURCE}: the range {text} does not end with 0")
    return left.strip()


def _only(nodes: Iterable[object], kind: type) -> list[Any]:
    """Returns the nodes of one kind: lists in slang's syntax contain the commas too."""
    return [node for node in nodes if isinstance(node, kind)]


def _attributes(port: syntax.ImplicitAnsiPortSyntax) -> dict[str, str]:
    return {
        spec.name.valueText: spec.value.expr.literal.valueText
        for instance in port.attributes
        for spec in _only(instance.specs, syntax.AttributeSpecSyntax)
    }


@cache
def load(source: Path = SOURCE) -> Module:
    """Reads a file with one module."""
    tree = syntax.SyntaxTree.fromFile(str(source))
    compilation = ast.Compilation()
    compilation.addSyntaxTree(tree)
    (top,) = compilation.getRoot().topInstances
    values = {parameter.name: str(parameter.value) for parameter in top.body.parameters}
    header: Any = top.body.definition.syntax.header
    parameters = tuple(
        Parameter(name := declarator.name.valueText, values[name], _left(declaration.type.dimensions))
        for declaration in _only(header.parameters.declarations, syntax.ParameterDeclarationSyntax)
        for declarator in _only(declaration.declarators, syntax.DeclaratorSyntax)
    )
    ports = tuple(
        Port(
            port.declarator.name.valueText,
            {"input": "in", "output": "out"}[port.header.direction.valueText],
            _left(port.header.dataType.dimensions),
            _attributes(port),
        )
        for port in _only(header.ports.ports, syntax.ImplicitAnsiPortSyntax)
    )
    return Module(top.name, parameters, ports)
