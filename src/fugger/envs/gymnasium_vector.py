"""Thousands of learners' games at once, for Gymnasium: compiled, on all cores.

    import gymnasium
    import fugger.envs.gymnasium

    envs = gymnasium.make_vec("Fugger-v0", num_envs=1024, opponents="greedy")
    observations, infos = envs.reset(seed=7)
    actions = envs.action_space.sample(mask=tuple(infos["action_mask"]))
    observations, rewards, terminations, truncations, infos = envs.step(actions)

Each is what `fugger.envs.gymnasium.FuggerEnv` is, and with a seed of 7 the same, game by game, as
environments with the seeds 7, 8, 9 and so on, whatever the number of threads. ``action_mask`` of
the infos is int8 (n, 23).
"""

from __future__ import annotations

import copy
import secrets
from typing import TYPE_CHECKING, Any, Final, Self, cast

import numpy as np

from fugger.envs.extras import missing

try:
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from fugger.envs.spaces import action_space, observation_box
except ModuleNotFoundError as absent:
    raise missing("gymnasium", absent) from None

from fugger.bots import POLICIES
from fugger.editions import Edition, edition_named
from fugger.envs.gymnasium import FuggerEnv, InvalidAction, ResetNeeded
from fugger.envs.learners import BEGIN, STAY, Learners
from fugger.envs.moves import check_options, pass_alone, refusal
from fugger.envs.opponents import illegal_reward, is_policy, opponents_of
from fugger.envs.rendering import Renderer
from fugger.envs.vector import described, numbers_of
from fugger.errors import BotError, IllegalAction, SeedError, SetupError, is_whole, quoted
from fugger.rules.actions import ACTIONS
from fugger.rules.information import observe
from fugger.rules.state import from_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from fugger.envs.tensor import Tensor

_SEED: Final = 63
"""Bits of a random seed."""


