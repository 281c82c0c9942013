"""The JSON API: who may do what, and what happens when they may not."""

from __future__ import annotations

import threading

import pytest
from running import Client, Here, make, mover, wait_for

from fugger import record
from fugger.dealer import Verdict, verify
from fugger.rules.state import SPECTATOR
from fugger.web import store
from fugger.web.changes import Refused
from fugger.web.live import check_room
from fugger.web.store import select


def events(here: Here, table: str) -> list[str]:
    """The actions committed at a table."""
    rows = here.call(
        here.site.store.rows(
            select(store.events.c.action)
            .where(store.events.c.game == table)
            .order_by(store.events.c.ply)
        )
    )
    return [row.action for row in rows]


def refused(answer, status: int, reason: str | None) -> None:
    assert status == answer.status_code, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert status == problem["status"]
    assert reason == problem.get("reason")
    assert problem["title"]
    assert problem["detail"]
    assert problem["instance"].startswith("/api/")


def test_a_whole_game_and_its_shuffle_can_be_checked(here):
    clients = make(here.client, "hhh")
    commitment = clients[0].look()["commitment"]
    while (board := clients[0].look())["phase"] == "playing":
        assert clients[board["player"]].first_legal().status_code == 200

    (game,) = record.loads(clients[0].get("/record").text)
    assert Verdict.VERIFIED == verify(game).verdict
    assert commitment == board["commitment"] == game.tags["Commitment"]
    assert board["seed"] == game.tags["Seed"]
    assert board["winners"] == game.winners


def test_a_game_against_bots_ends(here):
    me, *_ = clients = make(here.client, "hbb", target=30)
    while me.look()["phase"] == "playing":
        board = wait_for(lambda: next((b for b in [me.look()] if b["player"] in {0, None}), None))
        if board["player"] is None:
            break
        mover(clients).first_legal()

    assert "over" == me.look()["phase"]


def test_the_answer_to_an_action_is_the_board_after_it(here):
    clients = make(here.client)
    actor = mover(clients)
    before = actor.look()

    after = actor.act(before["ply"], before["legal"][0])

    assert before["ply"] + 1 == after.json()["ply"]
    assert after.json() == actor.look()


def test_a_hand_is_shown_to_its_own_seat_alone(here):
    clients = make(here.client, "hhh")

    for viewer, client in enumerate([*clients, Client(here.client, clients[0].table)]):
        hands = [seat["hand"] is not None for seat in client.look()["seats"]]
        assert [seat == viewer for seat in range(3)] == hands


def test_a_stale_ply_changes_nothing(here):
    clients = make(here.client)
    actor = mover(clients)
    board = actor.look()
    action = board["legal"][0]
    actor.act(board["ply"], action)
    after = actor.look()

    refused(actor.act(board["ply"], action), 409, "stale")
    assert after == actor.look()


def test_a_ply_to_come_is_refused(here):
    actor = mover(make(here.client))
    board = actor.look()

    refused(actor.act(board["ply"] + 1, board["legal"][0]), 409, "stale")


def test_the_same_post_twice_at_once_is_taken_once(here):
    for _ in range(10):
        clients = make(here.client)
        actor = mover(clients)
        board = actor.look()
        answers = []

        def post(actor=actor, board=board, answers=answers):
            answers.append(actor.act(board["ply"], board["legal"][0]).status_code)

        posts = [threading.Thread(target=post) for _ in range(4)]
        for one in posts:
            one.start()
        for one in posts:
            one.join()

        assert [200, 409, 409, 409] == sorted(answers)
        assert ["", board["legal"][0]] == events(here, actor.table)


def test_another_seats_turn(here):
    clients = make(here.client)
    actor = mover(clients)
    (other,) = set(clients) - {actor}

    refused(other.act(other.look()["ply"], "+"), 409, "turn")


