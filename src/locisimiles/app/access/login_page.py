"""The login page: it says that a token is needed, and takes it."""

from __future__ import annotations

from html import escape
from string import Template

from locisimiles.messages import Message

__all__ = ["login_page"]

_PAGE = Template("""<!doctype html>
<html lang="$language">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>locisimiles</title>
<style>
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1rem;
  color: #222; background: #fffdf8 }
h1 { color: #7a2e22 }
input, button { font: inherit; padding: .4rem .6rem; border: 1px solid #777; border-radius: .3rem }
input { width: 100%; box-sizing: border-box; margin: .3rem 0 .8rem }
button { color: #fff; background: #7a2e22 }
[role=alert] { color: #a3262e }
@media (prefers-color-scheme: dark) {
  body { color: #eee; background: #1d1d1d } h1 { color: #e0a598 } [role=alert] { color: #ff9a9a }
  input { color: #eee; background: #333 } }
</style>
</head>
<body>
<main>
<h1>locisimiles</h1>
$problem
<p>$explanation</p>
<form method="post" action="/login">
<input type="hidden" name="next" value="$next">
<label for="token">$label</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>$button</button>
</form>
</main>
</body>
</html>
""")


def login_page(language: str, place: str, problem: Message | None = None) -> str:
    """Return the page, which leads to `place` after the login.

    Examples
    --------
    >>> 'value="/project/&lt;a&gt;"' in login_page("en", "/project/<a>")
    True
    """

    def text(name: str) -> str:
        return escape(Message(f"ui.login_{name}").text(language))

    shown = f'<p role="alert">{escape(problem.text(language))}</p>' if problem else ""
    return _PAGE.substitute(
        language=language,
        problem=shown,
        explanation=text("explanation"),
        next=escape(place),
        label=text("token"),
        button=text("button"),
    )
