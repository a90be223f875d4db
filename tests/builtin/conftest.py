"""Every built-in example, built once for all tests."""

from functools import cache

import pytest

from inbetweener.builtin import ExampleInfo, example, examples
from inbetweener.document import Document

built = cache(example)


@pytest.fixture(params=examples(), ids=lambda info: info.name)
def info(request: pytest.FixtureRequest) -> ExampleInfo:
    return request.param


@pytest.fixture
def document(info: ExampleInfo) -> Document:
    return built(info.name)
