"""The filters, in a drawer beside the results that they narrow."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nicegui import ui

from locisimiles.app.results import ABOUT_OTHERS, ONCE, STATUSES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from locisimiles.app.results import ResultFilter
    from locisimiles.app.ui.translator import Translator

__all__ = ["CHOICES", "NUMBERS", "FilterPanel"]

CHOICES = (
    "source_author",
    "source_work",
    "query_author",
    "query_work",
    "type",
    "status",
    "parallels",
)
"""Filters with options, in the order of the drawer."""

NUMBERS: dict[str, tuple[type, str]] = {
    "least_probability": (float, "step=0.05 min=0 max=1"),
    "least_score": (float, "step=any"),
    "best": (int, "step=1 min=1"),
    "most_rarity": (int, "step=1 min=1"),
}
"""Filters with a number: its kind, and the limits of its field."""

_ALWAYS = ("best", "most_rarity")
_MOST_WITHOUT_TYPING = 12
_UNKNOWN = "\u2400"  # offered for authors and works without a name


class FilterPanel:
    """A drawer with a field for each filter that fits the results."""

    def __init__(self, translate: Translator, changed: Callable[[str, object], None]) -> None:
        self._t, self._tell = translate, changed
        self._silent = False
        self._fields: dict[str, Any] = {}
        with (
            ui.dialog().props("position=right").classes("filter-dialog") as self._dialog,
            ui.card().classes("filter-drawer"),
        ):
            self._dialog.props["aria-label"] = translate("filters")
            with ui.row().classes("w-full items-center no-wrap"):
                heading = ui.label(translate("filters")).classes("subtitle grow")
                heading.props('role="heading" aria-level="2"')
                close = ui.button(icon="close", on_click=self._dialog.close)
                close.props("flat round dense").props["aria-label"] = translate("close")
            self._place = ui.column().classes("w-full filter-fields")
            self._count = ui.label().classes("meta").props('role="status"')

    @property
    def names(self) -> set[str]:
        """The filters that have a field."""
        return set(self._fields)

    def open(self) -> None:
        """Show the drawer."""
        self._dialog.open()

    def fill(
        self, options: Mapping[str, Sequence[str]], *, probabilities: bool, blind: bool
    ) -> None:
        """Offer the filters that fit the results, and these authors and works.

        What other readers say is no filter for those who read blind.
        """
        self._place.clear()
        self._fields = {}
        with self._place:
            for name in CHOICES:
                if name != "type" or probabilities:
                    hidden = ABOUT_OTHERS if blind else ()
                    self._choice(name, options.get(name, ()), hidden)
            for name, (_, props) in NUMBERS.items():
                # The score of a pair with a probability is the probability.
                if (name == "least_score") != probabilities or name in _ALWAYS:
                    self._field(name, ui.number(self._t(name)).props(f"debounce=200 {props}"))

    def offer(self, options: Mapping[str, Sequence[str]]) -> None:
        """Offer more authors and works, which a running search has found; fields stay open."""
        with self._quietly():
            for name, found in options.items():
                field = self._fields[name]
                field.set_options(self._named(name, found), value=field.value)

    def _named(self, name: str, found: Sequence[str]) -> dict[str, str]:
        """Return the authors or works of a field as readers know them, in their order."""
        shown = self._t.author if name.endswith("_author") else str
        named = {value or _UNKNOWN: shown(value) or self._t("unknown") for value in found}
        return dict(sorted(named.items(), key=lambda one: one[1].casefold()))

    def show(self, wanted: ResultFilter, count: str) -> None:
        """Show the filters as they are, and the number of pairs that meet them."""
        with self._quietly():
            for name, field in self._fields.items():
                value = getattr(wanted, name)
                field.set_value(_UNKNOWN if value == "" else value)
        self._count.set_text(count)

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        self._silent = True
        try:
            yield
        finally:
            self._silent = False

    def _choice(self, name: str, found: Sequence[str], hidden: Sequence[str]) -> None:
        t = self._t
        if name == "status":
            offered = [status for status in STATUSES if status not in hidden]
            options = {status: t(f"status_{status.rstrip('.')}") for status in offered}
        elif name == "parallels":
            options = {ONCE: t("parallels_once")}
        elif name == "type":
            options = {"cit.": "cit.", "cf.": "cf."}
        else:
            options = self._named(name, found)
        field = ui.select(
            options, label=t(f"filter_{name}"), with_input=len(options) > _MOST_WITHOUT_TYPING
        )
        self._field(name, field.props("options-dense"))

    def _field(self, name: str, field: Any) -> None:  # noqa: ANN401 - any element with a value
        field.props("dense outlined clearable").classes("filter w-full")
        field.on_value_change(lambda e: self._changed(name, e.value))
        self._fields[name] = field

    def _changed(self, name: str, value: object) -> None:
        if self._silent:
            return
        if value in (None, ""):
            self._tell(name, None)
        elif name in NUMBERS:
            self._tell(name, NUMBERS[name][0](value))
        else:
            self._tell(name, "" if value == _UNKNOWN else value)
