"""Every built-in example."""

import pytest

from inbetweener.builtin import ExampleInfo, example, examples
from inbetweener.document import Document


@pytest.fixture(params=examples(), ids=lambda info: info.name)
def info(request: pytest.FixtureRequest) -> ExampleInfo:
    return request.param


@pytest.fixture
def document(info: ExampleInfo) -> Document:
    return example(info.name)