class FuggerVectorEnv(VectorEnv["Tensor", "NDArray[np.int64]", "NDArray[Any]"]):
    """Learners' games against bots, side by side.

    Args:
        num_envs: how many games.
        players: 2 to 4.
        opponents: who plays against each learner: the name of one of `fugger.bots.POLICIES` for
            all, or one for each of the others, clockwise from the learner's left neighbour.
        seat: the learners', from 0; if None each game draws its own.
        edition: ``"adlung"``, ``"rody"`` or an `Edition`.
        first: the starting seat, from 0; if None each game draws its own.
        target: gulden that end a game, 20 to 500; the edition's own (100) by default.
        reward: ``"win_share"`` or ``"margin"``, see `fugger.envs.rewards`.
        illegal_action: ``"lose"`` or ``"error"``, as of a `FuggerEnv`.
        autoreset_mode: when a game that is over begins anew: at the next step, whose action for it
            is ignored (``"NextStep"``), in the same one (``"SameStep"``), or by a reset alone
            (``"Disabled"``); an `AutoresetMode` or its value.
        threads: how many share the work; as many as there are processors by default.
        render_mode: what `render` makes of every game: ``"ansi"``, ``"rgb_array"`` or nothing.

    Raises:
        BotError: no such opponents, or one that isn't compiled.
        EditionError: no such edition.
        SetupError: another argument is out of its range.
    """

    def __init__(  # noqa: PLR0913, PLR0917 (what a setup is)
        self,
        num_envs: int = 1,
        players: int = 3,
        opponents: str | Sequence[str] = "greedy",
        seat: int | None = 0,
        edition: str | Edition = "adlung",
        first: int | None = None,
        target: int | None = None,
        reward: str = "win_share",
        illegal_action: str = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if not is_whole(num_envs, 1):
            raise SetupError(f"num_envs is {quoted(num_envs)}: expected a whole number from 1")
        edition = edition if isinstance(edition, Edition) else edition_named(edition)
        bots = opponents_of(opponents, players)
        for bot in bots:
            if not is_policy(bot):
                raise BotError(
                    f"{quoted(bot)} isn't compiled: expected {', '.join(POLICIES)} here, or "
                    "several environments of their own (vectorization_mode='sync' or 'async')"
                )
        self._learners = Learners(
            cast("list[str | None]", bots),
            seat,
            players=players,
            edition=edition,
            first=first,
            target=target,
            reward=reward,
            threads=threads,
        )
        self._illegal_reward = illegal_reward(illegal_action, reward, edition, target)
        if render_mode == "human":
            raise SetupError("render_mode is 'human': expected None, ansi or rgb_array")
        self._renderer = Renderer(render_mode, edition, target)
        self.render_mode = render_mode
        self._mode = _autoreset_mode(autoreset_mode)
        self.metadata = {
            "render_modes": ["ansi", "rgb_array"],
            "render_fps": FuggerEnv.metadata["render_fps"],
            "autoreset_mode": self._mode,
        }
        self.num_envs = int(num_envs)
        self._games = self._learners.open(self.num_envs)
        self.single_observation_space = observation_box(edition, players, target)
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._over = np.zeros(self.num_envs, np.bool_)
        self._begun = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Tensor, dict[str, Any]]:
        """Begins the games, and plays them on to the learners' first turns.

        Args:
            seed: a whole number from 0: the games have this and the next ones; or one for each
                game, None for one that goes on with the cards to come. The same ones give the same
                games, and so do those begun after them without a seed.
            options: ``reset_mask``, bool (n,), says which games begin; all else is ignored.

        Raises:
            SeedError: these are no such seeds.
            SetupError: the options are no dict, or the mask none.
        """
        check_options(options)
        begins = self._reset_mask(options)
        if not self._begun and not begins.all():
            raise ResetNeeded("reset_mask leaves out games that never began: expected all at first")
        seeds = self._seeds(seed)
        for game in np.flatnonzero(begins):
            found = seeds[int(game)]
            if found is not None:
                self._learners.seed(self._games, int(game), found)
        self._begun = True
        self._learners.play(self._games, np.where(begins, BEGIN, STAY))
        self._over[begins] = False
        return self._games.observation.copy(), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Tensor, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Takes every learner's action, and plays on to their next turns or the ends.

        Args:
            actions: their numbers; whole numbers (n,).

        Returns:
            Observations, int16 (n, 128); rewards, float64 (n,); terminations and truncations,
            bool (n,); infos. If games begin anew in the same step, ``final_obs`` and
            ``final_info`` tell how they ended.

        Raises:
            InvalidAction: these are no actions, or one isn't legal and that is an error. No game
                has been changed then.
            ResetNeeded: no game has begun; or one is over and doesn't begin anew.
        """
        if not self._begun:
            raise ResetNeeded("no game has begun: expected a reset")
        moves = self._checked(actions)
        begins = self._over.copy()
        if self._mode is AutoresetMode.DISABLED and begins.any():
            game = int(np.flatnonzero(begins)[0])
            raise ResetNeeded(f"game {game} is over: expected a reset with a reset_mask")
        illegal = ~begins & ~self._games.legal_action_mask[np.arange(self.num_envs), moves]
        refused = self._refused(moves, illegal)
        self._learners.play(self._games, np.where(begins, BEGIN, np.where(illegal, STAY, moves)))
        rewards = self._games.rewards[np.arange(self.num_envs), self._games.seats].astype(
            np.float64
        )
        if refused:
            rewards[illegal] = self._illegal_reward
        self._over = self._games.terminated | illegal
        ended = self._over.copy()
        infos = self._infos()
        if refused:
            infos |= {"illegal_action": self._told(refused), "_illegal_action": illegal}
        if self._mode is AutoresetMode.SAME_STEP and ended.any():
            infos = self._begin_anew(ended, infos)
        truncations = np.zeros(self.num_envs, np.bool_)
        return self._games.observation.copy(), rewards, ended, truncations, infos

    def render(self) -> tuple[Any, ...] | None:
        """Shows what each learner sees.

        Raises:
            ResetNeeded: no game has begun.
        """
        if not self._begun:
            raise ResetNeeded("no game has begun: expected a reset")
        if self.render_mode is None:
            return None
        return tuple(
            self._renderer.render(observe(from_bytes(state.tobytes()), int(seat)))
            for state, seat in zip(self._games.states, self._games.seats, strict=True)
        )

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def _begin_anew(self, ended: NDArray[np.bool_], infos: dict[str, Any]) -> dict[str, Any]:
        """Begins the games that have ended, and tells how they did."""
        last = {int(game): self._games.observation[game].copy() for game in np.flatnonzero(ended)}
        self._learners.play(self._games, np.where(ended, BEGIN, STAY))
        self._over[ended] = False
        infos["action_mask"][~ended] = 0
        infos["_action_mask"] = ended.copy()
        final = {"final_obs": self._told(last), "_final_obs": ended.copy()}
        return self._infos() | final | {"final_info": infos, "_final_info": ended.copy()}

    def _infos(self) -> dict[str, Any]:
        masks = self._games.legal_action_mask.astype(np.int8)
        masks[self._over] = pass_alone()
        return {"action_mask": masks, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _told(self, values: dict[int, Any]) -> NDArray[np.object_]:
        """Something of some games; None of the others."""
        told = np.full(self.num_envs, None, dtype=object)
        for game, value in values.items():
            told[game] = value
        return told

    def _checked(self, actions: object) -> NDArray[np.int64]:
        numbers = numbers_of(cast("Any", actions), self.num_envs)
        if numbers is None:
            raise InvalidAction(
                f"actions are {described(actions)}: expected {self.num_envs} whole numbers, "
                f"from 0 to {ACTIONS - 1}"
            )
        for game in np.flatnonzero((numbers < 0) | (numbers >= ACTIONS)):
            refused = self._refusal(int(game), numbers)
            raise InvalidAction(f"game {game}: {refused}", refused.legal)
        return numbers

    def _refusal(self, game: int, actions: NDArray[np.int64]) -> IllegalAction:
        """Why an action can't be taken in a game."""
        over = self._over[game]
        mask = pass_alone() if over else self._games.legal_action_mask[game].view(np.int8)
        return refusal(actions[game], mask, "the learner")

    def _refused(self, actions: NDArray[np.int64], illegal: NDArray[np.bool_]) -> dict[int, str]:
        """Of each game whose action is illegal why it is, if that is no error."""
        errors = {int(game): self._refusal(int(game), actions) for game in np.flatnonzero(illegal)}
        if self._illegal_reward is None:
            for game, refused in errors.items():
                raise InvalidAction(f"game {game}: {refused}", refused.legal)
        return {game: str(refused) for game, refused in errors.items()}

    def _seeds(self, seed: object) -> Sequence[int | None]:
        """A seed for each game; None where it goes on with the cards to come."""
        if is_whole(seed, 0):
            seeds: Sequence[int | None] = range(int(seed), int(seed) + self.num_envs)
        elif seed is None:
            seeds = [None] * self.num_envs
        else:
            is_list = isinstance(seed, list | tuple | range) or getattr(seed, "ndim", 0) == 1
            seeds = list(seed) if is_list else []  # type: ignore[call-overload]  # arrays too
            whole = [one is None or is_whole(one, 0) for one in seeds]
            if len(whole) != self.num_envs or not all(whole):
                raise SeedError(
                    f"{quoted(seed)} is no seed: expected a whole number from 0, or a list of "
                    f"{self.num_envs}"
                )
        if self._begun:
            return seeds
        return [secrets.randbits(_SEED) if one is None else one for one in seeds]

    def _reset_mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        if options is None or "reset_mask" not in options:
            return np.ones(self.num_envs, np.bool_)
        mask = options["reset_mask"]
        valid = isinstance(mask, np.ndarray) and mask.dtype == np.bool_
        if not valid or mask.shape != (self.num_envs,) or not mask.any():
            raise SetupError(
                f"reset_mask is {described(mask)}: expected bool of shape ({self.num_envs},), one "
                "of them true"
            )
        return cast("NDArray[np.bool_]", mask)


def _autoreset_mode(mode: object) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(one.value for one in AutoresetMode)
        raise SetupError(f"autoreset_mode is {quoted(mode)}: expected one of {known}") from None
