"""A sitting: one game with who plays it, its shuffle and the file it is kept in."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from fugger.bots import Past, act, bot_named, strongest
from fugger.dealer import SEED_BYTES, KeyedStream, new_seed
from fugger.errors import FuggerError
from fugger.rules.actions import Action
from fugger.terminal.saved import Autosave, taken_up

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fugger.bots import Prospect
    from fugger.game import Game
    from fugger.terminal.saved import Unfinished

SEED: Final = "Seed"
UNDONE: Final = "Undone"


@dataclass(slots=True)
class Sitting:
    """A running game, saved after every action.

    Every card follows from the seed and the game so far, and so does every bot's choice: taking
    actions back and going on, or leaving and coming back, changes neither.

    Attributes:
        game: the game; nothing is owed in it.
        seed: 32 bytes.
        bots: the names of the bots, by seat; people have the other seats.
        autosave: the game's file.
        trouble: why the game could not be saved just now, or "".
    """

    game: Game
    seed: bytes
    bots: Mapping[int, str]
    autosave: Autosave
    trouble: str = ""

    @property
    def people(self) -> list[int]:
        """The seats people have."""
        return [seat for seat in range(self.game.players) if seat not in self.bots]

    @property
    def commitment(self) -> str:
        """What fixes the shuffle and tells nothing of it."""
        return KeyedStream(self.seed).commitment

    def play(self, action: Action) -> None:
        """Takes an action, deals what is owed and saves the game."""
        self.game.play(action)
        self.deal()

    def deal(self) -> None:
        """Deals what is owed and saves the game."""
        KeyedStream(self.seed).deal_all(self.game)
        self.save()

    def choose(self) -> Action:
        """What the bot whose turn it is does; it sees what its seat may know."""
        seat = self.game.player
        assert seat is not None
        bot = bot_named(self.bots[seat], self._moment(seat))
        return Action(act(bot, self.game.observe(seat), Past.of(self.game, seat)))

    def advise(self, seat: int) -> Prospect:
        """What the strongest bot would do in a seat's place, and what it expects of it."""
        bot = strongest(self._moment(seat))
        return bot.advise(self.game.observe(seat), Past.of(self.game, seat))

    def _moment(self, seat: int) -> int:
        """A seed for what a bot leaves to chance at this point of the game."""
        moment = f"{self.seed.hex()} {seat} {self.game.actions_taken}"
        return int.from_bytes(hashlib.sha256(moment.encode()).digest()[:8], "big")

    def undo(self, seat: int) -> bool:
        """Goes back to a seat's last decision; False if it hasn't made any."""
        actors = self.game.actors
        if seat not in actors:
            return False
        for _ in range(actors[::-1].index(seat) + 1):
            self.game.undo()
        self.game.tags[UNDONE] = "yes"
        self.save()
        return True

    def save(self) -> None:
        """Writes the game to its file; if that fails the game goes on, and `trouble` says why."""
        self.trouble = ""
        try:
            self.autosave.write(self.game)
        except OSError as error:
            self.trouble = error.strerror or str(error)


def seed_from(text: str | None) -> bytes:
    """The 32 bytes that a text stands for; random ones without a text."""
    if text is None:
        return new_seed()
    # What the terminal gave may be no Unicode: it is a seed all the same.
    return hashlib.sha256(f"fugger play {text}".encode(errors="surrogatepass")).digest()


def first_seat(seed: bytes, players: int) -> int:
    """The seat that begins a game, drawn by its seed."""
    return int.from_bytes(hashlib.sha256(seed + b" first").digest(), "big") % players


def new_sitting(
    game: Game, names: Mapping[int, str], bots: Mapping[int, str], seed: bytes
) -> Sitting:
    """Deals and saves a new game.

    Args:
        game: nothing has been dealt in it yet.
        names: what seats are called; people may go unnamed.
        bots: the bots, by seat.
        seed: 32 bytes.

    Raises:
        FuggerError: the data folder can't be written.
    """
    game.tags = {f"Seat{seat + 1}": name for seat, name in sorted(names.items()) if name}
    game.tags |= {f"Bot{seat + 1}": name for seat, name in bots.items()}
    game.tags |= {"Date": date.today().isoformat()}
    game.tags |= KeyedStream(seed).tags(reveal=True)  # kept from the screen until the end
    sitting = Sitting(game, seed, bots, Autosave.of_new_game())
    sitting.deal()
    return sitting


def resumed_sitting(found: Unfinished) -> Sitting:
    """A game left unfinished, to go on with.

    Raises:
        FuggerError: its record doesn't tell the seed or names a bot that doesn't exist, or it has
            been finished in another terminal.
        InUse: it is being played in another terminal.
    """
    autosave, found = taken_up(found.path)
    try:
        sitting = _sitting_of(found, autosave)
    except BaseException:
        autosave.release()
        raise
    sitting.deal()
    return sitting


def _sitting_of(found: Unfinished, autosave: Autosave) -> Sitting:
    """Who plays a saved game, and its shuffle, as its tags tell."""
    game, seed = found.game, b""
    with suppress(ValueError):
        seed = bytes.fromhex(game.tags.get(SEED, ""))
    if len(seed) != SEED_BYTES:
        raise FuggerError(f"{found.path}: the tag {SEED} doesn't hold 64 hexadecimal digits")
    bots = {
        seat: game.tags[f"Bot{seat + 1}"]
        for seat in range(game.players)
        if f"Bot{seat + 1}" in game.tags
    }
    for name in bots.values():
        bot_named(name, 0)
    if len(bots) == game.players:
        raise FuggerError(f"{found.path}: no seat is a person's")
    return Sitting(game, seed, bots, autosave)
