"""Changes to a table that pages offer and the API doesn't: through the functions behind both."""

from __future__ import annotations

import asyncio

import pytest
from running import Client, make, mover, wait_for

from fugger import record
from fugger.dealer import Verdict, verify
from fugger.rules.state import SPECTATOR
from fugger.web import making, play, seating, talk
from fugger.web.changes import Refused
from fugger.web.making import Wish

ALONE = Wish(seats=[("me", ""), ("bot", "random")], target=20, first=0, pause=0.0)


def table_of(here, wish=ALONE, player="anna", name="Anna", **more):
    return here.call(making.make(here.site, wish, player, name, **more))


def my_turn(table):
    wait_for(lambda: table.game.player == 0 or table.phase == "over")


def act_once(here, table, seat=0):
    my_turn(table)
    action = table.game.legal_actions[0]
    here.call(play.act(here.site, table, seat, table.ply, action))


def reason_of(here, work) -> str:
    with pytest.raises(Refused) as refused:
        here.call(work)
    return refused.value.reason


def reloaded(here, table):
    """The table as the database has it."""
    return here.call(here.site.tables._load(table.id))


def test_alone_against_bots_an_action_is_taken_back_with_the_bots(here):
    table = table_of(here)
    my_turn(table)
    before = table.game.tokens
    act_once(here, table)
    my_turn(table)

    here.call(play.take_back(here.site, table, 0, table.ply))

    assert before == table.game.tokens
    assert before == reloaded(here, table).game.tokens
    assert ["undo"] == [remark.kind for remark in table.remarks]


def test_the_same_action_again_brings_the_same_cards(here):
    table = table_of(here)
    my_turn(table)
    act_once(here, table)
    my_turn(table)
    after = table.game.tokens
    here.call(play.take_back(here.site, table, 0, table.ply))
    act_once(here, table)
    my_turn(table)

    assert after[:12] == table.game.tokens[:12]


def test_a_finished_game_is_taken_back_and_finished_again(here):
    table = table_of(here)
    while table.phase == "playing":
        act_once(here, table)
        wait_for(lambda: table.phase == "over" or table.game.player == 0)

    here.call(play.take_back(here.site, table, 0, table.ply))
    assert "playing" == table.phase == reloaded(here, table).phase
    while table.phase == "playing":
        act_once(here, table)
        wait_for(lambda: table.phase == "over" or table.game.player == 0)
    (game,) = record.loads(record.dumps(table.tagged(table.game)))
    assert Verdict.VERIFIED == verify(game).verdict


def test_nothing_to_take_back(here):
    table = table_of(here)
    my_turn(table)

    assert "undo" == reason_of(here, play.take_back(here.site, table, 0, table.ply))


def test_nothing_is_taken_back_among_friends(here):
    table = table_of(here, Wish(seats=[("me", ""), ("human", "")], first=0))
    here.call(seating.sit(here.site, table, 1, "bea", "Bea"))
    act_once(here, table)

    assert "undo" == reason_of(here, play.take_back(here.site, table, 0, table.ply))


def test_a_stale_take_back(here):
    table = table_of(here)
    act_once(here, table)
    my_turn(table)

    assert "stale" == reason_of(here, play.take_back(here.site, table, 0, 0))


def test_spectators_dont_act(here):
    table = table_of(here)
    my_turn(table)

    assert "seat" == reason_of(here, play.act(here.site, table, SPECTATOR, table.ply, "+"))


def test_nobody_acts_before_the_game_or_after_it(here):
    waiting = table_of(here, Wish(seats=[("me", ""), ("human", "")]))

    assert "phase" == reason_of(here, play.act(here.site, waiting, 0, 0, "+"))


def test_one_sits_once(here):
    table = table_of(here, Wish(seats=[("me", ""), ("human", ""), ("human", "")]))

    assert "taken" == reason_of(here, seating.sit(here.site, table, 1, "anna", "Anna"))
    assert "taken" == reason_of(here, seating.sit(here.site, table, 0, "bea", "Bea"))
    assert "taken" == reason_of(here, seating.sit(here.site, table, 7, "bea", "Bea"))


def test_one_who_stands_up_leaves_the_seat_open(here):
    table = table_of(here, Wish(seats=[("me", ""), ("human", ""), ("human", "")]))
    here.call(seating.sit(here.site, table, 1, "bea", "Bea"))
    here.call(seating.stand_up(here.site, table, "bea"))

    assert ["human", "open", "open"] == [seat.kind for seat in reloaded(here, table).seats]
    assert "phase" == reason_of(here, seating.stand_up(here.site, table, "bea"))


def test_a_table_is_filled_with_bots_by_who_sits_there(here):
    table = table_of(here, Wish(seats=[("me", ""), ("human", ""), ("human", "")]))

    assert "seat" == reason_of(here, seating.start(here.site, table, "stranger"))
    here.call(seating.start(here.site, table, "anna"))
    assert ["human", "bot", "bot"] == [seat.kind for seat in reloaded(here, table).seats]
    assert "phase" == reason_of(here, seating.start(here.site, table, "anna"))


