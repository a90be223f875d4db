"""Photograph the Studio on a folder that a batch wrote: `python docs/make_batch_pictures.py OUT`, with Chromium."""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.studio_window import window_on
from inbetweener.studio.project.batches import read_batch, worst_first
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.project.workspace import Workspace
from inbetweener.studio.server.studio import Studio
from tests.studio.served import running

FOLDER = Path(__file__).parent / "pictures"


def main(output: Path) -> None:
    with (
        tempfile.TemporaryDirectory() as state,
        running(
            Studio(
                Workspace(output, state=Path(state)), Origin(path=worst_first(read_batch(output, ""))[0].path), port=0
            )
        ) as studio,
        window_on(studio) as page,
    ):
        row = page.page.get_by_role("dialog").locator("tbody tr").first
        row.wait_for()
        # Those further down come when somebody scrolls to them.
        seen = "[...document.querySelector('ib-batch').shadowRoot.querySelectorAll('img')].slice(0, 6)"
        page.until(f"{seen}.every((each) => each.complete)")
        page.page.screenshot(path=FOLDER / "studio-batch.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
