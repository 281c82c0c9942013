"""Who somebody is: cookies and links that only the server can make."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from litestar.testing import RequestFactory

from fugger.web.changes import Refused
from fugger.web.identity import COOKIE, Identity, Player

if TYPE_CHECKING:
    from litestar import Request

ours = Identity(b"k" * 32, secure=False)
anna = Player("0123456789abcdef0123456789abcdef", "Anna")


def carrying(value: str) -> Request:
    return RequestFactory().get("/", headers={"Cookie": f"{COOKIE}={value}"})


def test_a_cookie_says_who_somebody_is():
    assert anna == ours.player(carrying(ours.cookie(anna).value))


def test_a_recovery_link_says_who_somebody_is():
    assert anna == ours.recovered(ours.recovery(anna))


def test_a_cookie_cant_be_read_by_scripts_nor_sent_by_other_sites():
    cookie = ours.cookie(anna)

    assert cookie.httponly
    assert "lax" == cookie.samesite
    assert Identity(b"k" * 32, secure=True).cookie(anna).secure


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x",
        "W10",
        '["1", "Anna"]',
        ours.cookie(anna).value[:-1],
        "A" + ours.cookie(anna).value,
        Identity(b"x" * 32, secure=False).cookie(anna).value,
        ours.recovery(anna),
    ],
)
def test_a_forged_cookie_is_nobodys(value):
    assert ours.player(carrying(value)) is None


def test_a_cookie_is_no_recovery_link():
    assert ours.recovered(ours.cookie(anna).value) is None


@pytest.mark.parametrize("content", [[], ["x"], {"id": 1}, [1, 2], ["a", "b", "c"], None])
def test_a_signature_under_something_else_is_nobodys(content):
    assert ours.recovered(ours._links.dumps(content)) is None


def test_everybody_is_somebody_else():
    assert ours.new_player("Anna").id != anna.id


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "a\x07b", "\u202eevil", "\u200d"])
def test_a_name_that_wont_do(name):
    with pytest.raises(Refused, match="a name has 1 to 24 characters"):
        ours.new_player(name)


@pytest.mark.parametrize("name", ["a", "x" * 24, "Fugger Jakob", "富格", "नमस्ते", "<b>&"])
def test_names_of_any_language(name):
    assert name == ours.new_player(name).name