@pytest.mark.parametrize("action", ["--", "(M)", "Q", "9:C", "é", "<b>"])
def test_an_illegal_action_says_what_is_legal(here, action):
    actor = mover(make(here.client))
    board = actor.look()

    answer = actor.act(board["ply"], action)

    refused(answer, 422, "illegal")
    assert " ".join(board["legal"]) in answer.json()["detail"]


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer x", "Basic x", "Bearer " + 999 * "x"]
)
def test_without_a_seats_token_nobody_acts(here, header):
    actor = mover(make(here.client))
    board = actor.look()
    headers = {} if header is None else {"Authorization": header}

    answer = here.client.post(
        f"/api/tables/{actor.table}/actions",
        json={"ply": board["ply"], "action": board["legal"][0]},
        headers=headers,
    )

    assert 401 == answer.status_code
    assert "Bearer" == answer.headers["www-authenticate"]
    assert board == actor.look()


def test_a_token_is_good_at_its_own_table_alone(here):
    actor = mover(make(here.client))
    other = make(here.client)[0]

    refused(Client(here.client, actor.table, other.token).get(), 401, "token")


@pytest.mark.parametrize("name", ["aaaaaaaaaa", "0000000000", "x"])
@pytest.mark.parametrize("what", ["", "/stream", "/record"])
def test_a_table_that_is_none(here, name, what):
    refused(here.client.get(f"/api/tables/{name}{what}"), 404, "table")


@pytest.mark.parametrize("name", ["A", "%3Cb%3E", "..%2f..", 17 * "a", "a'--", "%00"])
def test_an_id_that_is_none(here, name):
    assert here.client.get(f"/api/tables/{name}").status_code in {400, 404}


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        None,
        {"seats": []},
        {"seats": [{"kind": "human"}]},
        {"seats": 5 * [{"kind": "human"}]},
        {"seats": 2 * [{"kind": "king"}]},
        {"seats": [{"kind": "human"}, {"kind": "bot", "level": "nobody"}]},
        {"seats": 2 * [{"kind": "human"}], "target": 19},
        {"seats": 2 * [{"kind": "human"}], "target": "many"},
        {"seats": 2 * [{"kind": "human"}], "edition": "none"},
        {"seats": 2 * [{"kind": "human"}], "first": 2},
        {"seats": 2 * [{"kind": "human"}], "players": 3},
        {"seats": 2 * [{"kind": "human", "name": " "}]},
        {"seats": 2 * [{"kind": "human", "name": "a\u202eb"}]},
        {"seats": 2 * [{"kind": "human"}], "seconds": 1},
        {"seats": 2 * [{"kind": "human"}], "unknown": 1},
    ],
)
def test_a_wish_that_makes_no_table(here, body):
    answer = here.client.post("/api/tables", json=body)

    assert 400 == answer.status_code, answer.text
    assert answer.json()["detail"]


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 30_000, b'{"ply": 1e999}', b"null"])
def test_a_body_that_is_no_json(here, body):
    actor = mover(make(here.client))

    answer = here.client.post(
        f"/api/tables/{actor.table}/actions", content=body, headers=actor.headers
    )

    refused(answer, 400, answer.json().get("reason"))


def test_names_are_kept_as_they_are(here):
    seats = [{"kind": "human", "name": "<b>Ö\u0151 &amp;"}, {"kind": "bot"}]
    made = here.client.post("/api/tables", json={"seats": seats}).json()

    assert "<b>Ö\u0151 &amp;" == Client(here.client, made["id"]).look()["seats"][0]["name"]


@pytest.mark.parametrize("name", ["a\x00b", "a\u202eb", "\u3164", " "])
def test_a_bots_name_is_a_name_too(here, name):
    seats = [{"kind": "human"}, {"kind": "bot", "name": name}]

    refused(here.client.post("/api/tables", json={"seats": seats}), 400, "name")


def test_the_last_who_sits_down_starts_the_game(here):
    clients = make(here.client, "oho")
    table = clients[1].table
    first = here.client.post(f"/api/tables/{table}/seats", json={"name": "Anna"}).json()
    assert "waiting" == clients[1].look()["phase"]
    second = here.client.post(f"/api/tables/{table}/seats", json={"name": "Bea"}).json()

    board = Client(here.client, table, second["token"]).look()
    assert [0, 2, 2] == [first["seat"], second["seat"], board["seat"]]
    assert "playing" == board["phase"]
    assert ["Anna", "Player 2", "Bea"] == [seat["name"] for seat in board["seats"]]


