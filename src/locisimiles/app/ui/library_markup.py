"""The list of the library, and texts on their way from it, as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.app.projects.facts import TextFacts
from locisimiles.app.projects.library_list import by_author
from locisimiles.app.ui.text_dialogs import shown_facts
from locisimiles.results.characters import for_html

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from locisimiles.app.projects.additions import TextStatus
    from locisimiles.app.projects.library_list import ListedWork
    from locisimiles.app.ui.translator import Translator

__all__ = ["megabytes", "text_states", "work_list"]


def work_list(works: Sequence[ListedWork], chosen: Mapping[str, str], translate: Translator) -> str:
    """Return works by author, with a box for each work and one for all works of an author."""
    if not works:
        nothing = for_html(translate("library_none"))
        return f"<p>{nothing}</p>"
    groups = []
    authors = by_author(works).items()
    for name, group in sorted(authors, key=lambda one: translate.author(one[1][0].author)):
        items = "".join(_work(work, chosen.get(work.name), translate) for work in group)
        groups.append(f"{_author(name, group, chosen, translate)}<ul>{items}</ul>")
    return f'<div class="library-list">{"".join(groups)}</div>'


def text_states(texts: Sequence[TextStatus], translate: Translator) -> str:
    """Return how far each text is that is being added."""
    items = []
    told: set[str] = set()
    for one in texts:
        state = translate(f"text_{one.state}")
        if one.state == "downloading":
            state = translate.percent(one.received / (one.size or 1))
        elif one.problem is not None:
            # Without internet, all have the same problem; it need not be told sixty times.
            problem = translate.show(one.problem)
            state = state if problem in told else problem
            told.add(problem)
        items.append(
            f'<li class="text-{one.state}">'
            f"{for_html(translate.author_and_work(one.author, one.title))} "
            f'<span class="meta">{for_html(state)}</span></li>'
        )
    return f'<ul class="text-states">{"".join(items)}</ul>'


def megabytes(size: int, translate: Translator) -> str:
    """Return a size in megabytes.

    Examples
    --------
    >>> from locisimiles.app.ui.translator import Translator
    >>> megabytes(459405, Translator("de"))
    '0,5 MB'
    """
    return translate("megabytes", size=translate.number(max(size / 1e6, 0.1), 1))


def _author(
    name: str, works: Sequence[ListedWork], chosen: Mapping[str, str], translate: Translator
) -> str:
    author = f"<strong>{for_html(translate.author(works[0].author))}</strong>"
    open_works = [work for work in works if work.edition.is_available]
    if len(open_works) < 2:  # noqa: PLR2004 - one work has a box of its own
        return f'<h3 class="author">{author}</h3>'
    count = for_html(translate("library_all_works", count=len(open_works)))
    checked = " checked" if all(work.name in chosen for work in open_works) else ""
    return (
        f'<h3 class="author"><label><input type="checkbox" data-do="author" '
        f'data-author="{for_html(name)}"{checked}> {author} <span class="meta">{count}</span>'
        "</label></h3>"
    )


def _work(work: ListedWork, chosen: str | None, translate: Translator) -> str:
    edition = work.edition
    facts = [
        shown_facts(translate, TextFacts(year=work.year)),
        translate(f"genre_{work.genre}"),
        translate("library_editions", count=len(work.editions)) if len(work.editions) > 1 else "",
    ]
    if edition.is_installed:
        state = f'<span class="here-mark">{for_html(translate("library_installed"))}</span>'
    elif edition.can_download:
        state = for_html(megabytes(edition.size, translate))
    else:
        state = for_html(translate("library_copy_only"))
    marks = " checked" if chosen else "" if edition.is_available else " disabled"
    return (
        f'<li class="work"><label><input type="checkbox" data-do="work" '
        f'data-work="{for_html(work.name)}"{marks}> <span lang="la">{for_html(work.title)}</span> '
        f'<span class="meta">{for_html(" · ".join(filter(None, facts)))} · {state}</span></label>'
        f"{_editions(work, chosen, translate)}</li>"
    )


def _editions(work: ListedWork, chosen: str | None, translate: Translator) -> str:
    """Return the choice of an edition; it is shown as long as the work is chosen."""
    available = [one for one in work.editions if one.is_available]
    if len(available) < 2:  # noqa: PLR2004 - nothing to choose
        return "".join(f'<span class="meta">{for_html(one.publisher)}</span>' for one in available)
    wanted = chosen or work.edition.name
    options = "".join(
        f'<option value="{for_html(one.name)}"{" selected" if one.name == wanted else ""}>'
        f"{for_html(_edition(one.publisher, translate, is_installed=one.is_installed))}</option>"
        for one in available
    )
    name = translate.author_and_work(work.author, work.title)
    label = for_html(translate("library_edition", work=name))
    return (
        f'<select data-do="edition" data-work="{for_html(work.name)}" aria-label="{label}">'
        f"{options}</select>"
    )


def _edition(publisher: str, translate: Translator, *, is_installed: bool) -> str:
    return f"{publisher} ({translate('library_installed')})" if is_installed else publisher
