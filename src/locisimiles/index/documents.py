"""Documents that keep what was derived from their texts: tokens, words, vectors, indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np

from locisimiles.candidates import tie_order
from locisimiles.corpus import Document
from locisimiles.latin import TokenTable, tokenize_all
from locisimiles.latin.text_words import TextWords

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from locisimiles.index.exclusion import Exclusion
    from locisimiles.index.lemmas import StoredLemmas
    from locisimiles.index.vectors import StoredVectors
    from locisimiles.latin.lemmatizers import LemmatizeFunction

__all__ = ["PreparedDocument", "TextPart"]

_Derived = TypeVar("_Derived")


class TextPart(NamedTuple):
    """Some texts, and their tokens."""

    texts: Sequence[str]
    tokens: TokenTable

    @classmethod
    def of(cls, texts: Sequence[str]) -> TextPart:
        """Tokenise texts."""
        return cls(texts, tokenize_all(texts))

    def join(self, other: TextPart) -> TextPart:
        """Return these texts, then others."""
        one, two = self.tokens, other.tokens
        tokens = TokenTable(
            # Tokens of the shipped tokenizer share its vocabulary, which only grows.
            vocabulary=two.vocabulary,
            kinds=two.kinds if len(two.kinds) > len(one.kinds) else one.kinds,
            word=np.concatenate([one.word, two.word]),
            start=np.concatenate([one.start, two.start]),
            end=np.concatenate([one.end, two.end]),
            bounds=np.concatenate([one.bounds, two.bounds[1:] + one.bounds[-1]]),
        )
        return TextPart((*self.texts, *other.texts), tokens)


class PreparedDocument(Document):
    """A document that keeps what was derived from its texts.

    Retrievers, classifiers and evidence share it, so tokens and vectors are computed once. What is
    derived lives as long as this object.

    Parameters
    ----------
    document
        The segments.
    tokens
        Their tokens, if already known.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> plain = Document.from_segments([Segment("a", "arma cano"), Segment("b", "")])
    >>> prepared = PreparedDocument(plain)
    >>> prepared == plain, prepared.tokens.bounds.tolist()
    (True, [0, 2, 2])
    >>> PreparedDocument.of(prepared) is prepared
    True
    """

    __slots__ = ("_columns", "_derived", "_excluded", "_exclusion", "_exclusion_rows", "_part",
                 "_tokens")  # fmt: skip

    def __init__(self, document: Document, tokens: TokenTable | None = None) -> None:
        for slot in Document.__slots__:
            setattr(self, slot, getattr(document, slot))
        self._begin(
            tokens, document.known_columns() if isinstance(document, PreparedDocument) else {}
        )

    def _begin(self, tokens: TokenTable | None, columns: dict[str, NDArray[Any]]) -> None:
        """Set all that is no column of the texts, in documents on disk, too."""
        self._tokens = tokens
        self._columns = columns
        self._derived: dict[Hashable, object] = {}
        self._exclusion: Exclusion | None = None
        self._exclusion_rows = np.empty(0, np.int64)
        self._excluded: tuple[Hashable, NDArray[np.bool_] | None] = (None, None)
        self._part: tuple[NDArray[np.int64], TextPart] | None = None

    @classmethod
    def of(cls, document: Document) -> PreparedDocument:
        """Return a document prepared; one that is prepared already is returned unchanged."""
        return document if isinstance(document, PreparedDocument) else cls(document)

    @property
    def tokens(self) -> TokenTable:
        """The tokens of all texts."""
        if self._tokens is None:
            self._tokens = tokenize_all(self.texts)
        return self._tokens

    @property
    def words(self) -> TextWords:
        """The words of all texts, with forms and lemmas as numbers."""
        return self.derive("words", lambda: TextWords.of_tokens(self.tokens))

    @property
    def ties(self) -> NDArray[np.int64]:
        """The position of each segment in the order of ids; see `candidates.tie_order`."""
        return self.derive("ties", lambda: tie_order(self.ids))

    @property
    def works_column(self) -> tuple[list[tuple[str, str]], NDArray[np.int64]]:
        """The distinct pairs of author and work, as they occur, and the number of each segment's.

        Examples
        --------
        >>> from locisimiles import Segment
        >>> segments = [Segment("a", "arma", "Vergil"), Segment("b", "cano", "Vergil", "Aeneis")]
        >>> PreparedDocument(Document.from_segments(segments)).works_column
        ([('Vergil', ''), ('Vergil', 'Aeneis')], array([0, 1]))
        """
        return self.derive("works column", self._find_works)

    def _find_works(self) -> tuple[list[tuple[str, str]], NDArray[np.int64]]:
        numbers: dict[tuple[str, str], int] = {}
        pairs = zip(self.authors, self.works, strict=True)
        column = [
            numbers.setdefault((author or "", work or ""), len(numbers)) for author, work in pairs
        ]
        return list(numbers), np.array(column, np.int64)

    def count(self, sign: str) -> NDArray[np.int64]:
        """Return how often each text has a sign.

        Examples
        --------
        >>> from locisimiles import Segment
        >>> texts = Document.from_segments([Segment("a", "arma / cano"), Segment("b", "")])
        >>> PreparedDocument(texts).count(" ").tolist()
        [2, 0]
        """
        counts = (text.count(sign) for text in self.texts)
        return np.fromiter(counts, np.int64, len(self))

    def lemma_rows(self, lemmatizer: str | LemmatizeFunction) -> StoredLemmas | None:
        """Return the places of lemmas if they are on disk; see `Index`."""
        del lemmatizer
        return None

    def vectors(self) -> StoredVectors | None:
        """Return the vectors of pieces if they are on disk; see `Index`."""
        return None

    def derive(self, key: Hashable, make: Callable[[], _Derived]) -> _Derived:
        """Return what is stored under a key; make and store it if nothing is."""
        if key not in self._derived:
            self._derived[key] = make()
        return cast("_Derived", self._derived[key])

    def derived(self, key: Hashable, kind: type[_Derived]) -> _Derived | None:
        """Return what is stored under a key; None if it is nothing of this kind."""
        found = self._derived.get(key)
        return found if isinstance(found, kind) else None

    def column(self, name: str, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        """Return a value per segment that depends on the whole document; make it if necessary.

        Selected segments keep it, so that a block of a document has the values of the whole.

        Examples
        --------
        >>> from locisimiles import Segment
        >>> plain = Document.from_segments([Segment("a", "arma"), Segment("b", "cano")])
        >>> prepared = PreparedDocument(plain)
        >>> prepared.column("of", lambda: np.array([len(prepared)] * len(prepared))).tolist()
        [2, 2]
        >>> block = prepared.select([1])
        >>> block.column("of", lambda: np.array([len(block)])).tolist()
        [2]
        """
        if name not in self._columns:
            self._columns[name] = make()
        return self._columns[name]

    def known_columns(self) -> dict[str, NDArray[Any]]:
        """Return the columns that have been made."""
        return dict(self._columns)

    def is_of(self, document: Document) -> bool:
        """Tell whether this is another document, prepared."""
        return self.texts is document.texts and self.ids is document.ids

    def select(self, positions: Iterable[int]) -> PreparedDocument:
        """Return some of the segments, with their tokens if known."""
        rows = list(positions)
        places = np.array(rows, np.int64)
        tokens = None if self._tokens is None else _select(self._tokens, places)
        chosen = PreparedDocument(super().select(rows), tokens)
        chosen._columns = {name: column[places] for name, column in self._columns.items()}
        if self._exclusion is not None:
            chosen.exclude(self._exclusion, self._exclusion_rows[places])
        return chosen

    def exclude(self, exclusion: Exclusion, rows: NDArray[np.int64]) -> None:
        """As a query, exclude some source segments; `rows` are the places in the whole query."""
        self._exclusion, self._exclusion_rows = exclusion, rows

    def exclusion_key(self, segment: int) -> Hashable:
        """Return a key that segments share which exclude the same; None if nothing is excluded."""
        if self._exclusion is None:
            return None
        return self._exclusion.key(int(self._exclusion_rows[segment]))

    def excluded(self, segment: int) -> NDArray[np.bool_] | None:
        """Tell which source segments are no candidates of a segment; None if all may be.

        A retriever asks before it cuts its candidates, so that enough of them remain.
        """
        if self._exclusion is None:
            return None
        key = self.exclusion_key(segment)
        if key != self._excluded[0]:  # neighbours mostly exclude the same
            row = int(self._exclusion_rows[segment])
            self._excluded = key, self._exclusion.of_query(row)
        return self._excluded[1]

    def excluded_pairs(
        self, segment: NDArray[np.integer[Any]], source: NDArray[np.integer[Any]]
    ) -> NDArray[np.bool_]:
        """Tell which pairs of segments and source segments are excluded."""
        if self._exclusion is None:
            return np.zeros(len(segment), np.bool_)
        return self._exclusion.of_pairs(self._exclusion_rows[segment], source)

    def blocks(self, size: int) -> Iterator[PreparedDocument]:
        """Yield blocks of at most `size` segments; a shorter document unchanged."""
        if 0 < len(self) <= size:
            yield self
            return
        for begin in range(0, len(self), size):
            yield self.select(range(begin, min(begin + size, len(self))))

    def part(self, rows: NDArray[np.int64]) -> TextPart:
        """Return some texts with their tokens; other texts need not be tokenised.

        The last part is kept: a classifier and what comes after it look at the same texts.
        """
        if self._part is not None and np.array_equal(self._part[0], rows):
            return self._part[1]
        texts = [self.texts[row] for row in rows.tolist()]
        if self._tokens is not None or len(texts) == len(self):
            return TextPart(texts, _select(self.tokens, rows))
        self._part = rows, TextPart.of(texts)
        return self._part[1]

    def parts(self, size: int) -> Iterator[TextPart]:
        """Yield texts and tokens of at most `size` segments at a time."""
        tokens = self.tokens
        for begin in range(0, len(self), size):
            rows = np.arange(begin, min(begin + size, len(self)))
            yield TextPart(self.texts[begin : begin + size], _select(tokens, rows))


def _select(tokens: TokenTable, rows: NDArray[np.int64]) -> TokenTable:
    lengths = np.diff(tokens.bounds)[rows]
    ends = np.cumsum(lengths)
    places = np.repeat(tokens.bounds[rows] - (ends - lengths), lengths)
    places += np.arange(len(places))
    return TokenTable(
        vocabulary=tokens.vocabulary,
        kinds=tokens.kinds,
        word=tokens.word[places],
        start=tokens.start[places],
        end=tokens.end[places],
        bounds=np.concatenate([[0], ends]).astype(np.int64),
    )
