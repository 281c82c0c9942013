"""What a game looks like to whoever watches an environment: a text or a picture."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

from rich.console import Console, Group

from fugger.errors import SetupError, quoted
from fugger.rules.state import OVER
from fugger.terminal import look
from fugger.terminal.board import board, open_hands
from fugger.texts import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fugger.editions import Edition
    from fugger.rules.state import State

MODES: Final = ("ansi", "human", "rgb_array")
"""Ways to render: a text with colours, the same printed, a picture's colours."""
_COLUMNS: Final = 80


class Renderer:
    """Renders observations in one way.

    Args:
        mode: one of `MODES`; None renders nothing.
        edition: of the games.
        target: gulden that end a game; the edition's own if None.

    Raises:
        SetupError: there is no such mode.
    """

    def __init__(self, mode: str | None, edition: Edition, target: int | None) -> None:
        if mode is not None and mode not in MODES:
            expected = ", ".join(MODES)
            raise SetupError(f"render_mode is {quoted(mode)}: expected None or one of {expected}")
        self._mode = mode
        self._edition = edition
        self._target = edition.target if target is None else int(target)

    def render(self, observation: State) -> str | NDArray[np.uint8] | None:
        """What an observation's viewer sees.

        Returns:
            A text with ANSI colours, or a picture, uint8 (height, width, 3); None if it was
            printed or there is no mode.
        """
        if self._mode == "ansi":
            return self._text(observation, colours=True)
        if self._mode == "human":
            print(self._text(observation, colours=False), end="")
        if self._mode == "rgb_array":
            # Imported here: only pictures need what draws them.
            from fugger.envs.picture import picture  # noqa: PLC0415

            return picture(observation, self._target)
        return None

    def _text(self, observation: State, *, colours: bool) -> str:
        """The board and the hands that may be seen."""
        console = Console(
            file=io.StringIO(),
            width=_COLUMNS,
            color_system="256" if colours else None,
            force_terminal=colours,
            emoji=False,
            highlight=False,
            markup=False,
            legacy_windows=False,
        )
        say = words("en")
        names = tuple(
            say.say("Player {number}", number=seat + 1) for seat in range(observation.players)
        )
        view = look.View(say, names, self._edition, self._target, look.UNICODE)
        parts = [board(observation, view)]
        if observation.stage != OVER:
            parts.append(open_hands(observation, view))
        with console.capture() as captured:
            console.print(Group(*parts))
        return captured.get()