def test_a_seat_is_taken_once(here):
    table = make(here.client, "oo")[0].table
    answers = []

    def sit():
        body = {"name": "Anna", "seat": 1}
        answers.append(here.client.post(f"/api/tables/{table}/seats", json=body).status_code)

    rivals = [threading.Thread(target=sit) for _ in range(4)]
    for one in rivals:
        one.start()
    for one in rivals:
        one.join()

    assert [201, 409, 409, 409] == sorted(answers)


def test_a_players_own_words_are_in_the_record(here):
    table = make(here.client, "oh")[0].table
    body = {"name": "Anna", "words": "4 2 6 " + "\u0151"}
    token = here.client.post(f"/api/tables/{table}/seats", json=body).json()["token"]

    text = Client(here.client, table, token).get("/record").text
    assert f'[Random1 "{body["words"]}"]' in text


def test_a_bot_plays_for_whoever_leaves_until_they_return(here):
    clients = make(here.client, "hh")
    leaver = mover(clients)
    ply = leaver.look()["ply"]

    assert 200 == leaver.post("/leave").status_code
    board = wait_for(lambda: next((b for b in [leaver.look()] if b["ply"] > ply), None))
    assert board["seats"][board["seat"]]["away"]
    board = leaver.post("/return").json()
    assert not board["seats"][board["seat"]]["away"]


def test_who_acts_has_returned(here):
    clients = make(here.client, "hh")
    actor = mover(clients)
    (leaver,) = set(clients) - {actor}
    leaver.post("/leave")
    table = here.site.tables.in_memory(leaver.table)
    table.pause = 60.0  # the bot that stands in is slower than the human
    actor.first_legal()

    answer = leaver.first_legal()

    assert 200 == answer.status_code
    assert not answer.json()["seats"][answer.json()["seat"]]["away"]
    assert ["left", "back"] == [remark.kind for remark in table.remarks]


def test_the_stream_brings_every_newest_board(here):
    clients = make(here.client)
    actor = mover(clients)
    (other,) = set(clients) - {actor}

    with other.stream() as boards:
        assert other.look() == next(boards)
        actor.first_legal()
        assert other.look() == next(boards)


def test_a_table_has_room_for_so_many_streams(here):
    table = here.site.tables.in_memory(make(here.client)[0].table)
    crowd = {object(): SPECTATOR for _ in range(64)}
    table.watchers |= crowd
    try:
        refused(Client(here.client, table.id).get("/stream"), 503, "seats")
    finally:
        table.watchers.clear()


def test_spectators_take_no_seats_stream(here):
    client = make(here.client)[0]
    table = here.site.tables.in_memory(client.table)
    crowd = {object(): SPECTATOR for _ in range(64)} | {object(): 1 for _ in range(16)}
    table.watchers |= crowd
    try:
        check_room(table, 0)
        with pytest.raises(Refused, match="16 streams of this seat are open"):
            check_room(table, 1)
    finally:
        table.watchers.clear()


def test_a_stream_that_is_closed_leaves_nothing(here):
    client = make(here.client)[0]
    table = here.site.tables.in_memory(client.table)
    with client.stream() as boards:
        next(boards)
        assert 1 == len(table.watchers)

    wait_for(lambda: not table.watchers)


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"target": "100"}, "target"),
        ({"seconds": 30.5}, "seconds"),
        ({"listed": 1}, "listed"),
        ({"seats": [{"kind": "human"}, {"kind": "human", "name": 7}]}, "seats[1].name"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_by_name(here, wish, field):
    seats = [{"kind": "human"}, {"kind": "human"}]
    answer = here.client.post("/api/tables", json={"seats": seats} | wish)

    assert 400 == answer.status_code
    assert answer.json()["detail"].startswith(f"{field}: Expected")
