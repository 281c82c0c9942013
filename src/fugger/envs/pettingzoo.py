"""The game for PettingZoo: an environment in which agents take turns (AEC).

    from fugger.envs import fugger_v0

    env = fugger_v0.env(players=3)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        done = termination or truncation
        mask = observation["action_mask"]
        env.step(None if done else env.action_space(agent).sample(mask))

The agents are ``player_1``, ``player_2`` and so on: seat 1, seat 2, … Each sees a dict:
``observation``, the row of `fugger.envs.tensor` that says what its seat knows, int16 (128,); and
``action_mask``, int8 (23,), 1 for each legal action, all 0 while it is another's turn. When the
game is over the mask allows the pass alone, and `step` takes it, or None as PettingZoo has it.
Rewards come at the end, see `fugger.envs.rewards`; nothing is ever truncated.
"""

from __future__ import annotations

import copy
import secrets
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

import numpy as np

from fugger.envs.extras import missing

try:
    from gymnasium.spaces import Dict
    from pettingzoo import AECEnv, aec_registry, register  # type: ignore[import-untyped]  # it has no types
    from pettingzoo.utils.env_logger import EnvLogger  # type: ignore[import-untyped]  # it has no types

    from fugger.envs.spaces import action_space, mask_box, observation_box
except ModuleNotFoundError as error:
    raise missing("pettingzoo", error) from None

from fugger.envs.moves import check_options, number_of, pass_alone, refusal
from fugger.envs.opponents import penalty
from fugger.envs.rendering import Renderer
from fugger.envs.vector import Vector
from fugger.errors import IllegalAction, SetupError, quoted
from fugger.rules.actions import ACTIONS, PASS
from fugger.rules.information import observe
from fugger.rules.state import from_bytes

if TYPE_CHECKING:
    from gymnasium.spaces import Discrete
    from numpy.typing import NDArray

    from fugger.editions import Edition
    from fugger.envs.games import Games
    from fugger.envs.tensor import Tensor

    Observation: TypeAlias = dict[str, NDArray[Any]]

NAME: Final = "fugger_v0"
_ALL_LEFT: Final = "the game is over and all agents have left: expected a reset"
_SEED: Final = 63
"""Bits of a random seed."""


def env(**options: Any) -> raw_env:
    """The environment as most use it; the arguments are those of `raw_env`.

    An illegal action ends the game: its agent gets -1 (as a ``margin``: minus the target), the
    others 0, and PettingZoo's warning is logged, as in PettingZoo's own games. It needs none of
    their wrappers, which take most of the time of a step: the environment itself refuses what is no
    action, or comes in a wrong order.
    """
    return _EndedByIllegal(**options)


