"""TREC runs, for trec_eval, ir_measures and other tools that measure a ranking.

Lines are ``query Q0 source rank score name``, with white space between the fields. Our ids contain
spaces: white space and per cent signs inside an id are percent-encoded (``verg.%20aen.%201.1``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from locisimiles.candidates import Candidates
    from locisimiles.corpus import Document
    from locisimiles.export.blocks import BlockRows

__all__ = ["escaped", "escaped_ids", "run_lines", "write_trec"]

_UNSAFE = re.compile(r"[\s%]")
_NAME = "locisimiles"


def write_trec(results: BlockRows, stream: TextIO) -> None:
    """Write results as a run, which bears the name of the retriever."""
    documents: tuple[Document, list[str]] | None = None
    for block in results.blocks():
        if documents is None or documents[0] is not block.source:
            documents = block.source, escaped_ids(block.source.ids)
        stream.writelines(
            run_lines(
                block.candidates,
                block.query,
                documents[1],
                name=_run_name(block.manifest),
                ranks=block.rank,
            )
        )


def run_lines(
    candidates: Candidates,
    query: Document,
    source_ids: list[str],
    *,
    name: str = _NAME,
    ranks: NDArray[np.int32] | None = None,
) -> Iterator[str]:
    """Yield the lines of a run; reading the scores gives the same numbers.

    Parameters
    ----------
    candidates
        The pairs.
    query
        The query document.
    source_ids
        The ids of the sources, as `escaped_ids` writes them.
    name
        The name of the run.
    ranks
        The rank of each pair, where some pairs of the search were left out.
    """
    columns = zip(
        candidates.query.tolist(),
        candidates.source.tolist(),
        (candidates.rank if ranks is None else ranks).tolist(),
        candidates.score.tolist(),
        strict=True,
    )
    name, last, query_id = escaped(name), -1, ""
    for q, s, rank, score in columns:
        if q != last:
            last, query_id = q, escaped(query.ids[q])
        yield f"{query_id} Q0 {source_ids[s]} {rank} {score:.9g} {name}\n"


def escaped_ids(ids: Iterable[str]) -> list[str]:
    """Return ids without white space."""
    return [escaped(segment_id) for segment_id in ids]


def escaped(text: str) -> str:
    """Return an id or a name without white space.

    Examples
    --------
    >>> escaped("verg. aen. 1.1"), escaped("100%")
    ('verg.%20aen.%201.1', '100%25')
    """
    return _UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), text)


def _run_name(manifest: Mapping[str, object]) -> str:
    retriever = manifest.get("retriever")
    name = retriever.get("name") if isinstance(retriever, dict) else None
    return name if isinstance(name, str) and name else _NAME
