"""How an author alters borrowed words: other forms, other words."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Mapping, Sequence

    from locisimiles.models.vectors import WordVectors

__all__ = ["WordChoices", "nearest_lemmas", "synonyms_by_sense"]

_LEAST_SIMILAR = 0.55
_BLOCK = 2048
_MOST_FORMS = 40


@dataclass(frozen=True, slots=True)
class WordChoices:
    """The forms and synonyms of words.

    Attributes
    ----------
    lemma
        The lemma of each form.
    forms
        The forms of each lemma that occur in texts, the most frequent first.
    synonyms
        The synonyms of each lemma, as lemmas.

    Examples
    --------
    >>> choices = WordChoices.from_words(
    ...     ["regis", "rex", "regis", "tyrannus", "tyranni"],
    ...     {"regis": "rex", "rex": "rex", "tyrannus": "tyrannus", "tyranni": "tyrannus"},
    ...     {"rex": ["tyrannus"]},
    ... )
    >>> choices.forms["rex"]
    ('regis', 'rex')
    >>> import random
    >>> choices.synonym("regis", random.Random(1)) in ("tyrannus", "tyranni")
    True
    """

    lemma: Mapping[str, str]
    forms: Mapping[str, tuple[str, ...]]
    synonyms: Mapping[str, Sequence[str]]

    @classmethod
    def from_words(
        cls,
        words: Iterable[str],
        lemma: Mapping[str, str],
        synonyms: Mapping[str, Sequence[str]],
    ) -> WordChoices:
        """Collect the forms that occur in texts."""
        forms: defaultdict[str, list[str]] = defaultdict(list)
        for form, _ in sorted(Counter(words).items(), key=lambda item: (-item[1], item[0])):
            forms[lemma[form]].append(form)
        kept = {name: tuple(listed[:_MOST_FORMS]) for name, listed in forms.items()}
        return cls(lemma, kept, synonyms)

    def inflected(self, form: str, rng: random.Random) -> str:
        """Return another form of the same lemma, if there is one."""
        others = [other for other in self.forms.get(self.lemma[form], ()) if other != form]
        return rng.choice(others) if others else form

    def synonym(self, form: str, rng: random.Random) -> str:
        """Return a form of a synonym, if possible with the same ending; else the form itself."""
        names = [name for name in self.synonyms.get(self.lemma[form], ()) if name in self.forms]
        if not names:
            return form
        forms = self.forms[rng.choice(names)]
        alike = [other for other in forms if other[-2:] == form[-2:]]
        return rng.choice(alike or forms)


def nearest_lemmas(
    vectors: WordVectors, lemmas: Sequence[str], most: int = 8
) -> dict[str, list[str]]:
    """Return for each lemma up to `most` others with similar vectors."""
    known = [lemma for lemma in lemmas if lemma in vectors]
    most = min(most, max(len(known) - 1, 0))
    rows = vectors.unit(known, use_subwords=False)
    near: dict[str, list[str]] = {}
    for begin in range(0, len(known), _BLOCK):
        similar = rows[begin : begin + _BLOCK] @ rows.T
        similar[np.arange(len(similar)), np.arange(begin, begin + len(similar))] = -1
        order = np.argpartition(-similar, most, axis=1)[:, :most] if most else similar[:, :0]
        for row, places in enumerate(order.astype(np.int64)):
            kept = [known[at] for at in sorted(places) if similar[row, at] >= _LEAST_SIMILAR]
            if kept:
                near[known[begin + row]] = kept
    return near


def synonyms_by_sense(senses: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return for each lemma those that share a sense with it; `senses` pairs senses and lemmas.

    Examples
    --------
    >>> synonyms_by_sense([("n#1", "rex"), ("n#1", "tyrannus"), ("n#2", "rex")])
    {'rex': ['tyrannus'], 'tyrannus': ['rex']}
    """
    members: defaultdict[str, set[str]] = defaultdict(set)
    for sense, lemma in senses:
        members[sense].add(lemma)
    synonyms: defaultdict[str, set[str]] = defaultdict(set)
    for lemmas in members.values():
        for lemma in lemmas:
            synonyms[lemma] |= lemmas - {lemma}
    return {lemma: sorted(others) for lemma, others in sorted(synonyms.items()) if others}
