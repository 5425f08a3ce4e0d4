"""The agreement of readers as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.results.characters import for_html

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.app.judging.agreement import Agreement, ReaderComparison
    from locisimiles.app.ui.translator import Translator

__all__ = ["agreement_table"]

_HEADS = ("readers", "verdicts", "pairs", "agreed", "kappa")


def agreement_table(comparisons: Iterable[ReaderComparison], translate: Translator) -> str:
    """Return a table with two rows for every two readers: all verdicts, and independent ones."""
    heads = "".join(
        f'<th scope="col">{for_html(translate(f"agreement_{name}"))}</th>' for name in _HEADS
    )
    body = "".join(_rows(one, translate) for one in comparisons)
    label = for_html(translate("agreement"))
    return (
        f'<div class="wide-table" tabindex="0" role="group" aria-label="{label}">'
        f'<table class="agreement"><thead><tr>{heads}</tr></thead>{body}</table></div>'
    )


def _rows(comparison: ReaderComparison, translate: Translator) -> str:
    names = " – ".join(name or translate("nameless") for name in comparison.of_all.readers)
    name = f'<th scope="rowgroup" rowspan="2">{for_html(names)}</th>'
    every = _cells("agreement_all", comparison.of_all, translate)
    independent = _cells("agreement_independent", comparison.of_independent, translate)
    return f"<tbody><tr>{name}{every}</tr><tr>{independent}</tr></tbody>"


def _cells(kind: str, found: Agreement, translate: Translator) -> str:
    agreed = translate.number(found.agreed)
    if found.pairs:
        agreed += f" ({translate.percent(found.agreed / found.pairs)})"
    cells = (translate.number(found.pairs), agreed, _kappa(found, translate))
    return f'<th scope="row">{for_html(translate(kind))}</th>' + "".join(
        f"<td>{for_html(cell)}</td>" for cell in cells
    )


def _kappa(found: Agreement, translate: Translator) -> str:
    """Return κ with its interval; a dash where it is undefined."""
    if found.kappa is None or found.low is None or found.high is None:
        return "–"
    value, low, high = (translate.number(float(k)) for k in (found.kappa, found.low, found.high))
    return translate("agreement_value", value=value, low=low, high=high)
