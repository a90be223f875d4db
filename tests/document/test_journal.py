"""What was recorded comes back, whatever happened to the end of the file."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.document import History, JournalError, read_journal
from inbetweener.document.journal import Journal
from inbetweener.errors import FormatError
from tests.document.puppet import puppet
from tests.document.random_edits import edited


def recorded(path: Path, seeds: list[int | str], limit: int = 500, **options: int) -> list[History]:
    """A closed journal of edits (numbers), undos and redos, and the history after each of them."""
    history = History.of(puppet(), limit=limit)
    journal = Journal.create(path, history, **options)
    states = [history]
    for seed in seeds:
        history = take(journal, history, seed)
        states.append(history)
    journal.close()
    return states


def take(journal: Journal, history: History, seed: int | str) -> History:
    if journal.wants_rewriting:
        journal.rewrite(history)
    if seed == "undo":
        if history.undo_label is None:
            return history
        journal.undo()
        return history.undone()
    if seed == "redo":
        if history.redo_label is None:
            return history
        journal.redo()
        return history.redone()
    after = edited(history.document, int(seed))
    journal.do(f"Edit {seed}", history.document, after)
    return history.done(f"Edit {seed}", after)


# Seeds differ, because two edits of the same seed would make the same new name.
steps = st.lists(st.sampled_from(["do", "do", "undo", "redo"]), max_size=15).map(
    lambda kinds: [number if kind == "do" else kind for number, kind in enumerate(kinds)]
)


@given(steps, st.integers(1, 8), st.sampled_from([1, 1 << 20]))
def test_a_recovered_history_is_the_recorded_one(seeds: list[int | str], limit: int, smallest_outgrown: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal"
        states = recorded(path, seeds, limit, smallest_outgrown=smallest_outgrown)
        recovery = read_journal(path)
        assert recovery.history == states[-1]
        assert recovery.dropped_bytes == 0
        assert recovery.kept_bytes == path.stat().st_size


def test_a_journal_can_be_continued(tmp_path: Path) -> None:
    *_, history = recorded(tmp_path / "journal", [1, 2, "undo"])
    journal, recovery = Journal.recover(tmp_path / "journal")
    assert recovery.history == history
    history = take(journal, history, 3)
    journal.close()
    assert read_journal(tmp_path / "journal").history == history


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize("last", [5, "undo"])
def test_cut_at_every_byte_of_the_last_record(tmp_path: Path, last: int | str) -> None:
    path = tmp_path / "journal"
    states = recorded(path, [1, 2, last])
    content, torn = path.read_bytes(), len(lines_of(path)[-1])
    for missing in range(1, torn + 1):
        path.write_bytes(content[:-missing])
        recovery = read_journal(path)
        assert recovery.history == states[-2]
        assert recovery.dropped_bytes == torn - missing


def test_any_changed_byte_ends_the_history_there(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    states = recorded(path, [1, 2, "undo", "redo", 3])
    lines = lines_of(path)
    content = b"".join(lines)
    start = len(lines[0])
    for place in range(start, len(content), 3):
        for flip in (0x01, 0x80):
            path.write_bytes(content[:place] + bytes([content[place] ^ flip]) + content[place + 1 :])
            recovery = read_journal(path)
            # The record that holds the byte, counted from the document at the beginning.
            hit = sum(place >= sum(map(len, lines[:n])) for n in range(1, len(lines)))
            assert recovery.history == states[hit - 1]
            assert recovery.kept_bytes == sum(map(len, lines[:hit]))


@pytest.mark.parametrize(
    "tail", [b"\0" * 4096, b"0000000f", b"ffffffff 00000000 {", b"\n\n", b"00000002 00000000 {}\n"]
)
def test_rubbish_behind_the_end_is_dropped_and_the_journal_goes_on(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "journal"
    *_, history = recorded(path, [1, 2])
    with path.open("ab") as file:
        file.write(tail)
    journal, recovery = Journal.recover(path)
    assert (recovery.history, recovery.dropped_bytes) == (history, len(tail))
    history = take(journal, history, 3)
    journal.close()
    again = read_journal(path)
    assert (again.history, again.dropped_bytes) == (history, 0)


def test_what_a_kill_left_while_rewriting_is_cleared_away(tmp_path: Path) -> None:
    recorded(tmp_path / "journal", [1])
    (tmp_path / ".journal.0123abcd.saving").touch()
    (tmp_path / ".other.0123abcd.saving").touch()
    Journal.recover(tmp_path / "journal")[0].close()
    assert {file.name for file in tmp_path.iterdir()} == {"journal", "journal.lock", ".other.0123abcd.saving"}


def test_a_record_counts_only_where_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    states = recorded(path, [1, 2, "undo"])
    first, second, third, undo = lines_of(path)
    path.write_bytes(first + third + second + undo)
    assert read_journal(path).history == states[0]
    path.write_bytes(first + second + third + undo + undo)
    assert read_journal(path).history == states[3]


def test_a_journal_that_outgrows_its_document_is_rewritten(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    history = History.of(puppet(), limit=5)
    journal = Journal.create(path, history, smallest_outgrown=1)
    longest = 0
    for seed in range(300):
        history = take(journal, history, seed)
        longest = max(longest, path.stat().st_size)
    journal.close()
    fresh = tmp_path / "fresh"
    Journal.create(fresh, history).close()
    assert read_journal(path).history == history
    assert longest < 12 * fresh.stat().st_size
    assert not [file for file in tmp_path.iterdir() if file.suffix == ".saving"]


DAMAGED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda _: b"", "byte 0: this is no journal"),
    "another file": (lambda _: b"HIERARCHY\n", "byte 0: this is no journal"),
    "a damaged beginning": (lambda c: c.replace(b"puppet", b"puppit", 1), "byte 0: this is no journal"),
    "a wrong length": (lambda c: b"ffffffff" + c[8:], "byte 0: this is no journal"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_without_its_document_a_journal_is_lost_and_says_so(tmp_path: Path, case: str) -> None:
    damage, message = DAMAGED[case]
    path = tmp_path / "journal"
    recorded(path, [1])
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(FormatError, match=message):
        read_journal(path)
    with pytest.raises(FormatError, match=message):
        Journal.recover(path)
    assert path.exists()


def framed(payload: bytes, before: int = 0) -> bytes:
    """A record that checks out, whatever it says."""
    length = b"%08x" % len(payload)
    return b"%s %08x %s\n" % (length, crc32(payload, crc32(length, before)), payload)


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        (b'{"format":"inbetweener-journal","version":2}', "newer"),
        (b'{"format":"inbetweener","version":1}', "another kind"),
        (b"[]", "expected object"),
        (b'{"format":"inbetweener-journal","version":1}', "missing required field"),
    ],
)
def test_a_beginning_that_says_something_else(tmp_path: Path, payload: bytes, message: str) -> None:
    (tmp_path / "journal").write_bytes(framed(payload))
    with pytest.raises(FormatError, match=f"first record.*{message}"):
        read_journal(tmp_path / "journal")


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        (b'{"kind":"jump"}', "invalid enum value"),
        (b'{"kind":"do"}', "without label or change"),
        (b'{"kind":"undo"}', "nothing to undo"),
        (b'{"kind":"do","label":"x","change":{"clips":[7]}}', r"clips\[0\]: there was no part 7"),
        (b'{"kind":"do","label":"x","change":{"clips":[{"of":0,"rate":0}]}}', "must be positive"),
        (b'{"kind":"do","label":"x","change":{"clips":[{"of":0,"curves":{"a":5}}]}}', r'curves\["a"\]: expected array'),
    ],
)
def test_a_record_that_checks_out_but_makes_no_sense_is_an_error(tmp_path: Path, payload: bytes, message: str) -> None:
    """Not torn: somebody wrote it so, and dropping it in silence would lose work."""
    path = tmp_path / "journal"
    recorded(path, [])
    content = path.read_bytes()
    path.write_bytes(content + framed(payload, int(content[9:17], 16)))
    with pytest.raises(FormatError, match=f"record at byte {len(content) + 18}.*{message}"):
        read_journal(path)


def test_an_existing_journal_is_not_overwritten(tmp_path: Path) -> None:
    *_, history = recorded(tmp_path / "journal", [1])
    with pytest.raises(JournalError, match="already exists; recover it, or delete it"):
        Journal.create(tmp_path / "journal", history)
    assert read_journal(tmp_path / "journal").history == history


def test_no_such_journal(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no such journal"):
        Journal.recover(tmp_path / "journal")
    with pytest.raises(FormatError, match="cannot be read: No such file"):
        read_journal(tmp_path / "journal")
    with pytest.raises(JournalError, match="cannot be locked: No such file or directory"):
        Journal.create(tmp_path / "nowhere" / "journal", History.of(puppet()))
