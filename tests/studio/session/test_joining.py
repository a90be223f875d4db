"""A page that joins is told everything, also what is measured, even if its first message takes a while to leave."""

from threading import Event

import inbetweener as ib
from tests.studio.pages import PATIENCE, PageForTests, session_of


def _wait_for_measuring(page: PageForTests) -> None:
    measured, told = Event(), Event()
    page.session.obstacles.measurer.submit(measured.set)
    assert measured.wait(PATIENCE)
    page.session.worker.at_leisure("after what was measured", told.set)
    assert told.wait(PATIENCE)


def test_every_page_is_told_of_the_obstacles() -> None:
    session = session_of(ib.example("flying-robot"))
    try:
        # The welcome is still under way when the rest would follow, so the document is shown a little later. One page
        # after the other: what is measured for the second would be told to the first as well.
        for _ in range(2):
            page = PageForTests(session)
            page.flush()
            _wait_for_measuring(page)
            assert page.known.clip is not None
            assert page.known.obstacles is not None
            hit = [item["name"] for item in page.known.obstacles["items"] if item["frames"]]
            assert len(hit) == 3
    finally:
        session.stop()
