"""Motion from body to body."""
