"""The Studio in a real browser, driven by a real mouse against a real server."""
