"""What was opened or saved lately in a folder; kept in the user's state, and worth nothing when damaged."""

from pathlib import Path

import msgspec

from inbetweener.document.atomic import replace_file

MOST = 12


class Recents:
    """Paths within the folder, the latest first."""

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            self._paths = msgspec.json.decode(file.read_bytes(), type=list[str])[:MOST]
        except (OSError, msgspec.MsgspecError):
            self._paths = []

    @property
    def paths(self) -> tuple[str, ...]:
        """The latest first."""
        return tuple(self._paths)

    def add(self, path: str) -> None:
        """Put a path first."""
        self._paths = [path, *(each for each in self._paths if each != path)][:MOST]
        self._file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self._file, msgspec.json.encode(self._paths))
