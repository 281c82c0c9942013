"""Sources of cards: a fast one for simulations, a keyed one that can be checked afterwards.

Both have the `randrange` that `Game.deal_all` asks for; a `random.Random` will do as well. The
keyed stream is specified, with test vectors, in `docs/shuffle.md`.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from fugger.chance import Generator, below, generator
from fugger.compiled import jitable
from fugger.errors import IllegalAction, SeedError, is_whole, quoted
from fugger.game import Game
from fugger.record.form import DEALS, NOT_IN_TAG
from fugger.rules.state import MAX_PLAYERS, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fugger.game import Source

SCHEME: Final = "hmac-sha256-1"
"""The name of the keyed stream in records; another way to draw numbers gets another name."""
SEED_BYTES: Final = 32
MAX_CONTRIBUTION: Final = 64
"""Characters of a contribution."""

_COMMITMENT: Final = b"fugger hmac-sha256-1 commitment\n"
_KEY: Final = b"fugger hmac-sha256-1 key\n"
_DEAL: Final = b"fugger hmac-sha256-1 deal\n"
_WORD_BYTES = 4
_WORDS: Final = 1 << 8 * _WORD_BYTES
"""How many values a word has; no number drawn may have more."""
_HEX: Final = re.compile(f"[0-9a-fA-F]{{{2 * SEED_BYTES}}}")


@jitable
def next_card(state: State, rng: Generator) -> int:
    """A card of the draw pile, each as likely: the one that `Game.deal_all` deals from `rng`."""
    index = below(rng, state.draw_size)
    card = 0
    while index >= state.draw_pile[card]:
        index -= state.draw_pile[card]
        card += 1
    return card


class FastSource:
    """Numbers for simulations: fast, the same for the same seed and stream, and no secret.

    >>> source = FastSource(1)
    >>> [source.randrange(6) for _ in range(5)]
    [0, 1, 5, 5, 5]

    Args:
        seed: any whole number.
        stream: tells apart sources of one seed, such as those of successive games.
    """

    def __init__(self, seed: int, stream: int = 0) -> None:
        self._rng = generator(seed, stream)

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to stop - 1; `stop` is 1 to 2**32."""
        _check_stop(stop)
        return below(self._rng, stop)


class KeyedStream:
    """Numbers from a secret seed and the players' contributions, one for each deal of a game.

    Which number a deal gets depends on the key and on how many cards were dealt before it, and on
    nothing else. So a game can be taken up at any point, and an action that is taken back and
    taken again brings the same card.

    >>> stream = KeyedStream(bytes(32), ["Anna's dice: 4 2 6", None])
    >>> game = Game(players=2)
    >>> stream.deal_all(game)
    >>> " ".join(game.tokens)
    '1:J 1:T 1:S 1:W 2:C 2:W 2:T* 2:J* J:T J:T'

    Args:
        seed: 32 bytes; see `new_seed`.
        contributions: each seat's own random text, None for a seat without one.

    Raises:
        SeedError: the seed hasn't 32 bytes, or a contribution isn't 1 to 64 plain characters.
    """

    def __init__(self, seed: bytes, contributions: Sequence[str | None] = ()) -> None:
        self._seed = _checked_seed(seed)
        self._contributions = {
            seat: _checked_contribution(seat, text)
            for seat, text in enumerate(contributions)
            if text is not None
        }
        if len(contributions) > MAX_PLAYERS:
            raise SeedError(
                f"{len(contributions)} contributions: expected at most {MAX_PLAYERS}, one a seat"
            )
        message = bytearray(_KEY)
        for seat, text in self._contributions.items():
            encoded = text.encode()
            message += bytes([seat + 1]) + len(encoded).to_bytes(2, "big") + encoded
        self._key = hmac.digest(self._seed, bytes(message), "sha256")

    def __repr__(self) -> str:
        return f"<KeyedStream, commitment {self.commitment}>"

    @property
    def commitment(self) -> str:
        """What may be shown before the first deal: it fixes the seed and tells nothing of it."""
        return commitment(self._seed)

    @property
    def key(self) -> bytes:
        """The stream's key, as secret as the seed."""
        return self._key

    def number(self, deal: int, stop: int) -> int:
        """The number from 0 to stop - 1 of a deal, each exactly as likely.

        Args:
            deal: how many cards the game dealt before this one, from 0.
            stop: 1 to 2**32.
        """
        _check_stop(stop)
        limit = _WORDS - _WORDS % stop
        block = 0
        while True:
            message = _DEAL + deal.to_bytes(4, "big") + block.to_bytes(4, "big")
            digest = hmac.digest(self._key, message, "sha256")
            for at in range(0, len(digest), _WORD_BYTES):
                word = int.from_bytes(digest[at : at + _WORD_BYTES], "big")
                if word < limit:
                    return word % stop
            block += 1

    def source(self, deals: int = 0) -> Source:
        """A source for `Game.deal_all` of a game that has dealt so many cards."""
        return _DealByDeal(self, deals)

    def deal_all(self, game: Game) -> None:
        """Deals every card a game owes, wherever it stands."""
        game.deal_all(self.source(len(game.tokens) - game.actions_taken))

    def tags(self, *, reveal: bool) -> dict[str, str]:
        """The tags of a game's record that say where its cards came from.

        Args:
            reveal: with the seed; when the game is over, and not before.
        """
        tags = {"Shuffle": SCHEME, "Commitment": self.commitment}
        tags |= {f"Random{seat + 1}": text for seat, text in self._contributions.items()}
        if reveal:
            tags["Seed"] = self._seed.hex()
        return tags


