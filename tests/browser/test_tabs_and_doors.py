"""Who may come in, and what a second tab sees."""

from collections.abc import Callable

import pytest

from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage


def test_a_wrong_token_is_told_what_to_do(new_page: Callable[[], StudioPage], robot: Studio):
    page = new_page()
    answer = page.page.goto(f"{robot.address}?token=guessed")
    assert answer is not None
    assert answer.status == 403
    assert "terminal" in page.page.inner_text("body")
    assert page.value("window.inbetweener === undefined")
    page.complaints.clear()  # the browser logs the refusal


def test_a_second_tab_sees_the_same_document_as_it_changes(
    page: StudioPage, new_page: Callable[[], StudioPage], robot: Studio
):
    other = new_page()
    other.page.goto(f"{robot.address}?aa=0")
    other.ready()
    page.select("body")
    x, y = page.tick(36)
    page.drag((x, y), (x, y + 60), release=False)
    other.until("inbetweener.model.changed.value?.kind === 'preview'")
    other.run("void inbetweener.model.ask({ type: 'insert-keys', channels: ['body.ty'], time: 0.5 })")
    other.until("inbetweener.model.notices.items.value.some((each) => each.text.includes('under way'))")
    page.page.mouse.up()
    for each in (page, other):
        each.wait_for_steps(1)
    assert other.labels() == page.labels()
    other.press("Control+z")
    page.wait_for_steps(0)


def test_another_site_cannot_open_the_socket(new_page: Callable[[], StudioPage], page: StudioPage, robot: Studio):
    """Even in a browser that has the cookie, a page of another origin is refused."""
    foreign = new_page()
    foreign.page.route(
        "http://elsewhere.test/", lambda route: route.fulfill(body="<p>hello</p>", content_type="text/html")
    )
    foreign.page.goto("http://elsewhere.test/")
    outcome = foreign.page.evaluate(
        """(address) => new Promise((tell) => {
            const socket = new WebSocket(address);
            socket.onopen = () => tell("open");
            socket.onclose = () => tell("refused");
        })""",
        robot.address.replace("http", "ws") + "socket",
    )
    assert outcome == "refused"
    foreign.complaints.clear()
    assert page.value("inbetweener.model.connection.state.value") == "open"


@pytest.mark.thorough
def test_a_page_keeps_its_key_and_logging_out_ends_it(page: StudioPage, robot: Studio):
    page.page.reload()
    page.ready()
    assert page.value("location.hash") == ""
    page.page.get_by_role("button", name="File", exact=True).click()
    page.page.get_by_role("menuitem", name="Log out everywhere").click()
    page.page.get_by_role("button", name="Log out", exact=True).click()
    page.page.get_by_role("alert").filter(has_text="does not know this browser any more").wait_for()
    # Only the new address lets it in again.
    page.visit(robot.invitation())
    page.until("inbetweener.model.connection.state.value === 'open'")
    page.complaints.clear()  # the browser logs the refusals
