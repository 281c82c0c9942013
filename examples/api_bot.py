"""A whole bot for the site's JSON API: it sits down at a table and plays until the game is over.

    python examples/api_bot.py http://127.0.0.1:8484              its own table, against two bots
    python examples/api_bot.py http://127.0.0.1:8484/tables/ID    an open seat at somebody's table
How the API works is told in docs/api.md.
"""

import json
import random
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def ask(url: str, token: str = "", body: object = None):
    """Opens a URL: GET, or POST if there is a body."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    return urlopen(Request(url, data, headers | {"Content-Type": "application/json"}))


def choose(board: dict) -> str:
    """The bot's idea of the game: mostly play a good, of those at hand the best-paid."""
    plays = [action for action in board["legal"] if action[0] in board["prices"]]
    if plays and random.random() < 0.8:
        return max(plays, key=lambda action: board["prices"][action[0]])
    return random.choice(board["legal"])


def act(table: str, token: str, board: dict) -> None:
    """Takes an action, unless the board has moved on: then the stream brings the newer one."""
    try:
        ask(f"{table}/actions", token, {"ply": board["ply"], "action": choose(board)})
    except HTTPError as error:
        if error.code != 409:
            raise


def play(table: str, token: str) -> dict:
    """Acts whenever it is our turn; the last board."""
    while True:  # a stream that ends, since the server is restarted, is followed again
        for line in ask(f"{table}/stream", token):
            if line.startswith(b"data: "):
                board = json.loads(line.removeprefix(b"data: "))
                if board["phase"] == "over":
                    return board
                if board["legal"]:
                    act(table, token, board)


site, _, name = sys.argv[1].partition("/tables/")
if name:
    token = json.load(ask(f"{site}/api/tables/{name}/seats", body={"name": "API bot"}))["token"]
else:
    seats = [{"kind": "human", "name": "API bot"}, {"kind": "bot"}, {"kind": "bot"}]
    made = json.load(ask(f"{site}/api/tables", body={"seats": seats}))
    name, token = made["id"], made["tokens"][0]
end = play(f"{site}/api/tables/{name}", token)
print("money", [seat["money"] for seat in end["seats"]], "winners", end["winners"])
