"""Results with a sentence on each pair: why it may be a reference."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from locisimiles.checks import check_equal_lengths
from locisimiles.progress import silent
from locisimiles.results import Results

if TYPE_CHECKING:
    from locisimiles.corpus import Document
    from locisimiles.evidence import Alignment
    from locisimiles.progress import Progress

__all__ = ["ExplainedResults", "explain_results"]


@dataclass(frozen=True, slots=True)
class ExplainedResults(Results):
    """Results with a sentence on each pair.

    Attributes
    ----------
    explanations
        A sentence for each pair.
    alignments
        The aligned words of each pair, those of similar meaning included: what is highlighted.
        None highlights words of the same lemma.
    """

    explanations: tuple[str, ...] = ()
    alignments: tuple[Alignment, ...] | None = None

    def __post_init__(self) -> None:
        Results.__post_init__(self)
        check_equal_lengths(candidates=self.candidates, explanations=self.explanations)
        if self.alignments is not None:
            check_equal_lengths(candidates=self.candidates, alignments=self.alignments)

    @classmethod
    def of(
        cls,
        results: Results,
        explanations: tuple[str, ...],
        alignments: tuple[Alignment, ...] | None,
    ) -> ExplainedResults:
        """Return results with explanations."""
        columns = {field.name: getattr(results, field.name) for field in fields(Results)}
        return cls(**columns, explanations=explanations, alignments=alignments)


def explain_results(
    results: Results, *, library: Document | None = None, progress: Progress = silent
) -> ExplainedResults:
    """Explain each pair; files that are written then have the sentence, too.

    Words of similar meaning are then highlighted besides those of the same lemma.

    Parameters
    ----------
    results
        The results of a search. For results read from a file, words are counted in the segments
        that the file has, as the sentence says.
    library
        Further texts in which words are counted.
    progress
        Reports progress.

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
    from locisimiles.evidence import EvidenceFinder  # only loaded if needed

    finder = EvidenceFinder(results.query, results.source, library=library)
    evidence = finder.for_pairs(
        results.candidates.query.astype("int64"),
        results.candidates.source.astype("int64"),
        progress=progress,
    )
    return ExplainedResults.of(
        results,
        explanations=tuple(one.sentence for one in evidence),
        alignments=tuple(one.alignment for one in evidence),
    )