class _DealByDeal:
    """A game's numbers, one after the other."""

    def __init__(self, stream: KeyedStream, deals: int) -> None:
        self._stream = stream
        self._deals = deals

    def randrange(self, stop: int, /) -> int:
        """The next deal's number."""
        self._deals += 1
        return self._stream.number(self._deals - 1, stop)


def new_seed() -> bytes:
    """A seed that nobody can guess: 32 bytes from the system."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """The commitment to a seed, 64 hexadecimal digits.

    Raises:
        SeedError: the seed hasn't 32 bytes.
    """
    return hashlib.sha256(_COMMITMENT + _checked_seed(seed)).hexdigest()


class Verdict(Enum):
    """What comes of checking a game's cards; only of VERIFIED all is well."""

    VERIFIED = "verified"
    NO_SHUFFLE = "no_shuffle"
    NO_SEED = "no_seed"
    WRONG_SEED = "wrong_seed"
    WRONG_DEAL = "wrong_deal"


@dataclass(frozen=True, slots=True)
class Verification:
    """The check of a game's cards.

    Attributes:
        verdict: what came of it.
        deals: how many deals are as the seed deals them, up to the first that isn't.
        token: for a WRONG_DEAL its index among the game's tokens.
        expected: for a WRONG_DEAL what the seed deals there.
    """

    verdict: Verdict
    deals: int = 0
    token: int | None = None
    expected: str | None = None


def verify(game: Game) -> Verification:
    """Checks a game's cards against the commitment, contributions and seed among its tags.

    Raises:
        SeedError: one of these tags is malformed, or the shuffle isn't one that can be checked.
    """
    if "Shuffle" not in game.tags:
        return Verification(Verdict.NO_SHUFFLE)
    scheme = game.tags["Shuffle"]
    if scheme != SCHEME:
        raise SeedError(f"shuffle {quoted(scheme)} isn't known: expected {SCHEME}")
    committed = _hex_tag(game, "Commitment")
    if "Seed" not in game.tags:
        return Verification(Verdict.NO_SEED)
    contributions = [game.tags.get(f"Random{seat + 1}") for seat in range(game.players)]
    stream = KeyedStream(_hex_tag(game, "Seed"), contributions)
    if bytes.fromhex(stream.commitment) != committed:
        return Verification(Verdict.WRONG_SEED)
    return _verify_deals(game, stream)


def _verify_deals(game: Game, stream: KeyedStream) -> Verification:
    """Takes the game's actions again with the cards the stream deals, and compares."""
    recorded = game.tokens
    again = Game(game.players, game.edition, game.first, game.target)
    source = stream.source()
    again.deal_all(source)
    # Once another card was dealt an action may be illegal: the comparison tells where.
    with suppress(IllegalAction):
        for token in recorded:
            if token not in DEALS:
                again.play(token)
                again.deal_all(source)
    deals = 0
    for at, (token, expected) in enumerate(zip(recorded, again.tokens, strict=False)):
        if token != expected:
            return Verification(Verdict.WRONG_DEAL, deals, at, expected)
        deals += token in DEALS
    return Verification(Verdict.VERIFIED, deals)


def _hex_tag(game: Game, name: str) -> bytes:
    text = game.tags.get(name)
    if text is None:
        raise SeedError(f"the tag {name} is missing")
    if not _HEX.fullmatch(text):
        raise SeedError(f"{name} is {quoted(text)}: expected {2 * SEED_BYTES} hexadecimal digits")
    return bytes.fromhex(text)


def _checked_seed(seed: bytes) -> bytes:
    if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
        # Not shown, even if it is wrong: it might be most of a secret.
        raise SeedError(f"the seed is of the wrong form: expected {SEED_BYTES} bytes")
    return seed


def _checked_contribution(seat: int, text: str) -> str:
    if (
        not isinstance(text, str)
        or not 1 <= len(text) <= MAX_CONTRIBUTION
        or NOT_IN_TAG.search(text)
    ):
        raise SeedError(
            f"seat {seat + 1}'s contribution is {quoted(text)}: expected 1 to {MAX_CONTRIBUTION} "
            "characters, none of them a control character"
        )
    return text


def _check_stop(stop: int) -> None:
    if not is_whole(stop, 1, _WORDS):
        raise ValueError(f"stop is {quoted(stop)}: expected a whole number from 1 to 2**32")
