"""Enclitics: *-que*, *-ne*, *-ve*, *-cum* and *-st*, and the words that only look like them.

The letters of *quoque* do not tell whether it is *quo* + *que*. Treebanks separate enclitics, so a
form that they contain is a whole word. Two lists name the words that are never split, and those
that always are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["ALWAYS_SPLIT", "ENCLITIC_LEMMAS", "NEVER_SPLIT", "WITH_CUM", "Split", "split_enclitic"]

NEVER_SPLIT = frozenset(
    """
    absque abusque acque adaeque adusque aeque antique atque circumquaque coaeque coque cuicumque
    cuique cuiuscumque cuiusque cumque denique donique eousque hucusque inique inoblique itaque
    namque neque oblique peraeque pleramque pleraque plerarumque plerasque plerique plerisque
    pleroque plerorumque plerosque plerumque plerusque propinque quacumque quaecumque quaeque
    qualiscumque quamcumque quamque quandocumque quandoque quantuscumque quaque quarumcumque
    quascumque quasque quemcumque quemque quibuscumque quibusque quicque quicumque quidque quinque
    quisque quocque quocumque quodcumque quodque quoque quorumcumque quorumque quoscumque quosque
    quotienscumque quotusquisque quousque susque torque ubicumque ubique unaquaeque undecumque
    undique unicuique uniuscuiusque unumquemque unumquodque unusquisque usque utcumque uterque
    utique utramque utraque utrarumque utrasque utrimque utrique utrisque utriusque utrobique
    utroque utrosque utrumque

    abdomine agmine altitudine amne anne bene bitumine cacumine cardine carmine certamine commune
    condicione crimine crine discrimine examine fine flumine foramine fortitudine fragmine fulmine
    germine gramine grandine grauamine hirundine homine igne imagine immane inane insigne iuuene
    legione lene leone libidine limine lumine magnitudine mane margine medicamine molimine
    multitudine munimine natione ne necne nemine nomine nonne numine omne opinione oratione ordine
    origine perenne plane pone praecone pulchritudine pulmone ratione regione religione sane
    sanguine segne semine sermone sine tegmine turbine tutamine uane uelamine uimine uirgine
    uolumine

    aue boue breue caue ciue graue lasciue leue naue neue niue noue oue praue saeue salue siue
    solue suaue uiue uolue

    abest adest ast deest est inest interest obest post potest praeest prodest subest superest
    """.split()
)
"""Folded words that end like an enclitic but have none."""

ALWAYS_SPLIT = frozenset(["aque", "deque", "egone", "inque", "mihiue", "sibiue", "tibiue"])
"""Folded words that have an enclitic, though a rarer word is spelled the same."""

ENCLITIC_LEMMAS = {"que": "que", "ne": "ne", "ue": "ue", "cum": "cum", "st": "sum", "t": "sum"}
"""Enclitics and their lemmas; *t* is the end of *factust*."""

WITH_CUM = frozenset(
    ["mecum", "tecum", "secum", "nobiscum", "uobiscum", "quocum", "quacum", "quicum", "quibuscum"]
)
"""Pronouns followed by *cum*."""

_SHORTEST_HOST = 2
_VOWELS = frozenset("aeiou")
# Whole words, not enclitics: *oratione* is an ablative, *positiue* an adverb.
_LOOKS_INFLECTED = {"ne": "o", "ue": "i"}


class Split(NamedTuple):
    """A word without its enclitic, and the enclitic as written."""

    form: str
    enclitic: str


def split_enclitic(form: str, is_form: Callable[[str], bool]) -> Split | None:
    """Split the enclitic from a folded word; None if it has none.

    `is_form` returns whether treebanks contain a folded word.

    Examples
    --------
    >>> known = {"uirum", "arma", "quo", "tantae", "factum", "factus"}.__contains__
    >>> split_enclitic("uirumque", known), split_enclitic("tantaene", known)
    (Split(form='uirum', enclitic='que'), Split(form='tantae', enclitic='ne'))
    >>> split_enclitic("factumst", known), split_enclitic("nobiscum", known)
    (Split(form='factum', enclitic='st'), Split(form='nobis', enclitic='cum'))
    >>> split_enclitic("quoque", known) is None
    True
    """
    if form in WITH_CUM:
        return Split(form[:-3], "cum")
    if form not in ALWAYS_SPLIT and (form in NEVER_SPLIT or is_form(form)):
        return None
    for enclitic in ("que", "ne", "ue"):
        host = form.removesuffix(enclitic)
        if host != form and _is_host(host, enclitic, is_form):
            return Split(host, enclitic)
    return _split_est(form, is_form)


def _is_host(host: str, enclitic: str, is_form: Callable[[str], bool]) -> bool:
    if host + enclitic in ALWAYS_SPLIT:
        return True
    if len(host) < _SHORTEST_HOST:
        return False
    if enclitic == "que":
        # Only the words above end in -que without an enclitic, so the host need not be known.
        return not _VOWELS.isdisjoint(host)
    return not host.endswith(_LOOKS_INFLECTED[enclitic]) and is_form(host)


def _split_est(form: str, is_form: Callable[[str], bool]) -> Split | None:
    """Split *factumst* and *factust*."""
    if form.endswith("st"):
        # *factust* is *factus est*, not *factu est*; but *bonast* is *bona est*.
        for enclitic in ("t", "st") if form.endswith("ust") else ("st", "t"):
            host = form.removesuffix(enclitic)
            if len(host) > _SHORTEST_HOST and is_form(host):
                return Split(host, enclitic)
    return None
