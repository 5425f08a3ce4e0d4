"""Formulas of the documentation as MathML, which browsers draw without any script.

``$$ … $$`` and ``:math:`…``` (as in docstrings) become MathML.
"""

from __future__ import annotations

import re

from latex2mathml.converter import convert

_DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_INLINE = re.compile(r"(?<![\\$`\w])\$([^$\n`]+)\$(?!\d)")
_CODE = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_ROLE = re.compile(r":math:<code>(.+?)</code>", re.DOTALL)
_DIRECTIVE = re.compile(r"<p>\.\. math::\s*(.+?)</p>", re.DOTALL)


def on_page_markdown(markdown: str, **_: object) -> str:
    """Convert the formulas of a page, but not what looks like one in code."""
    parts, at = [], 0
    for code in _CODE.finditer(markdown):
        parts += [_converted(markdown[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*parts, _converted(markdown[at:])])


def on_page_content(html: str, **_: object) -> str:
    """Convert the formulas of docstrings."""
    html = _DIRECTIVE.sub(lambda found: _display(found[1]), html)
    return _ROLE.sub(lambda found: convert(_plain(found[1])), html)


def _converted(text: str) -> str:
    text = _DISPLAY.sub(lambda found: _display(found[1]), text)
    return _INLINE.sub(lambda found: convert(found[1]), text)


def _display(formula: str) -> str:
    return f"\n\n{convert(_plain(formula).strip(), display='block')}\n\n"


def _plain(html: str) -> str:
    return html.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
