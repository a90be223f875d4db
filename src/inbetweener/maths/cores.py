"""How many cores matrices may use."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_core() -> Iterator[None]:
    """Within, BLAS and LAPACK work on the core that calls them.

    Many small matrices are sooner done so than shared out; where others are at work as well, threads that wait for
    each other spin many times as long as the sum takes.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, "blas"):
        yield
