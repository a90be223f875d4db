"""Names are text wherever the page shows them: the short version of `python -m torture.names`."""

from collections.abc import Callable
from random import Random

import pytest

from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage
from torture import names


@pytest.mark.thorough
def test_a_hostile_name_is_shown_and_runs_nothing(new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]):
    page, tally = new_page(), names.Tally()
    names.look_at(page, serve("waving"), 0, Random(0), tally)
    assert [figure.what for figure in names.figures(tally) if figure.holds is False] == []
    # Who looks would have seen it; its picture is asked for, and the browser logs that there is none.
    with page.page.expect_console_message(lambda message: "404" in message.text):
        page.page.evaluate("(text) => document.body.insertAdjacentHTML('beforeend', text)", names.HOSTILE[0])
    assert page.page.evaluate(names.SEEN, [])["made"] == 1
    page.complaints.clear()
