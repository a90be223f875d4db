"""Loose motion: what a simulated state, a shot of them and a solved target cost.

`python -m benchmarks.kinodynamics [--json]`
"""

from benchmarks.harness import Figure, main
from benchmarks.kinodynamics import simulation, soft, solving, windows

PARTS = (simulation.measure, windows.measure, solving.measure, soft.measure)


def measure() -> list[Figure]:
    return [figure for part in PARTS for figure in part()]


if __name__ == "__main__":
    main("kinodynamics", measure)
