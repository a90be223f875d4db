"""In a process of its own: a stage opened by usd-core and told in plain arrays.

What a damaged or hostile file does to that library, it does to this process. Nothing here imports the rest of
Inbetweener, so that it starts at once.
"""
