"""Both stories, each played once for all tests."""

from pathlib import Path

import pytest

from tests.scenario import captured, knight
from tests.scenario.played import Played, play

STORIES = {"knight": knight, "captured": captured}


@pytest.fixture(scope="package", params=STORIES)
def played(request: pytest.FixtureRequest, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A story from its opening to its end."""
    story = STORIES[request.param]
    journal = tmp_path_factory.mktemp(request.param) / "journal"
    return play(story.opened(data), story.story(), journal, story.HAND)
