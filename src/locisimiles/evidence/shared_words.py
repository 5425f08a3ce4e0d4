"""The words that two segments have in common, whatever their inflection."""

from __future__ import annotations

from dataclasses import dataclass

from locisimiles.latin import STOPWORDS, lemmatize, tokenize

__all__ = ["SharedWords", "shared_words"]

_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SharedWords:
    """What two texts share.

    Attributes
    ----------
    lemmas
        The shared lemmas, in the order of the query. Function words are left out.
    in_query, in_source
        Where they stand, as offsets of first and after-last character.
    """

    lemmas: tuple[str, ...]
    in_query: tuple[_Span, ...]
    in_source: tuple[_Span, ...]


def shared_words(query: str, source: str) -> SharedWords:
    """Find the words that two texts have in common.

    Examples
    --------
    >>> shared = shared_words("Haesit uox faucibus et", "comae et vox faucibus haesit")
    >>> shared.lemmas
    ('haereo', 'uox', 'faux')
    >>> shared.in_source
    ((9, 12), (13, 21), (22, 28))
    """
    in_query, in_source = _words(query), _words(source)
    common = {lemma for lemma, _ in in_query} & {lemma for lemma, _ in in_source}
    return SharedWords(
        lemmas=tuple(dict.fromkeys(lemma for lemma, _ in in_query if lemma in common)),
        in_query=tuple(span for lemma, span in in_query if lemma in common),
        in_source=tuple(span for lemma, span in in_source if lemma in common),
    )


def _words(text: str) -> list[tuple[str, _Span]]:
    tokens = tokenize(text)
    # The same form must have the same lemma on both sides, as in retrieval.
    lemmas = lemmatize([token.text for token in tokens], "fast")
    return [
        (lemma, (token.start, token.end))
        for token, lemma in zip(tokens, lemmas, strict=True)
        if lemma not in STOPWORDS and not lemma.isdigit()
    ]
