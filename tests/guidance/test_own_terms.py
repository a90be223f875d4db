"""Terms of one's own, from a file that its user names: known by name everywhere, and clear about what is wrong."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import inbetweener as ib
from inbetweener.cli.app import app
from inbetweener.document import edits
from inbetweener.errors import UnknownName
from inbetweener.guidance.terms import own
from tests.studio.pages import PageForTests, session_of
from tests.studio.session.test_guiding import rest

LAZY = '''
"""Costs of a studio."""
from dataclasses import dataclass
import numpy as np
from inbetweener.guidance import Residuals


@dataclass(frozen=True)
class Lazy:
    """How much it counts that channels hurry"""

    slow: float = 1.0
    name: str = "lazy"

    def residuals(self, moments):
        each = np.broadcast_to(np.eye(len(moments.names)), (len(moments.times), *np.eye(len(moments.names)).shape))
        return Residuals(moments.velocities, by_velocity=each, unit=None, labels=moments.names, reading=(1.0, "rad/s"))


def made(motion):
    return Lazy(motion.clip.end, "slow")


TERMS = {"lazy": Lazy(), "slow": made}
'''
ARM = "upper_arm_r.*"


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What a test loads is unknown to the next."""
    yield
    own._LOADED.clear()


@pytest.fixture
def lazy(tmp_path: Path) -> Path:
    path = tmp_path / "lazy.py"
    path.write_text(LAZY)
    return path


def speeds(document: ib.Document) -> float:
    motion, clip = document.motion(), document.clip()
    columns = [i for i, channel in enumerate(document.rig.channels) if channel.name.startswith("upper_arm_r")]
    return float((motion.channel_motion(np.linspace(clip.start, clip.end, 500))[:, columns, 1] ** 2).mean())


def test_a_loaded_term_counts_by_its_name(lazy: Path) -> None:
    waving = ib.example("waving")
    with pytest.raises(UnknownName, match="lazy"):
        edits.guide(waving, terms={"lazy": 1})
    assert edits.add_terms(lazy) == ("lazy", "slow")
    once = edits.guide(waving, channels=ARM, terms={"lazy": 1}, regularise=0.01)
    assert speeds(once.document) < 0.9 * speeds(waving)
    assert once.report.terms[0].term == "lazy"
    assert edits.guide(waving, channels=ARM, terms={"slow": 1}, regularise=0.01).document == once.document


def test_the_command_line_takes_the_file(lazy: Path, tmp_path: Path) -> None:
    wish = ["guide", "waving", "--channels", ARM, "--term", "lazy=1", "--json", "-o", str(tmp_path / "out.tween")]
    told = CliRunner().invoke(app, [*wish, "--terms", str(lazy)])
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["terms"][0]["term"] == "lazy"


def test_the_page_is_told_of_it_measures_it_and_runs_by_it(lazy: Path) -> None:
    edits.add_terms(lazy)
    session = session_of(ib.example("waving"))
    page = PageForTests(session)
    welcome = next(message for message in page.told if message["type"] == "welcome")
    assert welcome["terms"][0] == {"name": "lazy", "help": "How much it counts that channels hurry"}
    terms = [{"name": "lazy", "weight": 1.0}]
    page.done("show-costs", settings={"terms": terms})
    page.settle()
    costs = next(message for message in page.told if message["type"] == "costs-over-time")
    assert (costs["term"], costs["unit"]) == ("lazy", "rad/s")
    page.begin("guide", settings={"terms": terms, "channels": ["upper_arm_r.rz"]})
    assert "lazy −" in rest(page)["text"]
    page.done("cancel", gesture=1)
    assert "lzy" in page.refused(
        "begin", gesture=2, what={"kind": "guide", "settings": {"terms": [{**terms[0], "name": "lzy"}]}}
    )
    session.stop()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("x = 1\n", "has no terms; write TERMS"),
        ("TERMS = {}\n", "has no terms"),
        ("a = 1\nb = a / 0\n", "line 2: ZeroDivisionError"),
        ("def f(:\n", "line 1: SyntaxError"),
        ("TERMS = {'torque': print}\n", "choose another name"),
        ("TERMS = {'mine': 3}\n", "neither a term"),
    ],
)
def test_a_file_that_gives_none_says_what_is_wrong(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(content)
    with pytest.raises(own.BadTermFile, match=said) as refused:
        edits.add_terms(path)
    assert str(path) in str(refused.value)


def test_a_term_under_another_name_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(own.BadTermFile, match="no such file"):
        edits.add_terms(tmp_path / "nowhere.py")
    path = tmp_path / "mine.py"
    path.write_text(LAZY.replace('"lazy": Lazy()', '"idle": Lazy()'))
    edits.add_terms(path)
    with pytest.raises(own.BadTermFile, match="be called 'idle'"):
        edits.guide(ib.example("waving"), terms={"idle": 1})


def test_no_document_runs_code(lazy: Path, tmp_path: Path) -> None:
    """A native file has no place where a file of terms could be named."""
    ib.save(ib.example("waving"), tmp_path / "waving.tween")
    told = json.loads((tmp_path / "waving.tween").read_text())
    for place in (told, told["clips"][0]):
        place["terms"] = str(lazy)
        (tmp_path / "bad.tween").write_text(json.dumps(told))
        with pytest.raises(ib.InbetweenerError, match="terms"):
            ib.load(tmp_path / "bad.tween")
        del place["terms"]
    assert not own.OWN
