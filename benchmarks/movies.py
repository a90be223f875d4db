"""Every built-in scene as a movie in out/movies, with what it took. `python -m benchmarks.movies [--json]`"""

import time
from pathlib import Path

import inbetweener as ib
from benchmarks.harness import Figure, main
from inbetweener.render import render_movie

FOLDER = Path(__file__).parents[1] / "out" / "movies"


def measure() -> list[Figure]:
    FOLDER.mkdir(parents=True, exist_ok=True)
    figures = []
    for each in ib.examples():
        document = ib.example(each.name)
        started = time.perf_counter()
        render_movie(document, FOLDER / f"{each.name}.mp4")
        seconds = time.perf_counter() - started
        figures.append(Figure(f"{each.name}, frames a second", len(document.clip().frame_times) / seconds, "1/s"))
    return figures


if __name__ == "__main__":
    main("movies", measure)
