"""The header: what its words may look like, and what is said when they do not make sense."""

from pathlib import Path

import pytest

from inbetweener.errors import FormatError
from inbetweener.formats.bvh.hierarchy import Parsed, parse
from tests.formats.bvh.samples import chain

ROW = [0.0] * 9


def parsed(text: str | bytes) -> Parsed:
    return parse(Path("x.bvh"), text.encode() if isinstance(text, str) else text)


def test_braces_and_keywords_may_share_a_line() -> None:
    text = (
        "HIERARCHY ROOT My Base{OFFSET 1 2 3 CHANNELS 1 Xrotation JOINT b {OFFSET 4 5 6 End Site{OFFSET 7 8 9}}}"
        "\nMOTION\nFrames: 1\nFrame Time: 1\n5\n"
    )
    base, b = parsed(text).nodes
    assert (base.name, base.channels) == ("My Base", ("Xrotation",))
    assert (b.name, b.parent, b.channels, b.ends) == ("b", 0, (), ((7.0, 8.0, 9.0),))


def test_several_roots_and_several_end_sites() -> None:
    one = "ROOT {}\n{{\nOFFSET 0 0 0\nCHANNELS 0\nEnd Site\n{{\nOFFSET 1 0 0\n}}\nEnd Site\n{{\nOFFSET 2 0 0\n}}\n}}\n"
    nodes = parsed("HIERARCHY\n" + one.format("a") + one.format("b")).nodes
    assert [(node.name, node.parent) for node in nodes] == [("a", -1), ("b", -1)]
    assert nodes[1].ends == ((1.0, 0.0, 0.0), (2.0, 0.0, 0.0))


def test_a_chain_of_any_depth() -> None:
    depth = 3000
    text = "HIERARCHY\nROOT j\n{\nOFFSET 0 0 0\n" + "JOINT j\n{\nOFFSET 0 1 0\n" * depth + "}\n" * (depth + 1)
    nodes = parsed(text).nodes
    assert [node.parent for node in nodes] == list(range(-1, depth))


def test_a_byte_order_mark_and_line_ends_of_old_macs() -> None:
    plain = parsed(chain(ROW))
    other = parsed(b"\xef\xbb\xbf" + chain(ROW).replace("\n", "\r").encode())
    assert other.nodes == plain.nodes
    assert other.samples.tolist() == plain.samples.tolist()


def test_names_in_an_older_encoding_stay_apart() -> None:
    read = parsed(chain(ROW, name="Tête").encode("latin-1"))
    assert read.nodes[1].name == "Tête"
    assert read.repairs == ("line 1: names are not UTF-8; read as Latin-1",)


def bent(old: str, new: str) -> str:
    text = chain(ROW)
    assert text.count(old) >= 1
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "line 1", "expected HIERARCHY"),
        (b"\xff\xfeH\x00I\x00", "line 1", "UTF-16"),
        (b"", "", "empty"),
        (b" \r\n\t\n", "", "empty"),
        ("HIERARCHY\n", "line 1", "expected ROOT after HIERARCHY, found the end of the file"),
        ("HIERARCHY\nMOTION\n", "line 2", "expected ROOT"),
        (bent("ROOT", "ROOTS"), "line 2", "'ROOTS'"),
        (bent("OFFSET 0 10 0", "OFFSET 0 10"), "line 9", "OFFSET of joint 'Arm': 'CHANNELS' is not a finite number"),
        (bent("OFFSET 0 10 0", "OFFSET 0 inf 0"), "line 8", "'inf'"),
        (bent("OFFSET 0 10 0", "OFFSET 0 1e300 0"), "line 8", "'1e300'"),
        (bent("OFFSET 0 10 0\n", ""), "line 13", "'Arm' has no OFFSET"),
        (bent("OFFSET 0 10 0", "OFFSET 0 10 0\nOFFSET 0 10 0"), "line 9", "second OFFSET"),
        (bent("CHANNELS 3", "CHANNELS 0\nCHANNELS 3"), "line 10", "second CHANNELS"),
        (bent("CHANNELS 3", "CHANNELS three"), "line 9", "needs a count, found 'three'"),
        (bent("3 Zrotation Xrotation", "3 Zrotation Zrotation"), "line 9", "names a channel twice"),
        (bent("OFFSET 0 5 0", "OFFSET 0 5 0\nCHANNELS 0"), "line 13", "expected } after the End Site"),
        (bent("JOINT", "JOYNT"), "line 6", "'JOYNT'"),
        (bent("MOTION\n", "}\nMOTION\n"), "line 16", "expected ROOT in HIERARCHY, found '}'"),
        (bent("Frames: 1", "Frames: many"), "line 17", "'Frames: many'"),
        (bent("Frames: 1", "Frames: -1"), "line 17", "'Frames: -1'"),
        (bent("Frame Time: 0.04", "Frame Time: quick"), "line 18", "'quick'"),
        (bent("Frame Time: 0.04\n", ""), "line 18", "expected Frame Time"),
    ],
)
def test_errors_name_line_and_element(text: str | bytes, place: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        parsed(text)
    assert caught.value.place == place
    assert words in caught.value.problem
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_blank_lines_are_counted(end: str) -> None:
    text = f"{end} {end}HIERARCHY{end}{end}\t{end}ROOT a{end}{{{end}{end}JOYNT{end}"
    with pytest.raises(FormatError, match=r"line 9: expected .* found 'JOYNT'"):
        parsed(text)


def test_more_joints_than_any_character_has() -> None:
    text = "HIERARCHY\nROOT j\n{\nOFFSET 0 0 0\n" + "JOINT j\n{\nOFFSET 0 1 0\n}\n" * 10_000
    with pytest.raises(FormatError, match="line 40002: there are more than 10000 joints"):
        parsed(text)


def test_a_message_stays_short() -> None:
    with pytest.raises(FormatError) as caught:
        parsed("HIERARCHY ROOT " + "a" * 100_000)
    assert len(str(caught.value)) < 400


def test_more_end_sites_than_make_sense() -> None:
    text = "HIERARCHY\nROOT j\n{\nOFFSET 0 0 0\n" + "End Site { OFFSET 0 1 0 }\n" * 101
    with pytest.raises(FormatError, match="line 105: joint 'j' has more than 100 End Sites"):
        parsed(text)
