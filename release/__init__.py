"""What a release consists of, made from a commit: `python -m release` (not in the wheel)."""
