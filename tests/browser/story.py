"""A story that a hand tells on one page: where it takes hold, and every document that a step left behind."""

import re
from pathlib import Path

from inbetweener.document import Document
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import Pixel, StudioPage

FILM_MS = 120_000
"""Milliseconds that a film may take where others are at work too."""


class Story:
    """A page on a Studio; `documents` holds one for each step of the history, as it was opened first."""

    def __init__(self, page: StudioPage, studio: Studio) -> None:
        self.page, self.studio = page, studio
        self.documents: list[Document] = [self.document]

    @property
    def document(self) -> Document:
        """As it is now."""
        return self.studio.session.editor.document

    @property
    def labels(self) -> list[str]:
        """What the steps are called, as it was opened first."""
        return [step.label for step in self.studio.session.editor.history.steps]

    @property
    def folder(self) -> Path:
        """Where files go."""
        return self.studio.workspace.folder

    def step(self) -> Document:
        """Wait for the next step of the history, and keep what it made."""
        self.page.wait_for_steps(len(self.documents))
        self.documents.append(self.document)
        return self.document

    def go(self, frame: int) -> None:
        self.page.run(f"inbetweener.model.playback.go({frame})")
        self.page.until(f"inbetweener.model.frames.isFresh({frame})")

    def select(self, joint: str, *more: str) -> None:
        """Choose joints by their names in the outliner."""
        outliner = "document.querySelector('ib-outliner')"
        for number, name in enumerate((joint, *more)):
            self.page.where(f"{outliner}.whereIs('joint', '{name}')")
            line = self.page.value(f"{outliner}.view.at({outliner}.view.cursor)")
            # By the line itself: on a busy machine panels may still move after it was seen where it is.
            self.page.page.locator(f'ib-outliner [data-at="{line}"]').click(modifiers=["Control"] if number else [])
            self.page.until(f"inbetweener.model.selection.activeJoint === '{name}'")
        self.page.until("inbetweener.model.arcs.get(inbetweener.model.selection.active.arc) !== null")

    def press(self, section: str, button: str) -> None:
        """Press a button of the inspector."""
        self.page.page.locator(f"ib-inspector {section}").get_by_role("button", name=button).first.click()

    def timeline(self, what: str) -> Pixel:
        return self.page.where(f"document.querySelector('ib-timeline').whereIs({what})")

    def bone(self, name: str, share: float) -> Pixel:
        return self.page.where(f"document.querySelector('ib-viewport').whereIsBone('{name}', {share})")

    def export(self, kind: str, name: str, size: str | None = None, keys: str | None = None) -> None:
        """Write a file through the menu, and wait until it is there."""
        self.menu("File", "Export…")
        dialog = self.page.page.locator("ib-export")
        dialog.get_by_role("radio", name=re.compile(f"^{kind}")).click()
        dialog.get_by_label("Name").fill(Path(name).stem)
        if size is not None:
            dialog.get_by_label("Size").select_option(size)
        if keys is not None:
            dialog.get_by_label("Keys").select_option(keys)
        dialog.get_by_role("button", name="Export").click()
        written = f"[...window.inbetweener.model.jobs.value.values()].some((job) => job.path === '{name}')"
        self.page.page.wait_for_function(f"() => {written}", timeout=FILM_MS)

    def menu(self, name: str, item: str) -> None:
        """Choose from a menu of the bar."""
        self.page.page.get_by_role("button", name=name, exact=True).click()
        self.page.page.get_by_role("menuitem", name=item).click()
