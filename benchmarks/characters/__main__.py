"""All of it, one after another; where a file is not opened or a pair is done, that is told beside."""

from benchmarks import retargeting
from benchmarks.characters import handles, recognition, stretch
from benchmarks.harness import Figure, main


def measure() -> list[Figure]:
    """Everything there is to know of characters."""
    return [*recognition.measure(), *stretch.measure(), *handles.measure(), *retargeting.measure()]


if __name__ == "__main__":
    main("characters", measure)