class raw_env(AECEnv[str, Any, Any]):  # type: ignore[misc]  # noqa: N801 (untyped; its name)
    """The environment itself, which raises an error for an illegal action.

    Args:
        players: 2 to 4.
        edition: ``"adlung"``, ``"rody"`` or an `Edition`.
        first: the starting seat, from 0; if None each game draws its own.
        target: gulden that end a game, 20 to 500; the edition's own (100) by default.
        reward: ``"win_share"`` or ``"margin"``, see `fugger.envs.rewards`.
        render_mode: what `render` makes: ``"ansi"``, ``"human"``, ``"rgb_array"`` or nothing.

    Attributes:
        possible_agents: ``player_1`` and so on, by seat.
        state_space: of `state`: int16 (128 * players,).

    Raises:
        EditionError: no such edition.
        SetupError: another argument is out of its range.
    """

    metadata = {  # noqa: RUF012 (PettingZoo's way)
        "name": NAME,
        "render_modes": ["ansi", "human", "rgb_array"],
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(  # noqa: PLR0913, PLR0917 (what a setup is)
        self,
        players: int = 3,
        edition: str | Edition = "adlung",
        first: int | None = None,
        target: int | None = None,
        reward: str = "win_share",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._vector = Vector(players, edition, first, target, reward=reward, threads=1)
        self._illegal_reward = penalty(reward, self._vector.edition, target)
        self._renderer = Renderer(render_mode, self._vector.edition, target)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat + 1}" for seat in range(self._vector.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        setup = self._vector.edition, self._vector.players, target
        self._observation_spaces = {
            agent: Dict({"observation": observation_box(*setup), "action_mask": mask_box()})
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: action_space() for agent in self.possible_agents}
        self.state_space = observation_box(*setup, rows=self._vector.players)
        self._games: Games | None = None
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Dict:
        """What `observe` gives: the same for all agents, but an object for each."""
        return self._observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> Discrete:
        """The 23 actions; `fugger.rules.actions` has their table."""
        return self._action_spaces[self._known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game and deals its first cards.

        Args:
            seed: any whole number. The same one gives the same cards in this game and in those
                begun after it without a seed; without any ever, it is a random one.
            options: ignored.

        Raises:
            SeedError: the seed is no whole number.
            SetupError: the options are no dict.
        """
        check_options(options)
        if self._games is None or seed is not None:
            self._games = self._vector.init(1, secrets.randbits(_SEED) if seed is None else seed)
        else:
            self._vector.restart(self._games)
        self._over = False
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._games.current_player[0]]

    def step(self, action: int | None) -> None:
        """Takes an action for `agent_selection`, whose turn it is, and deals what is then owed.

        Args:
            action: its number, 0 to 22; None or 22 of an agent whose game is over, which leaves.

        Raises:
            IllegalAction: it is no action, or not a legal one. Nothing has changed then.
            SetupError: no game has begun.
        """
        games = self._begun()
        number = number_of(action)
        if self._over:
            self._leave(action)
        elif number is None:
            raise refusal(action, _mask(self._begun()), self.agent_selection)
        elif not _mask(games)[number]:
            self._take_illegal(number)
        else:
            self._vector.step(games, [number])
            if games.terminated[0]:
                self._end(games.rewards[0].tolist())
            else:
                self.agent_selection = self.possible_agents[games.current_player[0]]

    def _take_illegal(self, action: int) -> None:
        raise refusal(action, _mask(self._begun()), self.agent_selection)

    def _end(self, rewards: list[float]) -> None:
        """Gives the rewards; from now on the agents leave, one after the other."""
        self._over = True
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _leave(self, action: object) -> None:
        if not self.agents:
            raise IllegalAction(_ALL_LEFT)
        if action is not None and number_of(action) != PASS:
            raise refusal(action, pass_alone(), f"the game is over: {self.agent_selection}")
        self._was_dead_step(None)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What the agent to act sees and got: observation, reward, termination, truncation, info.

        Args:
            observe: whether to give the observation; None otherwise.

        Raises:
            SetupError: no game has begun.
            IllegalAction: the game is over and all agents have left.
        """
        self._begun()
        if not self.agents:
            raise IllegalAction(_ALL_LEFT)
        told: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return told

    def observe(self, agent: str) -> Observation:
        """What an agent sees, whoever's turn it is: new arrays, the caller's own.

        Raises:
            SetupError: there is no such agent.
        """
        games = self._begun()
        seat = self._seats[self._known(agent)]
        if self._over:
            mask = pass_alone()
        elif agent == self.agent_selection:
            return {"observation": games.observation[0].copy(), "action_mask": _mask(games).copy()}
        else:
            mask = np.zeros(ACTIONS, np.int8)
        return {"observation": self._vector.observe(games, seat)[0], "action_mask": mask}

    def state(self) -> Tensor:
        """What all seats know together: their rows one after the other, int16 (128 * players,)."""
        games = self._begun()
        seats = range(self._vector.players)
        return np.concatenate([self._vector.observe(games, seat)[0] for seat in seats])

    def render(self) -> str | NDArray[np.uint8] | None:
        """Shows what the seat to act sees, all seats' cards hidden but its own."""
        games = self._begun()
        seen = observe(from_bytes(games.states[0].tobytes()), int(games.current_player[0]))
        return self._renderer.render(seen)

    def close(self) -> None:
        """Nothing to give back."""

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def _begun(self) -> Games:
        if self._games is None:
            raise SetupError("no game has begun: expected a reset first")
        return self._games

    def _known(self, agent: str) -> str:
        if agent not in self._seats:
            known = ", ".join(self.possible_agents)
            raise SetupError(f"{quoted(agent)} is no agent: expected one of {known}")
        return agent


def _mask(games: Games) -> NDArray[np.int8]:
    """The mask of whose turn it is."""
    mask: NDArray[np.int8] = games.legal_action_mask[0].view(np.int8)
    return mask


class _EndedByIllegal(raw_env):
    """The environment whose games end with an illegal action."""

    def _take_illegal(self, action: int) -> None:  # noqa: ARG002 (whichever it is)
        EnvLogger.warn_on_illegal_move()
        loser = self.agent_selection
        self._end([self._illegal_reward if agent == loser else 0.0 for agent in self.agents])


if NAME not in aec_registry:
    register("aec", NAME, f"{__name__}:env")
