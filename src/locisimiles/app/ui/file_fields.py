"""Fields that take files."""

from __future__ import annotations

from nicegui import ui

__all__ = ["label_file_fields"]

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
