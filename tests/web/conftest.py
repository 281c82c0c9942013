"""What the website's tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from running import Here

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    """A server in this process, which counts nobody's requests."""
    with Here(tmp_path_factory.mktemp("data")) as server:
        yield server
