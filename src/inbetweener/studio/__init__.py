"""The Studio: a local server that owns the document, and the page that draws it and asks."""
