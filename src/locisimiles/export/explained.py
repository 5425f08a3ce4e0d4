"""Explain results: a sentence on each pair, why it may be a reference."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from locisimiles.evidence import EvidenceFinder
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.results import Results

__all__ = ["explain_blocks", "explain_results"]


def explain_results(
    results: Results, *, library: Document | None = None, progress: Progress = silent
) -> Results:
    """Return the results with an explanation and an alignment of each pair.

    Files written from them contain the explanations, and highlight words of similar meaning
    besides those of the same lemma.

    Parameters
    ----------
    results
        The results of a search. Results read from a file hold only some segments of the texts;
        words are counted in these.
    library
        Further texts to count words in.
    progress
        Called to report progress.

    Examples
    --------
    >>> from locisimiles import BM25, Document, Pipeline, Segment
    >>> query = Document.from_segments([Segment("hier. 1", "haesit uox faucibus")])
    >>> source = Document.from_segments([Segment("verg. 1", "et vox faucibus haesit")])
    >>> results = Pipeline(BM25()).run(query=query, source=source)
    >>> print(explain_results(results).explanations[0])
    Shares haereo, uox, faux (3 words, within 3 words in the text and 3 in the source, in another
    order); word for word: “uox faucibus”; the pair haereo–uox stands together nowhere else in 1
    segment; no author is named near the words.
    """
    return next(explain_blocks([results], library=library, progress=progress))


def explain_blocks(
    blocks: Iterable[Results], *, library: Document | None = None, progress: Progress = silent
) -> Iterator[Results]:
    """Explain blocks of results one by one, as `explain_results` explains the whole."""
    finder = None
    for results in blocks:
        finder = finder or EvidenceFinder(results.query, results.source, library=library)
        yield _explained(results, finder, progress)


def _explained(results: Results, finder: EvidenceFinder, progress: Progress) -> Results:
    evidence = finder.for_pairs(
        results.candidates.query.astype("int64"),
        results.candidates.source.astype("int64"),
        progress=progress,
    )
    return replace(
        results,
        explanations=tuple(one.sentence for one in evidence),
        alignments=tuple(one.alignment for one in evidence),
    )
