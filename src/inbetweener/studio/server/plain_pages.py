"""Pages for when there is no Studio to show: refused, gone, not built."""

from html import escape

from starlette.responses import HTMLResponse

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title} · Inbetweener</title>
<style>
  body {{ margin: 18vh auto; max-width: 34rem; padding: 0 1.5rem; font: 16px/1.6 system-ui, sans-serif;
         background: #16181d; color: #d9dce3 }}
  h1 {{ font-size: 1.25rem; font-weight: 600 }}
  code {{ padding: .1em .35em; border-radius: 4px; background: #262a33 }}
</style>
<h1>{title}</h1>
<p>{text}</p>
</html>
"""


def plain_page(status: int, title: str, text: str, *, markup: bool = False) -> HTMLResponse:
    """A page that says one thing; `text` is escaped unless it is our own markup."""
    body = _PAGE.format(title=escape(title), text=text if markup else escape(text))
    return HTMLResponse(body, status, headers={"cache-control": "no-store"})


def refused(why: str) -> HTMLResponse:
    """Who may not come in, and how to."""
    remedy = (
        "Open the address that the terminal shows; it works once. For a fresh one, run "
        "<code>inbetweener studio</code> again on the same folder."
    )
    return plain_page(403, "This Studio does not know you", f"{escape(why)} {remedy}", markup=True)


def not_built() -> HTMLResponse:
    """The Python side runs, but the page was never built."""
    text = (
        "The server runs, but its page has not been built. In a checkout, run <code>make run</code>, or "
        "<code>npm ci</code> and <code>npm run build</code> in <code>web/</code>; an installed package brings the page."
    )
    return plain_page(503, "The page is not built", text, markup=True)
