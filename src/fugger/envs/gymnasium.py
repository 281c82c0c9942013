"""The game for Gymnasium: one learner at a table with chosen bots.

    import gymnasium
    import fugger.envs.gymnasium

    env = gymnasium.make("Fugger-v0", players=3, opponents="greedy")
    observation, info = env.reset(seed=7)
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)

Importing this module registers ``Fugger-v0``; ``gymnasium.make("fugger.envs.gymnasium:Fugger-v0")``
imports it itself. A step is the learner's action and all that happens up to its next turn. The
observation is a row of `fugger.envs.tensor`, int16 (128,); ``info["action_mask"]`` is 1 for each
legal action, int8 (23,), and when the game is over for the pass alone. The reward comes at the end,
see `fugger.envs.rewards`; nothing is ever truncated. `fugger.envs.gymnasium_vector` has thousands
of such games at once, which `gymnasium.make_vec` makes.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Final, Self, cast

import numpy as np

from fugger.envs.extras import missing

try:
    from gymnasium import Env, error, register, registry

    from fugger.envs.spaces import action_space, observation_box
except ModuleNotFoundError as absent:
    raise missing("gymnasium", absent) from None

from fugger.bots import Past
from fugger.bots.players import LevelPlayer, Place
from fugger.chance import below
from fugger.editions import Edition, edition_named
from fugger.envs.learners import BEGIN, Learners
from fugger.envs.moves import check_options, number_of, pass_alone, refusal
from fugger.envs.opponents import illegal_reward, is_policy, opponents_of
from fugger.envs.rendering import Renderer
from fugger.errors import IllegalAction, SetupError, quoted
from fugger.rules.information import observe
from fugger.rules.state import from_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from fugger.bots import Bot
    from fugger.envs.learners import LearnersGames
    from fugger.envs.tensor import Tensor
    from fugger.rules.state import State

ID: Final = "Fugger-v0"
_SEEDS: Final = 1 << 31
"""Seeds of bots are below this."""


class InvalidAction(IllegalAction, error.InvalidAction):
    """An action that can't be taken: Gymnasium's error, and ours."""


class ResetNeeded(SetupError, error.ResetNeeded):  # noqa: N818 (named like Gymnasium's)
    """A step where no game is going on: Gymnasium's error, and ours."""


