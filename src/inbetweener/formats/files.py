"""Opening and storing files, with one clear line when the system refuses."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from inbetweener.errors import FormatError


@contextmanager
def clear_file_errors(path: Path) -> Iterator[None]:
    """Turn what the operating system says about `path` into a FormatError."""
    if "\0" in str(path):
        raise FormatError(path, "", "not a possible file name")
    try:
        yield
    except FileNotFoundError as error:
        if path.parent.is_dir():
            raise FormatError(path, "", "no such file") from error
        raise FormatError(path, "", f"there is no folder {path.parent}", "make it first") from error
    except IsADirectoryError as error:
        raise FormatError(path, "", "is a folder, not a file") from error
    except PermissionError as error:
        raise FormatError(path, "", "permission denied") from error
    except OSError as error:
        raise FormatError(path, "", error.strerror or str(error)) from error


def file_bytes(path: Path | str) -> bytes:
    """The content of a file."""
    path = Path(path)
    with clear_file_errors(path):
        return path.read_bytes()
