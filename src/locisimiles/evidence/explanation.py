"""What is said about a pair, made from its facts by rules; nothing else is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.evidence.phrases import Phrase, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.evidence.facts import Evidence

__all__ = ["explanation", "explanation_phrases"]


def explanation(evidence: Evidence) -> str:
    """Return the facts of a pair as one English sentence.

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
    return say(explanation_phrases(evidence))


def explanation_phrases(evidence: Evidence) -> list[Phrase]:
    """Return what there is to say of a pair, in the order it is said, in no language yet."""
    return [
        _words(evidence),
        *_changes(evidence),
        *_elsewhere(evidence),
        *_warnings(evidence),
        *_cues(evidence),
    ]


def _words(evidence: Evidence) -> Phrase:
    lemmas, changes = [word.lemma for word in evidence.shared], evidence.changes
    if not lemmas:
        return Phrase("shares_none")
    facts = [Phrase("words", {"count": len(lemmas)})]
    if changes.order is not None:
        stretch = {"query": changes.query_words, "source": changes.source_words}
        facts += [Phrase("within", stretch), Phrase(f"order_{changes.order}")]
    if changes.inflected:
        facts.append(Phrase("inflected", {"count": changes.inflected}))
    return Phrase("shares", {"lemmas": lemmas, "facts": facts})


def _changes(evidence: Evidence) -> Iterator[Phrase]:
    for bond, key in (("synonym", "similar"), ("meaning", "related")):
        found = [
            Phrase("instead", {"query": pair.query_lemma, "source": pair.source_lemma})
            for pair in evidence.alignment.pairs
            if pair.bond == bond
        ]
        if found:
            yield Phrase(key, {"pairs": found})
    if evidence.changes.verse_in_prose:
        yield Phrase("verse_in_prose")
    query, source = evidence.query_year, evidence.source_year
    if query is not None and source is not None and source > query:
        yield Phrase("later", {"source": str(source), "query": str(query)})


def _elsewhere(evidence: Evidence) -> Iterator[Phrase]:
    found = evidence.elsewhere
    if found is None:
        return
    library = {"library": evidence.library_segments} if evidence.library_segments else {}
    pool = Phrase("pool_library" if library else "pool", {"count": evidence.segments, **library})
    values: dict[str, object] = {"lemmas": _dashed(found.lemmas), "pool": pool}
    kind = "pair" if len(found.lemmas) > 1 else "word"
    if not found.count:
        yield Phrase(f"nowhere_{kind}", values)
        return
    where: Phrase | str = ""
    first = found.places[0] if found.places else None
    if first is not None and first.year is not None and found.count > 1:
        where = Phrase("first_dated" if found.undated else "first", {"id": first.id})
    elif first is not None and found.count == 1:
        where = Phrase("only", {"id": first.id})
    yield Phrase(f"places_{kind}", {**values, "count": found.count, "where": where})


def _warnings(evidence: Evidence) -> Iterator[Phrase]:
    formula, rival = evidence.formula, evidence.rival
    if formula is not None:
        told = {"lemmas": _dashed(formula.lemmas), "count": formula.count}
        if formula.sentences:
            yield Phrase("formula_latin", {**told, "sentences": formula.sentences})
        else:
            yield Phrase("formula_authors", {**told, "authors": formula.authors})
    if rival is not None:
        better = {"id": rival.id, "lemmas": list(rival.lemmas)}
        own = {"own": list(rival.own_lemmas)} if rival.own_lemmas else {}
        yield Phrase("rival" if own else "rival_nothing", {**better, **own})


def _cues(evidence: Evidence) -> Iterator[Phrase]:
    authors = list(dict.fromkeys(cue.author for cue in evidence.cues if cue.author))
    texts = dict.fromkeys(cue.text for cue in evidence.cues if cue.kind == "attribution")
    if texts:
        yield Phrase("attribution", {"phrases": [Phrase("quoted", {"text": t}) for t in texts]})
    yield from _quotation(evidence)
    if not authors:
        # The whole segment was read only if there are no words to look around.
        yield Phrase("no_author_near" if evidence.alignment.pairs else "no_author")
        return
    yield Phrase("named", {"authors": authors, "count": len(authors)})
    if evidence.names_source_author and len(authors) == 1:
        yield Phrase("source_author_this")
    elif evidence.names_source_author:
        yield Phrase("source_author", {"author": evidence.source_author})


def _quotation(evidence: Evidence) -> Iterator[Phrase]:
    quoted = [cue.span for cue in evidence.cues if cue.kind == "quotation"]
    words = evidence.alignment.query_words
    inside = [w for w in words if any(start <= w[0] and w[1] <= end for start, end in quoted)]
    if inside:
        yield Phrase("quoted_all" if len(inside) == len(words) else "quoted_some")


def _dashed(lemmas: tuple[str, ...]) -> str:
    return "–".join(lemmas)
