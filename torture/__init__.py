"""What keeps the Studio reliable, as drivers that count: each runs alone, takes a count and a seed, and prints figures.

`python -m torture` runs them all. The tests run the same drivers with small counts.
"""
