"""The published vectors, against the package and against the specification, written once more.

`key`, `number` and `cards` below follow `docs/shuffle.md` with the standard library alone.
"""

import hashlib
import hmac
import json
from itertools import count, islice
from pathlib import Path

import pytest

from fugger import Game, dealer
from fugger.dealer import KeyedStream

VECTORS = json.loads(
    (Path(__file__).parents[1] / "docs" / "shuffle-vectors.json").read_text(encoding="utf-8")
)
STREAMS = VECTORS["streams"]
BOX = [card for good in "CTWSJ" for card in [good] * 7 + [good + "*"] * 2] + ["M"] * 4


def hmac_sha256(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def key(seed, contributions):
    message = b"fugger hmac-sha256-1 key\n"
    for seat, text in enumerate(contributions, start=1):
        if text is not None:
            message += bytes([seat]) + len(text.encode()).to_bytes(2, "big") + text.encode()
    return hmac_sha256(seed, message)


def words(key, deal):
    for block in count():
        counters = deal.to_bytes(4, "big") + block.to_bytes(4, "big")
        digest = hmac_sha256(key, b"fugger hmac-sha256-1 deal\n" + counters)
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))


def number(key, deal, stop):
    return next(word for word in words(key, deal) if word < 2**32 - 2**32 % stop) % stop


def cards(key, deals):
    pile = list(BOX)
    return [pile.pop(number(key, deal, len(pile))) for deal in range(deals)]


@pytest.fixture(params=STREAMS, ids=[f"stream {number}" for number in range(len(STREAMS))])
def vector(request):
    return request.param


@pytest.fixture
def stream(vector):
    return KeyedStream(bytes.fromhex(vector["seed"]), vector["contributions"])


def test_the_vectors_are_of_this_scheme():
    assert dealer.SCHEME == VECTORS["scheme"]


def test_the_package_agrees_with_the_vectors(vector, stream):
    assert vector["commitment"] == stream.commitment
    assert vector["key"] == stream.key.hex()
    for drawn in vector["numbers"]:
        assert drawn["number"] == stream.number(drawn["deal"], drawn["stop"])
    for opening in vector["openings"]:
        game = Game(opening["players"], opening["edition"], opening["first"] - 1)
        stream.deal_all(game)
        assert opening["tokens"].split() == game.tokens


def test_the_specification_agrees_with_the_vectors(vector):
    seed = bytes.fromhex(vector["seed"])
    secret = key(seed, vector["contributions"])

    assert vector["key"] == secret.hex()
    assert (
        vector["commitment"]
        == hashlib.sha256(b"fugger hmac-sha256-1 commitment\n" + seed).hexdigest()
    )
    for drawn in vector["numbers"]:
        assert drawn["number"] == number(secret, drawn["deal"], drawn["stop"])
    for opening in vector["openings"]:
        tokens = opening["tokens"].split()
        assert [token[2:] for token in tokens] == cards(secret, len(tokens))


def test_the_vectors_go_on_to_a_second_block():
    assert any(
        min(islice(words(bytes.fromhex(vector["key"]), drawn["deal"]), 8))
        >= 2**32 - 2**32 % drawn["stop"]
        for vector in STREAMS
        for drawn in vector["numbers"]
    )
