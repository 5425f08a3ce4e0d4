"""Fields that take files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.ui.notices import notify

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from nicegui.events import UploadEventArguments

    from locisimiles.app.ui.translator import Translator

__all__ = ["file_field", "label_file_fields"]

# Quasar puts the file field into a link without a name; make the field itself the button.
_LABEL = """
document.querySelectorAll('.q-uploader').forEach((place) => {
  const field = place.querySelector('input[type=file]');
  if (!field) return;
  field.setAttribute('aria-label', place.querySelector('.q-uploader__title').textContent);
  field.tabIndex = 0;
  const link = field.closest('a');
  ['role', 'tabindex'].forEach((name) => link.removeAttribute(name));
});
"""


def label_file_fields() -> None:
    """Let keyboards and screen readers find the fields of the page that take files."""
    ui.run_javascript(f"requestAnimationFrame(() => {{ {_LABEL} }})")


def file_field(
    t: Translator,
    label: str,
    uploaded: Callable[[UploadEventArguments], Awaitable[None]],
    *,
    largest: int,
    multiple: bool = False,
) -> ui.upload:
    """Create a field that uploads files as soon as they are chosen.

    Its list only loses files whose upload is complete: to reset it would cut off those that are
    still on their way.
    """
    field = ui.upload(
        label=label,
        multiple=multiple,
        auto_upload=True,
        max_file_size=largest,
        on_upload=uploaded,
        on_rejected=lambda: notify(t("too_large"), "negative"),
    )
    field.on("uploaded", lambda: field.run_method("removeUploadedFiles"), args=[])
    field.on("failed", lambda: notify(t("upload_failed"), "negative"), args=[])
    return field
