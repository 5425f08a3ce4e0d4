"""What `lint-imports` checks: who may import whom, and that no module imports itself.

Each room has a contract in `.importlinter`. Types count: an import under ``TYPE_CHECKING`` is an
import.
"""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, cast

from importlinter import Contract, ContractCheck, fields, output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grimp import ImportGraph

__all__ = ["AcyclicContract", "RoomContract"]

_ROOT = "locisimiles"


class RoomContract(Contract):
    """Modules of `room` import only from themselves and from the rooms in `may_import`.

    With ``as_package = False`` the room is one module, such as the ``__init__`` of a package whose
    parts are rooms of their own.
    """

    type_name = "room"
    room = fields.StringField()
    may_import = fields.ListField(subfield=fields.StringField(), required=False)
    as_package = fields.BooleanField(required=False, default=True)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002, FBT001
        """Look for imports that the contract does not allow."""
        forbidden = [
            detail
            for module in self._modules(graph)
            for imported in sorted(graph.find_modules_directly_imported_by(module))
            if not self._is_allowed(imported)
            for detail in graph.get_import_details(importer=module, imported=imported)
        ]
        return ContractCheck(kept=not forbidden, metadata={"forbidden": forbidden})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the imports that are not allowed."""
        for detail in check.metadata["forbidden"]:
            line = f"{detail['importer']} -> {detail['imported']} (l. {detail['line_number']})"
            output.print_error(line, bold=False)

    def _modules(self, graph: ImportGraph) -> Iterator[str]:
        name = _full(cast("str", self.room))
        yield name
        if self.as_package:
            yield from sorted(graph.find_descendants(name))

    def _is_allowed(self, imported: str) -> bool:
        rooms = [cast("str", self.room), *cast("list[str]", self.may_import or [])]
        return any(
            imported == _full(room) or imported.startswith(f"{_full(room)}.") for room in rooms
        )


class AcyclicContract(Contract):
    """No module imports itself through others."""

    type_name = "acyclic"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002, FBT001
        """Look for a cycle."""
        imports = {
            module: graph.find_modules_directly_imported_by(module) for module in graph.modules
        }
        cycle: list[str] = []
        try:
            TopologicalSorter(imports).prepare()
        except CycleError as error:
            cycle = error.args[1]
        return ContractCheck(kept=not cycle, metadata={"cycle": cycle})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the cycle."""
        output.print_error(" <- ".join(check.metadata["cycle"]), bold=False)


def _full(room: str) -> str:
    return _ROOT if room == _ROOT else f"{_ROOT}.{room}"
