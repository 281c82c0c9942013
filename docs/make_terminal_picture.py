"""Draws `terminal.svg`, the picture of a game in the terminal that the README shows.

``uv run docs/make_terminal_picture.py`` draws it anew; the seed is fixed, so it stays the same
until the screen, the dealer or the greedy bot changes.
"""

from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from fugger.bots import bot_named
from fugger.dealer import KeyedStream
from fugger.game import Game
from fugger.story import since_last_action, story, tell
from fugger.terminal.board import board, hand_with_choices
from fugger.terminal.look import UNICODE, View
from fugger.terminal.reading import paragraph
from fugger.texts import words

PICTURE = Path(__file__).with_name("terminal.svg")
SEED = bytes([7]) * 32
ACTIONS = 57
YOU = 0

# The fonts are the reader's own: nothing is fetched from anywhere.
TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>A game of Die Fugger in the terminal: prices, table, players and a hand</title>
<style>
.{unique_id}-matrix {{
  font: {char_height}px/{line_height}px ui-monospace, "Cascadia Mono", Menlo, Consolas,
    "DejaVu Sans Mono", monospace;
}}
.{unique_id}-title {{ font: 18px sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def draw() -> str:
    """The picture of a game against greedy bots, seen from your seat in your turn."""
    game = Game(players=4)
    KeyedStream(SEED).deal_all(game)
    while game.player is not None and (game.actions_taken < ACTIONS or game.player != YOU):
        bot = bot_named("greedy", game.actions_taken)
        game.play(bot.choose(game.observe(game.player)))
        KeyedStream(SEED).deal_all(game)
    names = ("You", "Welser", "Imhof", "Herwart")
    view = View(words("en"), names, game.edition, game.target, UNICODE, YOU)
    seen = game.observe(YOU)
    told = [
        tell(event, YOU, view.words, view.names)
        for event in since_last_action(story(game, YOU), YOU)
    ]
    console = Console(
        record=True, width=80, file=StringIO(), force_terminal=True, color_system="truecolor"
    )
    for page in (board(seen, view), "", paragraph(told), "", hand_with_choices(seen, view)):
        console.print(page)
    console.print(Text(" Your choice (? for help): ", "bold"), end="")
    return console.export_svg(
        title="fugger play", theme=MONOKAI, code_format=TEMPLATE, unique_id="fugger"
    )


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