class FuggerEnv(Env["Tensor", np.int64]):
    """A learner's game against bots.

    Args:
        players: 2 to 4.
        opponents: who plays against the learner: the name of a bot (see `fugger.bots.bot_named`)
            for all, or for each of the others, clockwise from the learner's left neighbour, a name
            or a `fugger.bots.Bot` of one's own. Those of `fugger.bots.POLICIES` act in compiled
            code; those who think take the simulations of their level, however long that is.
        seat: the learner's, from 0; if None each game draws its own.
        edition: ``"adlung"``, ``"rody"`` or an `Edition`.
        first: the starting seat, from 0; if None each game draws its own.
        target: gulden that end a game, 20 to 500; the edition's own (100) by default.
        reward: ``"win_share"`` or ``"margin"``, see `fugger.envs.rewards`.
        illegal_action: ``"lose"``: an action that isn't legal ends the game, with the reward
            -1 (as a ``margin``: minus the target), and ``info["illegal_action"]`` says why: for
            learners that can't use the mask. ``"error"``: it raises an error.
        render_mode: what `render` makes: ``"ansi"``, ``"human"``, ``"rgb_array"`` or nothing.

    Raises:
        BotError: no such opponents.
        EditionError: no such edition.
        SetupError: another argument is out of its range.
    """

    metadata = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 1}  # noqa: RUF012 (as in `Env`)

    def __init__(  # noqa: PLR0913, PLR0917 (what a setup is)
        self,
        players: int = 3,
        opponents: str | Sequence[str | Bot] = "greedy",
        seat: int | None = 0,
        edition: str | Edition = "adlung",
        first: int | None = None,
        target: int | None = None,
        reward: str = "win_share",
        illegal_action: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        edition = edition if isinstance(edition, Edition) else edition_named(edition)
        self._opponents = opponents_of(opponents, players)
        names = [name if is_policy(name) else None for name in self._opponents]
        self._learners = Learners(
            cast("list[str | None]", names),
            seat,
            tells=None in names,
            players=players,
            edition=edition,
            first=first,
            target=target,
            reward=reward,
            threads=1,
        )
        self._illegal_reward = illegal_reward(illegal_action, reward, edition, target)
        self._renderer = Renderer(render_mode, edition, target)
        self.render_mode = render_mode
        self.observation_space = observation_box(edition, players, target)  # type: ignore[assignment]  # a narrower space
        self.action_space = action_space()
        self._games: LearnersGames | None = None
        self._over = True
        self._target = edition.target if target is None else int(target)
        self._past: list[int] = []
        self._outside: dict[int, LevelPlayer | Bot] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Tensor, dict[str, Any]]:
        """Begins a game, and plays it on to the learner's first turn.

        Args:
            seed: a whole number from 0. The same one gives the same cards, and bots that act the
                same, in this game and in those begun after it without a seed.
            options: ignored.

        Raises:
            gymnasium.error.Error: the seed is no whole number from 0.
            SetupError: the options are no dict.
        """
        check_options(options)
        super().reset(seed=seed)
        if self._games is None or seed is not None:
            self._games = self._learners.open(1)
            self._learners.seed(self._games, 0, int(self.np_random_seed))
        games = self._games
        self._over = False
        self._past = []
        self._outside = {}
        self._move(games, BEGIN)
        return games.observation[0].copy(), self._info(games)

    def step(self, action: np.int64) -> tuple[Tensor, float, bool, bool, dict[str, Any]]:
        """Takes the learner's action, and plays on to its next turn or the end.

        Args:
            action: its number, 0 to 22.

        Raises:
            InvalidAction: it is no action; or not a legal one, if that is an error.
            ResetNeeded: no game is going on.
        """
        games = self._going_on()
        mask = games.legal_action_mask[0].view(np.int8)
        number = number_of(action)
        if number is None or not mask[number]:
            refused = refusal(action, mask, "the learner")
            if number is None or self._illegal_reward is None:
                raise InvalidAction(str(refused), refused.legal)
            self._over = True
            info = {"action_mask": pass_alone(), "illegal_action": str(refused)}
            return games.observation[0].copy(), self._illegal_reward, True, False, info
        self._move(games, number)
        self._over = bool(games.terminated[0])
        reward = float(games.rewards[0, games.seats[0]])
        return games.observation[0].copy(), reward, self._over, False, self._info(games)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as MaskablePPO of sb3-contrib asks for them: bool (23,).

        Raises:
            ResetNeeded: no game is going on.
        """
        mask: NDArray[np.bool_] = self._going_on().legal_action_mask[0]
        return mask.copy()

    def render(self) -> Any:
        """Shows what the learner sees.

        Raises:
            ResetNeeded: no game has begun.
        """
        if self._games is None:
            raise ResetNeeded("no game has begun: expected a reset")
        return self._renderer.render(self._seen_by(self._games, int(self._games.seats[0])))

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def _going_on(self) -> LearnersGames:
        if self._games is None or self._over:
            what = "no game has begun" if self._games is None else "the game is over"
            raise ResetNeeded(f"{what}: expected a reset")
        return self._games

    def _info(self, games: LearnersGames) -> dict[str, Any]:
        return {"action_mask": games.legal_action_mask[0].astype(np.int8)}

    @staticmethod
    def _seen_by(games: LearnersGames, seat: int) -> State:
        return observe(from_bytes(games.states[0].tobytes()), seat)

    def _move(self, games: LearnersGames, move: int) -> None:
        """Plays on to the learner's turn, asking the bots outside of the compiled code."""
        while True:
            self._learners.play(games, np.array([move], np.int64))
            self._past += games.events[0, : games.event_numbers[0]].tolist()
            player = int(games.current_player[0])
            if games.terminated[0] or player == games.seats[0]:
                return
            move = self._choice(games, player)

    def _choice(self, games: LearnersGames, player: int) -> int:
        """What a bot outside does, whose turn it is."""
        if player not in self._outside:
            self._outside[player] = self._seated(games, player)
        bot = self._outside[player]
        seen = self._seen_by(games, player)
        if isinstance(bot, LevelPlayer):
            start, *events = self._past
            return bot.choose(seen, Past(self._learners.start(start), events, player))
        action = bot.choose(seen)
        mask = games.legal_action_mask[0].view(np.int8)
        if number_of(action) is None or not mask[action]:
            raise refusal(action, mask, f"{quoted(bot)} at seat {player + 1}")
        return int(action)

    def _seated(self, games: LearnersGames, player: int) -> LevelPlayer | Bot:
        """A bot ready to play at a seat."""
        players = self._learners.players
        bot = self._opponents[(player - int(games.seats[0])) % players - 1]
        if not isinstance(bot, str):
            return bot
        level = LevelPlayer(bot)
        edition = self._learners.edition
        seed = below(games.choices[0], _SEEDS)
        level.begin(Place(players, edition.name, self._target, player, seed))
        return level


if ID not in registry:
    register(
        ID,
        entry_point=f"{__name__}:FuggerEnv",
        vector_entry_point="fugger.envs.gymnasium_vector:FuggerVectorEnv",
    )
