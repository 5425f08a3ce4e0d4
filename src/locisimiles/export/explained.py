"""Results that say for each pair, in a sentence, why it may be a reference."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import repeat
from typing import TYPE_CHECKING

from locisimiles.errors import ParameterError
from locisimiles.progress import silent
from locisimiles.results import Results

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.corpus import Document
    from locisimiles.evidence import Alignment
    from locisimiles.progress import Progress

__all__ = ["ExplainedResults", "explain_results", "explanations_of"]


@dataclass(frozen=True, slots=True)
class ExplainedResults(Results):
    """Results with a sentence about each pair.

    Attributes
    ----------
    explanations
        A sentence for each pair, in their order.
    alignments
        The words of each pair that answer each other, similar ones among them: what is
        highlighted. None if they are not known; then words of the same lemma are.
    """

    explanations: tuple[str, ...] = ()
    alignments: tuple[Alignment, ...] | None = None

    def __post_init__(self) -> None:
        Results.__post_init__(self)
        given = {"explanations": self.explanations, "alignments": self.alignments}
        for name, values in given.items():
            if values is not None and len(values) != len(self.candidates):
                raise ParameterError(
                    f"{len(values)} {name} do not fit {len(self.candidates)} candidates",
                    hint="there must be one for each pair",
                )


def explain_results(
    results: Results, *, library: Document | None = None, progress: Progress = silent
) -> ExplainedResults:
    """Say for each pair why it may be a reference; what is written then says it too.

    Similar words are then highlighted besides those of the same lemma.

    Parameters
    ----------
    results
        Of a search. In results that were read from a file, words are counted in the segments
        that the file names, which the sentence says.
    library
        Further texts to count words in.
    progress
        Called while the work goes on.

    Examples
    --------
    >>> from locisimiles import BM25, Document, Pipeline, Segment
    >>> query = Document.from_segments([Segment("hier. 1", "haesit uox faucibus")])
    >>> source = Document.from_segments([Segment("verg. 1", "et vox faucibus haesit")])
    >>> results = Pipeline(BM25()).run(query=query, source=source)
    >>> print(explain_results(results).explanations[0])
    Shares haereo, uox, faux (3 words, within 3 words in the query and 3 in the source, in another
    order); the pair haereo–uox stands together nowhere else in 1 segment; no author is named near
    the words.
    """
    from locisimiles.evidence import EvidenceFinder  # only wanted when asked for

    finder = EvidenceFinder(results.query, results.source, library=library)
    found = finder.for_pairs(
        results.candidates.query.astype("int64"),
        results.candidates.source.astype("int64"),
        progress=progress,
    )
    return ExplainedResults(
        **{field.name: getattr(results, field.name) for field in fields(Results)},
        explanations=tuple(evidence.sentence for evidence in found),
        alignments=tuple(evidence.alignment for evidence in found),
    )


def explanations_of(results: Results) -> Iterable[str]:
    """Return the sentence of each pair; nothing but empty ones if there are none."""
    return results.explanations if isinstance(results, ExplainedResults) else repeat("")
