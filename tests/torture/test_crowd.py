"""Many pages on one document end up knowing the same: the short version of `python -m torture.crowd`."""

from torture import crowd


def test_eight_pages_see_the_same_document_after_a_burst_of_edits() -> None:
    assert [figure.what for figure in crowd.drive(4, 0) if figure.holds is False] == []
