"""Words too common to make a parallel, listed by hand.

They are lemmas as returned by `lemmatize`. Content words are not among them, however frequent:
*omnis*, *deus*, *dico*, *facio*, *magnus*.
"""

from __future__ import annotations

__all__ = ["STOPWORDS"]

_PREPOSITIONS = """
    a ab abs absque ad aduersus ante apud circa circum cis citra contra coram cum de e erga ex extra
    in infra inter intra iuxta ob penes per pone post prae praeter pro prope propter secundum sine
    sub subter super supra tenus trans uersus ultra
"""
_CONJUNCTIONS = """
    ac an annon antequam at atque atqui aut autem ceterum cum donec dum dummodo enim enimuero
    equidem ergo et etenim etiam etiamsi etsi iam idcirco ideo igitur itaque licet nam namque ne
    nec necne necnon nempe neque neu neue ni nisi num postquam priusquam proinde quamquam
    quamuis quando quandoquidem quare quasi que quia quin quippe quo quoad quod quominus quomodo
    quoniam quoque sed seu si sicut sicuti sin siquidem siue tamen tametsi tamquam ubi ue uel
    uelut ueluti uero uerum ut uti utrum
"""
_PRONOUNS = """
    aliqui aliquis alius alter ego hic idem ille ipse is iste meus nos noster nullus quicumque
    quidam quilibet quis quispiam quisquam quisque quisquis qui quiuis se sui suus talis tantus
    tu tuus uester uos uterque qualis quantus ullus
"""
_PARTICLES = """
    adeo adhuc admodum alias alibi aliquando aliter deinceps deinde denique eo etiamnunc fere
    forte fortasse forsitan haud hinc hodie huc ibi illic illinc illuc inde interdum interea
    interim ita item iterum magis minus modo mox nimis non nondum nonne numquam nunc nusquam o
    olim omnino paene parum plerumque plus postea potius praeterea prius procul profecto quam
    quantum quidem quondam rursus saepe saltem satis semel semper sic simul solum statim tam
    tandem tantum tot totiens tum tunc ualde uix una unde undique usque utinam utique
"""
_VERBS = "fio inquam possum sum"

STOPWORDS = frozenset(
    lemma
    for kind in (_PREPOSITIONS, _CONJUNCTIONS, _PRONOUNS, _PARTICLES, _VERBS)
    for lemma in kind.split()
)
"""Lemmas of function words, folded (u for v)."""
