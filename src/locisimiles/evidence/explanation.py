"""The evidence of a pair, and the sentence that rules make of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from locisimiles.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.evidence.alignment import Alignment
    from locisimiles.evidence.facts import (
        Changes,
        Collocation,
        Cue,
        Elsewhere,
        Formula,
        Neighbours,
        Rival,
        SharedLemma,
    )

__all__ = ["Evidence", "explanation_messages", "join_clauses"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a query segment may refer to a source segment, and why not.

    Attributes
    ----------
    source_author
        The author as the source document spells it; empty if unknown.
    query_year, source_year
        Roughly when the works were finished; None if unknown.
    shared
        The lemmas that both segments have, in the order of the query.
    segments, library_segments
        The number of segments in the source document, and of other segments in the library: what
        counts are out of.
    collocation, elsewhere, formula, rival
        None if there is none.
    cues
        Signs of quotation near the aligned words, in the order of the query.
    """

    query_id: str
    source_id: str
    source_author: str
    query_year: int | None
    source_year: int | None
    alignment: Alignment
    shared: tuple[SharedLemma, ...]
    segments: int
    library_segments: int
    collocation: Collocation | None
    elsewhere: Elsewhere | None
    formula: Formula | None
    rival: Rival | None
    cues: tuple[Cue, ...]
    changes: Changes
    query_neighbours: Neighbours
    source_neighbours: Neighbours

    @property
    def names_source_author(self) -> bool:
        """Whether the query names the author of the source near the aligned words."""
        return bool(self.source_author) and self.source_author.casefold() in {
            cue.author.casefold() for cue in self.cues
        }

    @property
    def sentence(self) -> str:
        """The facts as one English sentence; see `explain_results` for an example."""
        return join_clauses(explanation_messages(self))

    def as_dict(self) -> dict[str, object]:
        """Return all facts and the sentence as JSON can hold them."""
        return {**asdict(self), "sentence": self.sentence}


def join_clauses(messages: Iterable[Message], language: str = "en") -> str:
    """Return messages as one sentence in a language.

    Examples
    --------
    >>> join_clauses([Message("evidence.shares_none"), Message("evidence.no_author")], "de")
    'Die Texte haben kein Wort gemeinsam; kein Autor wird genannt.'
    """
    return "; ".join(message.text(language) for message in messages) + "."


def explanation_messages(evidence: Evidence) -> list[Message]:
    """Return the clauses of a pair's explanation as messages, in order."""
    return [
        _words(evidence),
        *_changes(evidence),
        *_elsewhere(evidence),
        *_warnings(evidence),
        *_cues(evidence),
    ]


def _words(evidence: Evidence) -> Message:
    lemmas, changes = [word.lemma for word in evidence.shared], evidence.changes
    if not lemmas:
        return Message("evidence.shares_none")
    facts = [Message("evidence.words", {"count": len(lemmas)})]
    if changes.order is not None:
        query, source = changes.query_words, changes.source_words
        facts.append(Message("evidence.within", {"query": query, "source": source}))
        same = changes.order == "same"
        facts.append(Message("evidence.order_same" if same else "evidence.order_other"))
    if changes.inflected:
        facts.append(Message("evidence.inflected", {"count": changes.inflected}))
    return Message("evidence.shares", {"lemmas": lemmas, "facts": facts})


def _changes(evidence: Evidence) -> Iterator[Message]:
    if runs := evidence.changes.verbatim:
        phrases = [Message("evidence.quoted", {"text": run}) for run in runs]
        yield Message("evidence.verbatim", {"phrases": phrases})
    if pairs := _instead(evidence, "synonym"):
        yield Message("evidence.similar", {"pairs": pairs})
    if pairs := _instead(evidence, "meaning"):
        yield Message("evidence.related", {"pairs": pairs})
    if evidence.changes.verse_in_prose:
        yield Message("evidence.verse_in_prose")
    query, source = evidence.query_year, evidence.source_year
    if query is not None and source is not None and source > query:
        yield Message("evidence.later", {"source": str(source), "query": str(query)})


def _instead(evidence: Evidence, bond: str) -> list[Message]:
    return [
        Message("evidence.instead", {"query": pair.query_lemma, "source": pair.source_lemma})
        for pair in evidence.alignment.pairs
        if pair.bond == bond
    ]


def _elsewhere(evidence: Evidence) -> Iterator[Message]:
    elsewhere = evidence.elsewhere
    if elsewhere is None:
        return
    segments, library = evidence.segments, evidence.library_segments
    pool = Message("evidence.pool", {"count": segments})
    if library:
        pool = Message("evidence.pool_library", {"count": segments, "library": library})
    lemmas, count = "–".join(elsewhere.lemmas), elsewhere.count
    pair = len(elsewhere.lemmas) > 1
    if not count:
        yield Message(
            "evidence.nowhere_pair" if pair else "evidence.nowhere_word",
            {"lemmas": lemmas, "pool": pool},
        )
        return
    where: Message | str = ""
    first = elsewhere.places[0] if elsewhere.places else None
    if first is not None and first.year is not None and count > 1:
        rough = elsewhere.undated > 0
        where = Message("evidence.first_dated" if rough else "evidence.first", {"id": first.cited})
    elif first is not None and count == 1:
        where = Message("evidence.only", {"id": first.cited})
    yield Message(
        "evidence.places_pair" if pair else "evidence.places_word",
        {"lemmas": lemmas, "pool": pool, "count": count, "where": where},
    )


def _warnings(evidence: Evidence) -> Iterator[Message]:
    formula, rival = evidence.formula, evidence.rival
    if formula is not None:
        lemmas, count = "–".join(formula.lemmas), formula.count
        if formula.sentences:
            yield Message(
                "evidence.formula_latin",
                {"lemmas": lemmas, "count": count, "sentences": formula.sentences},
            )
        else:
            yield Message(
                "evidence.formula_authors",
                {"lemmas": lemmas, "count": count, "authors": formula.authors},
            )
    if rival is not None:
        better, own = list(rival.lemmas), list(rival.own_lemmas)
        if own:
            yield Message("evidence.rival", {"id": rival.cited, "lemmas": better, "own": own})
        else:
            yield Message("evidence.rival_nothing", {"id": rival.cited, "lemmas": better})


def _cues(evidence: Evidence) -> Iterator[Message]:
    authors = list(dict.fromkeys(cue.author for cue in evidence.cues if cue.author))
    texts = dict.fromkeys(cue.text for cue in evidence.cues if cue.kind == "attribution")
    if texts:
        quoted = [Message("evidence.quoted", {"text": text}) for text in texts]
        yield Message("evidence.attribution", {"phrases": quoted})
    yield from _quotation(evidence)
    if not authors:
        # Without aligned words, the whole segment was searched.
        near = bool(evidence.alignment.pairs)
        yield Message("evidence.no_author_near" if near else "evidence.no_author")
        return
    yield Message("evidence.named", {"authors": authors, "count": len(authors)})
    if evidence.names_source_author and len(authors) == 1:
        yield Message("evidence.source_author_this")
    elif evidence.names_source_author:
        yield Message("evidence.source_author", {"author": evidence.source_author})


def _quotation(evidence: Evidence) -> Iterator[Message]:
    quoted = [cue.span for cue in evidence.cues if cue.kind == "quotation"]
    words = evidence.alignment.query_words
    inside = [w for w in words if any(start <= w[0] and w[1] <= end for start, end in quoted)]
    if inside:
        some = len(inside) < len(words)
        yield Message("evidence.quoted_some" if some else "evidence.quoted_all")
