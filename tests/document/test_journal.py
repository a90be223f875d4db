"""What was recorded comes back, whatever happened to the end of the file."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.curves import Curve
from inbetweener.document import History, JournalError, edits, read_journal
from inbetweener.document.journal import LOST, Journal
from inbetweener.errors import FormatError
from inbetweener.motion import Clip
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


def test_any_changed_byte_costs_its_own_step_and_nothing_is_told_that_was_not(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    states = recorded(path, [1, 2, 4, 5, 3])
    lines = lines_of(path)
    content = b"".join(lines)
    start = len(lines[0])
    whole = [step.document for step in states[-1].steps]
    for place in range(start, len(content), 3):
        for flip in (0x01, 0x80):
            path.write_bytes(content[:place] + bytes([content[place] ^ flip]) + content[place + 1 :])
            recovery = read_journal(path)
            # The record that holds the byte, counted from the document at the beginning.
            hit = sum(place >= sum(map(len, lines[:n])) for n in range(1, len(lines)))
            if place == sum(map(len, lines[: hit + 1])) - 1:
                # Only the line's end was hit: where nothing is missing, nothing is lost.
                assert recovery.lost == 0
                assert recovery.history == states[-1]
                continue
            steps = recovery.history.steps
            assert len(steps) >= len(states)
            assert [step.document for step in steps[:hit]] == whole[:hit]
            assert steps[hit].label == LOST
            assert 1 <= recovery.lost <= len(lines) - hit + 1
            assert recovery.kept_bytes + recovery.dropped_bytes == len(content)
            # Every later step is done as it was recorded, or stands there as lost.
            assert {step.label for step in steps[hit:]} <= {LOST, *(f"Edit {seed}" for seed in (1, 2, 4, 5, 3))}


def renamed(path: Path, count: int) -> list[bytes]:
    """The lines of a journal of `count` steps, each on a clip of its own."""
    history = History.of(puppet())
    journal = Journal.create(path, history)
    for n in range(count):
        after = edits.set_curves(history.document, "rest", {f"hips.t{'xyz'[n % 3]}": Curve.constant(float(n))})
        journal.do(f"Step {n}", history.document, after)
        history = history.done(f"Step {n}", after)
    journal.close()
    return lines_of(path)


@pytest.mark.parametrize(("byte", "flip"), [(30, 1), (12, 1), (3, 1), (40, 0x80), (8, 4)])
def test_one_flipped_bit_among_forty_steps_costs_one(tmp_path: Path, byte: int, flip: int) -> None:
    path = tmp_path / "work.journal"
    lines = renamed(path, 40)
    content = bytearray(b"".join(lines))
    content[sum(map(len, lines[:11])) + byte] ^= flip
    path.write_bytes(content)
    journal, recovery = Journal.recover(path)
    assert (len(recovery.history.steps), recovery.lost) == (41, 1)
    assert [n for n, step in enumerate(recovery.history.steps) if step.label == LOST] == [11]
    # Step 10 set what step 13 set again, so that in the end nothing is missing.
    assert [recovery.history.document.clip("rest").curves[f"hips.t{a}"].values[0] for a in "xyz"] == [39.0, 37.0, 38.0]
    # The damaged file lies aside, to the byte, and the journal goes on.
    assert recovery.aside == tmp_path / "work.damaged"
    assert recovery.aside.read_bytes() == content
    history = take(journal, recovery.history, 5)
    journal.close()
    again = read_journal(path)
    assert (again.history, again.lost, again.dropped_bytes) == (history, 0, 0)


def test_a_second_damage_is_kept_beside_the_first(tmp_path: Path) -> None:
    path = tmp_path / "work.journal"
    for _ in range(2):
        path.unlink(missing_ok=True)
        lines = renamed(path, 3)
        path.write_bytes(lines[0] + b"rubbish\n" + lines[2] + lines[3])
        Journal.recover(path)[0].close()
    assert {p.name for p in tmp_path.iterdir()} == {
        "work.journal", "work.journal.lock", "work.damaged", "work 2.damaged",
    }  # fmt: skip


def test_what_was_recorded_upon_a_lost_step_is_lost_with_it(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    history = History.of(puppet())
    journal = Journal.create(path, history)
    for label, edit in (
        ("New clip", lambda d: edits.add_clip(d, Clip("new", 1.0))),
        ("Into it", lambda d: edits.set_curves(d, "new", {"hips.tx": Curve.constant(1.0)})),
        ("Elsewhere", lambda d: edits.rename_document(d, "renamed")),
    ):
        after = edit(history.document)
        journal.do(label, history.document, after)
        history = history.done(label, after)
    journal.undo()
    journal.close()
    lines = lines_of(path)
    path.write_bytes(lines[0] + lines[1].replace(b"New clip", b"New klip") + b"".join(lines[2:]))
    recovery = read_journal(path)
    assert recovery.lost == 2
    assert [step.label for step in recovery.history.steps][1:] == [LOST, LOST, "Elsewhere"]
    assert recovery.history.at == 2
    assert recovery.history.document == puppet()
    assert recovery.history.redone().document == replace(puppet(), name="renamed")


@pytest.mark.parametrize("tail", [b"\0" * 4096, b"0000000f", b"ffffffff 00000000 {", b"\n\n"])
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
    swapped = read_journal(path)
    assert swapped.lost >= 2
    assert all(step.document in (states[0].document, states[1].document) for step in swapped.history.steps)
    path.write_bytes(first + second + third + undo + undo)
    doubled = read_journal(path)
    assert doubled.lost == 1
    assert doubled.history.document == states[3].document


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
