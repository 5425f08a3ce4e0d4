"""One sentence about a pair, made from its facts by rules; nothing else is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.evidence.facts import Evidence

__all__ = ["explanation"]

_MOST_NAMED = 6


def explanation(evidence: Evidence) -> str:
    """Return the facts of a pair as one sentence.

    Examples
    --------
    >>> from locisimiles import Document, EvidenceFinder, Segment
    >>> query = Document.from_segments([Segment("hier. 1", "haesit uox faucibus")])
    >>> source = Document.from_segments([Segment("verg. 1", "et vox faucibus haesit")])
    >>> print(EvidenceFinder(query, source).explain("hier. 1", "verg. 1").sentence)
    Shares haereo, uox, faux (3 words, within 3 words in the query and 3 in the source, in another
    order); the pair haereo–uox stands together nowhere else in 1 segment; no author is named near
    the words.
    """
    return "; ".join(_clauses(evidence)) + "."


def _clauses(evidence: Evidence) -> Iterator[str]:
    yield _words(evidence)
    yield from _changes(evidence)
    yield from _elsewhere(evidence)
    if evidence.formula is not None:
        pair = _dashed(evidence.formula.lemmas)
        yield f"{pair} may be a common expression: {evidence.formula.reason}"
    if evidence.rival is not None:
        yield (
            f"{evidence.rival.id} explains the words better: {_listed(evidence.rival.lemmas)} "
            f"instead of {_listed(evidence.rival.own_lemmas) or 'none'}"
        )
    yield from _cues(evidence)


def _words(evidence: Evidence) -> str:
    lemmas, changes = [word.lemma for word in evidence.shared], evidence.changes
    if not lemmas:
        return "Shares no word"
    facts = [_counted(len(lemmas), "word")]
    if changes.order is not None:
        facts.append(
            f"within {changes.query_words} words in the query "
            f"and {changes.source_words} in the source"
        )
        facts.append("in the same order" if changes.order == "same" else "in another order")
    if changes.inflected:
        facts.append(f"{changes.inflected} in another form")
    return f"Shares {_listed(lemmas)} ({', '.join(facts)})"


def _changes(evidence: Evidence) -> Iterator[str]:
    for bond, near in (("synonym", "similar"), ("meaning", "related")):
        found = [
            f"{pair.query_lemma} for {pair.source_lemma}"
            for pair in evidence.alignment.pairs
            if pair.bond == bond
        ]
        if found:
            yield f"{near} in meaning: {_listed(found)}"
    if evidence.changes.verse_in_prose:
        yield "the source is verse, the query prose"
    query, source = evidence.query_year, evidence.source_year
    if query is not None and source is not None and source > query:
        yield f"the source is later than the query, as far as we know ({source} and {query})"


def _elsewhere(evidence: Evidence) -> Iterator[str]:
    found = evidence.elsewhere
    if found is None:
        return
    if len(found.lemmas) > 1:
        subject = f"the pair {_dashed(found.lemmas)} stands together"
    else:
        subject = f"{found.lemmas[0]} stands"
    pool = _counted(evidence.segments, "segment")
    if evidence.library_segments:
        pool += f" of the source and {evidence.library_segments:,} of the library"
    if not found.count:
        yield f"{subject} nowhere else in {pool}"
        return
    clause = f"{subject} in {_counted(found.count, 'other place')} of {pool}"
    first = found.places[0] if found.places else None
    if first is not None and first.year is not None and found.count > 1:
        clause += f", first in {first.id}"
        if found.undated:
            clause += ", as far as dates are known"
    elif first is not None and found.count == 1:
        clause += f", {first.id}"
    yield clause


def _cues(evidence: Evidence) -> Iterator[str]:
    authors = list(dict.fromkeys(cue.author for cue in evidence.cues if cue.author))
    phrases = [cue.text for cue in evidence.cues if cue.kind == "attribution"]
    if phrases:
        quoted = [f"“{phrase}”" for phrase in dict.fromkeys(phrases)]
        yield f"the query has {_listed(quoted)} nearby"
    yield from _quotation(evidence)
    if not authors:
        # The whole segment was read only if there are no words to look around.
        near = " near the words" if evidence.alignment.pairs else ""
        yield f"no author is named{near}"
        return
    yield f"{_listed(authors)} {'is' if len(authors) == 1 else 'are'} named"
    if evidence.names_source_author:
        who = "this" if len(authors) == 1 else evidence.source_author
        yield f"{who} is the author of the source"


def _quotation(evidence: Evidence) -> Iterator[str]:
    quoted = [cue.span for cue in evidence.cues if cue.kind == "quotation"]
    words = evidence.alignment.query_words
    inside = [w for w in words if any(start <= w[0] and w[1] <= end for start, end in quoted)]
    if inside:
        which = "the words" if len(inside) == len(words) else "some of the words"
        yield f"{which} stand in quotation marks"


def _listed(words: Sequence[str]) -> str:
    named = ", ".join(words[:_MOST_NAMED])
    more = len(words) - _MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named


def _dashed(lemmas: Sequence[str]) -> str:
    return "–".join(lemmas)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
