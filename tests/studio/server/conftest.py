"""One Studio for the tests that only knock at its door."""

from collections.abc import Iterator

import httpx
import pytest

from inbetweener.studio.nearby import enter
from inbetweener.studio.server.studio import Studio
from tests.studio.served import served


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with served(tmp_path_factory.mktemp("studio")) as running:
        yield running


@pytest.fixture
def browser(studio: Studio) -> Iterator[httpx.Client]:
    """Speaks HTTP as a page that has been let in."""
    headers = {**enter(studio.invitation()), "Origin": studio.address.rstrip("/")}
    with httpx.Client(base_url=studio.address, headers=headers) as client:
        yield client