def test_a_rematch_is_made_once_and_begins_one_seat_further(here):
    table = table_of(here, Wish(seats=[("me", ""), ("human", "")], target=20, first=0))
    here.call(seating.sit(here.site, table, 1, "bea", "Bea"))
    assert "phase" == reason_of(here, making.rematch(here.site, table, "anna"))
    while table.phase == "playing":
        seat = table.game.player
        here.call(play.act(here.site, table, seat, table.ply, table.game.legal_actions[-1]))

    assert "seat" == reason_of(here, making.rematch(here.site, table, "stranger"))
    following = here.call(making.rematch(here.site, table, "bea"))
    assert following is here.call(making.rematch(here.site, table, "anna"))
    assert following.id == reloaded(here, table).rematch
    assert 1 == following.game.first
    assert ["open", "human"] == [seat.kind for seat in following.seats]
    here.call(seating.sit(here.site, following, 0, "anna", "Anna"))
    assert "playing" == following.phase


def test_talk_is_kept_apart_from_the_game(here):
    table = table_of(here)
    here.call(talk.say(here.site, table, 0, "  good\n luck  "))

    assert [(0, "Anna", "good luck")] == [
        (line.seat, line.name, line.text) for line in reloaded(here, table).chat
    ]


@pytest.mark.parametrize("text", ["", " \n ", "x" * 201, "a\x00b", "\u202egnol"])
def test_a_line_that_wont_do(here, text):
    assert "chat" == reason_of(here, talk.say(here.site, table_of(here), 0, text))


def test_joined_letters_and_emoji_are_lines(here):
    table = table_of(here)

    here.call(talk.say(here.site, table, 0, text := "क्\u200dष 👨\u200d👩\u200d👧"))

    assert text == table.chat[-1].text


def test_a_clock_that_is_set_back_silences_nobody(here, monkeypatch):
    table = table_of(here)
    for number in range(6):
        here.call(talk.say(here.site, table, 0, f"line {number}"))
    monkeypatch.setattr(talk, "now", lambda: table.chat[0].at - 3600)

    here.call(talk.say(here.site, table, 0, "one hour before"))

    assert "one hour before" == table.chat[-1].text


def test_who_stands_up_at_the_last_moment_is_not_replaced_by_a_bot(here):
    wish = Wish(seats=[("me", ""), ("human", "")], pause=0.0)
    table = table_of(here, wish)

    async def both():
        # Anna's request waits for the lock while Ben sits down, and comes before the start.
        await asyncio.gather(
            seating.sit(here.site, table, 1, "ben", "Ben"),
            seating.stand_up(here.site, table, "anna"),
        )

    here.call(both())

    assert ("waiting", "open") == (table.phase, table.seats[0].kind)


def test_only_who_sits_at_the_table_talks(here):
    assert "seat" == reason_of(here, talk.say(here.site, table_of(here), SPECTATOR, "hello"))


def test_who_talks_too_much_is_slowed(here):
    table = table_of(here)
    for number in range(talk.TALK_LINES):
        here.call(talk.say(here.site, table, 0, str(number)))

    assert "flood" == reason_of(here, talk.say(here.site, table, 0, "more"))


def test_a_record_is_the_same_after_a_restart(here):
    table = table_of(here)
    act_once(here, table)
    my_turn(table)

    again = reloaded(here, table)
    assert record.dumps(table.tagged(table.game)) == record.dumps(again.tagged(again.game))
    assert table.actors == again.actors


def test_words_of_the_wrong_form_make_no_table(here):
    with pytest.raises(ValueError, match="contribution"):
        table_of(here, words="a\nb")


def test_words_of_the_wrong_form_take_no_seat(here):
    table = table_of(here, Wish(seats=[("me", ""), ("human", "")]))
    with pytest.raises(ValueError, match="contribution"):
        here.call(seating.sit(here.site, table, 1, "bea", "Bea", "a\nb"))

    assert "open" == table.seats[1].kind


def test_idle_tables_leave_memory_and_come_back(here, monkeypatch):
    monkeypatch.setattr("fugger.web.memory._KEPT", 5)
    clients = make(here.client)
    ply = mover(clients).first_legal().json()["ply"]
    for _ in range(8):
        make(here.client)

    assert here.site.tables.in_memory(clients[0].table) is None
    assert ply == Client(here.client, clients[0].table).look()["ply"]


def test_a_table_that_is_watched_stays_in_memory(here, monkeypatch):
    monkeypatch.setattr("fugger.web.memory._KEPT", 5)
    clients = make(here.client)
    with clients[0].stream() as boards:
        next(boards)
        for _ in range(8):
            make(here.client)
        mover(clients).first_legal()

        assert 2 == next(boards)["ply"]
