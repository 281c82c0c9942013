"""The pages as a browser without scripts gets them: forms, redirects, languages, errors."""

from __future__ import annotations

import html
import re
from itertools import islice, takewhile
from pathlib import Path

import httpx
import pytest
from running import PATIENCE, make, wait_for
from test_secrecy import GAMES, table_of, twins

from fugger import dealer, record
from fugger.rules.state import SPECTATOR
from fugger.texts import LANGUAGES
from fugger.web.identity import Identity, Player
from fugger.web.seating import STAND_IN

GOLDEN = Path(__file__).parents[1] / "golden"


class Browser:
    """Somebody with a cookie jar."""

    def __init__(self, here, language: str = "en") -> None:
        self.http = httpx.Client(
            base_url=here.url,
            timeout=PATIENCE,
            follow_redirects=True,
            headers={"Accept-Language": language},
        )

    def get(self, path: str, **options) -> httpx.Response:
        return self.http.get(path, **options)

    def post(self, path: str, **form: object) -> httpx.Response:
        return self.http.post(path, data=form)

    def table(self, **form: object) -> str:
        """The path of a new table: by default of two people, the second seat open."""
        wish = {"seat1": "me", "seat2": "human", "edition": "adlung", "name": "Ann"}
        answer = self.post("/tables", **(wish | form))
        assert 200 == answer.status_code, answer.text
        return answer.url.path

    def live(self, path: str, **form: object) -> httpx.Response:
        """A post by the page's script."""
        return self.http.post(path, data=form, headers={"HX-Request": "true"})


@pytest.fixture
def browser(here):
    """Makes browsers, in a language."""
    opened = []

    def new(language: str = "en") -> Browser:
        opened.append(Browser(here, language))
        return opened[-1]

    yield new
    for one in opened:
        one.http.close()


@pytest.fixture
def ann(browser):
    return browser()


@pytest.fixture
def ben(browser):
    return browser()


def ply(page: httpx.Response) -> int:
    return int(re.search(r'name="ply" value="(\d+)"', page.text)[1])


def choices(page: httpx.Response) -> list[str]:
    """The actions that a page's buttons offer."""
    buttons = re.findall(r'<button name="action" value="([^"]+)"[^>]*?( disabled)?>', page.text)
    return [html.unescape(action) for action, disabled in buttons if not disabled]


def test_one_click_leads_to_a_running_game(ann):
    page = ann.post("/play")

    assert page.url.path.startswith("/tables/")
    assert "Merchant of Augsburg" in page.text
    assert 'class="playing' in page.text


def levels(page: httpx.Response) -> list[str]:
    """The levels chosen for «play now»: one, if all is well."""
    return re.findall(r'type="radio" class="vh" name="level" value="(\w+)"[^>]* checked', page.text)


def test_the_level_chosen_for_play_now_is_played_and_remembered(ann):
    assert [STAND_IN] == levels(ann.get("/"))
    page = ann.post("/play", level="banker")

    assert 2 == page.text.count("bot · Banker")
    assert ["banker"] == levels(ann.get("/"))
    assert '<option value="bot:banker" class="as-face-5" selected>' in ann.get("/").text


def test_a_level_that_isnt_there_any_more_is_not_remembered(ann):
    ann.http.cookies.set("level", "grandmaster")

    assert [STAND_IN] == levels(ann.get("/"))
    assert 2 == ann.post("/play", level="grandmaster").text.count("bot · Trader")


@pytest.mark.parametrize(
    ("language", "listed"),
    [
        ("en", "Ann, Welser and Imhof"),
        ("de", "Ann, Welser und Imhof"),
        ("fr", "Ann, Welser et Imhof"),
        ("hu", "Ann, Welser és Imhof"),
    ],
)
def test_names_are_listed_as_in_a_sentence(browser, language, listed):
    reader = browser(language)
    path = reader.table(seat2="bot:greedy", seat3="bot:greedy")

    assert re.search(rf"<title>[^<]*: {listed}", reader.get(path).text.replace("\xa0:", ":"))
    assert f"<strong>{listed}</strong>" in reader.get("/").text


def test_editions_are_called_by_their_names(ann):
    path = ann.table(edition="rody", listed="yes")

    assert "Edition Rody, to 100 gulden." in ann.get(path).text
    assert "to 100 gulden · Rody" in ann.get("/").text
    assert "This is the text for the edition Rody" in ann.get("/rules/rody").text


def test_a_name_is_kept(ann):
    ann.post("/name", name="Jörg Ünal")

    assert 'value="Jörg Ünal"' in ann.get("/").text


@pytest.mark.parametrize(
    "name", ["x" * 25, "\u202eevil", "\x07", "\u3164", "\u2800", "Ann\u3164", "\u0301", "\ufe0f"]
)
def test_a_name_that_wont_do_is_explained(ann, name):
    page = ann.post("/name", name=name)

    assert 400 == page.status_code
    assert "A name has 1 to 24 characters" in page.text


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"seat2": "me"}, "2 to 4 seats"),
        ({"seat2": ""}, "2 to 4 seats"),
        ({"target": "19"}, "20 to 500"),
        ({"target": "many"}, "20 to 500"),
        ({"edition": "house"}, "house"),
        ({"seat2": "bot:none"}, "none"),
    ],
)
def test_a_table_that_cant_be_is_explained_and_the_form_stays_filled(ann, wrong, told):
    form = {"seat1": "me", "seat2": "human", "edition": "adlung", "name": "Ann"} | wrong
    page = ann.post("/tables", **form)

    assert 400 == page.status_code
    assert told in re.search(r'role="alert">([^<]*)<', page.text)[1]
    assert 'value="Ann"' in page.text


def test_names_and_chat_are_escaped(ann, ben):
    path = ann.table(name="<b>Ann</b>")
    ben.post(f"{path}/sit", seat=1, name="<i>Ben</i>")
    ann.post(f"{path}/chat", text="<script>alert(1)</script>")
    page = ben.get(path).text + ben.get(f"{path}/log").text + ben.get("/").text

    assert "&lt;script&gt;alert(1)" in page
    assert "&lt;b&gt;Ann&lt;/b&gt;" in page
    assert not re.search("<b>Ann|<i>Ben|<script>alert", page)


def test_a_friend_takes_the_open_seat_and_the_game_starts(ann, ben):
    path = ann.table()
    assert "Waiting for players" in ann.get(path).text
    assert "<svg" in ann.get(path).text  # the QR code
    ben.post(f"{path}/sit", seat=1, name="Ben")

    assert 'class="playing' in ann.get(path).text


def test_a_seat_can_be_given_back(ann, ben):
    path = ann.table(seat3="human")
    ben.post(f"{path}/sit", seat=1, name="Ben")
    assert "Ben" in ann.get(path).text
    ben.post(f"{path}/stand")

    assert "Ben" not in ann.get(path).text


def test_open_seats_are_filled_with_bots(ann):
    path = ann.table(seat3="human")
    ann.post(f"{path}/start")

    assert 'class="playing' in ann.get(path).text


def test_only_listed_tables_are_listed(ann, ben):
    listed, hidden = ann.table(listed="yes"), ann.table()
    page = ben.get("/").text

    assert listed in page
    assert hidden not in page


def test_a_whole_game_without_scripts(ann):
    path = ann.post("/play", name="Ann").url.path
    for _ in range(300):
        page = wait_for(lambda: (p := ann.get(path)) and (p if settled(p) else None))
        if 'class="over' in page.text:
            break
        action = choices(page)[0]
        answer = ann.post(f"{path}/actions", ply=ply(page), action=action)
        assert answer.status_code == 200
    assert "Play a rematch" in page.text
    text = ann.get(f"{path}/record.fgr").text
    assert dealer.verify(record.loads(text)[0]).verdict is dealer.Verdict.VERIFIED
    assert "Checked: all" in ann.get(f"{path}/shuffle").text
    assert "Final scoring" in ann.get(f"{path}/rounds/{rounds(page)}").text
    following = ann.post(f"{path}/rematch")
    assert path != following.url.path
    assert 'class="playing' in following.text


def settled(page: httpx.Response) -> bool:
    return 'class="over' in page.text or 'class="playing mine' in page.text


def rounds(page: httpx.Response) -> int:
    return int(re.search(r'data-rounds="(\d+)"', page.text)[1])


@pytest.fixture
def two(ann, ben):
    """Ann and Ben at a table, whoever acts first: (who acts, who waits, the path)."""
    path = ann.table()
    ben.post(f"{path}/sit", seat=1, name="Ben")
    acts = "playing mine" in ann.get(path).text
    return (ann, ben, path) if acts else (ben, ann, path)


def test_the_same_ply_twice_is_played_once(two):
    acts, _, path = two
    page = acts.get(path)
    form = {"ply": ply(page), "action": choices(page)[0]}

    assert 200 == acts.live(f"{path}/actions", **form).status_code
    again = acts.live(f"{path}/actions", **form)
    assert 409 == again.status_code
    assert "The board had moved on already" in again.text
    assert ply(again) == form["ply"] + 1


def test_nobody_acts_for_others(two, browser):
    acts, waits, path = two
    page = acts.get(path)
    form = {"ply": ply(page), "action": choices(page)[0]}

    assert 409 == waits.post(f"{path}/actions", **form).status_code
    assert 403 == browser().post(f"{path}/actions", **form).status_code
    assert ply(page) == ply(acts.get(path))


@pytest.mark.parametrize("action", ["", "X", "J:C", "--", "(M)", "\x00", "9" * 5000])
def test_what_is_no_action_changes_nothing(two, action):
    acts, _, path = two
    page = acts.get(path)

    answer = acts.post(f"{path}/actions", ply=ply(page), action=action)
    assert 422 == answer.status_code
    assert "That isn&#39;t possible now" in answer.text
    assert ply(page) == ply(acts.get(path))


def test_enter_on_a_card_plays_it_face_up(two):
    acts, _, path = two
    page = acts.get(path)
    card = next(action for action in choices(page) if action[0] not in "+(")

    acts.post(f"{path}/actions", ply=ply(page), action="", card=card)
    assert ply(page) + 1 == ply(acts.get(path))


def test_who_leaves_is_played_for_and_may_come_back(two):
    acts, waits, path = two
    acts.post(f"{path}/leave")
    assert "has left the table; a bot plays on" in waits.get(path).text
    assert "Take my seat back" in acts.get(path).text
    acts.post(f"{path}/return")

    assert "Take my seat back" not in acts.get(path).text


def test_an_action_against_bots_can_be_taken_back(ann):
    path = ann.post("/play").url.path
    page = wait_for(lambda: (p := ann.get(path)) and (p if settled(p) else None))
    ann.post(f"{path}/actions", ply=ply(page), action=choices(page)[0])
    after = wait_for(lambda: (p := ann.get(path)) and (p if settled(p) else None))
    undone = ann.post(f"{path}/undo", ply=ply(after))

    assert choices(page) == choices(undone)
    assert "You take your action back" in undone.text


def test_the_personal_link_moves_a_player_to_another_device(ann, ben):
    path = ann.post("/play", name="Ann").url.path
    link = html.unescape(re.search(r'id="link" readonly value="([^"]+)"', ann.get("/me").text)[1])
    secret = re.search(r'name="secret" value="([^"]+)"', ben.get(link).text)[1]
    assert "Your hand" not in ben.get(path).text
    ben.post("/me", secret=html.unescape(secret))

    assert "Your hand" in ben.get(path).text


def test_a_forged_personal_link_is_nobodys(ann):
    assert 404 == ann.get("/me/forged").status_code
    assert 404 == ann.post("/me", secret="forged").status_code


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("hu", "hu"),
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("ja, fr;q=0.4, en;q=0.3", "fr"),
        ("ja", "en"),
        (";;q=x,,", "en"),
        (b"hu;q=\xb2, de;q=0.5", "de"),
    ],
)
def test_the_language_is_the_browsers(browser, header, language):
    assert f'<html lang="{language}"' in browser(header).get("/").text


def test_what_was_chosen_is_kept(ann):
    page = ann.post("/likes", language="hu", theme="dark", back="/rules/rody")

    assert "/rules/rody" == page.url.path
    assert '<html lang="hu" data-theme="dark"' in ann.get("/").text


@pytest.mark.parametrize("back", ["https://evil.example", "//evil.example", "/\\evil.example", ""])
def test_going_back_never_leads_elsewhere(ann, back):
    assert "/" == ann.post("/likes", theme="dark", back=back).url.path


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_there_in_every_language(browser, language):
    reader = browser(language)
    path = reader.post("/play").url.path
    for page in ("/", "/me", "/rules/adlung", "/rules/rody", path, f"{path}/log"):
        answer = reader.get(page)
        assert 200 == answer.status_code
        assert f'<html lang="{language}"' in answer.text


@pytest.mark.parametrize(
    "path", ["/nothing", "/tables/none", "/tables/NONE", "/rules/house", "/tables/none/rounds/1"]
)
def test_what_isnt_there_is_a_page_of_ours(ann, path):
    answer = ann.get(path)

    assert 404 == answer.status_code
    assert "There is nothing here" in answer.text
    assert "text/html; charset=utf-8" == answer.headers["content-type"]


def test_a_post_from_another_site_is_refused_with_a_page(ann):
    answer = ann.http.post("/play", headers={"Origin": "https://elsewhere.example"})

    assert 403 == answer.status_code
    assert "This isn&#39;t yours to do" in answer.text


def test_pages_carry_no_inline_styles_or_handlers(ann):
    path = ann.post("/play").url.path
    for page in ("/", path, "/rules/adlung", "/me", ann.table()):
        text = ann.get(page).text
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=", text)
        assert all("nonce=" in script for script in re.findall("<script[^>]*>", text))


def test_tables_of_programs_can_be_watched(here, ann):
    clients = make(here.client)

    assert "You are watching" in ann.get(f"/tables/{clients[0].table}").text


# Secrecy


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.fgr")), ids=lambda file: file.stem)
def test_every_way_a_game_can_end_has_its_page(here, ann, file):
    [game] = record.load(file)
    table = table_of(game)
    table.phase = "over"
    here.site.tables.add(table)
    page = ann.get("/tables/secrecy")

    assert 200 == page.status_code
    winners = " and ".join(f"Seat {seat}" for seat in game.winners)
    won = "share the win" if len(game.winners) > 1 else "wins"
    assert f"{winners} {won} with {max(game.money)} gulden" in page.text


def received(here, game, viewer: int) -> dict[str, str]:
    """All that a viewer's browser receives of a game."""
    table = table_of(game)
    for number, seat in enumerate(table.seats):
        seat.player = f"player {number}"
    here.site.tables.add(table)
    cookies = {}
    if viewer != SPECTATOR:
        identity = Identity(here.site.secret, secure=False)
        cookies["fugger"] = identity.cookie(Player(f"player {viewer}", "x")).value
    with httpx.Client(base_url=here.url, timeout=PATIENCE, cookies=cookies) as browser:
        doors = ["", "/log", "/shuffle", "/record.fgr"]
        doors += [f"/rounds/{one + 1}" for one in range(len(game.evaluations))]
        answers = {door: browser.get(f"/tables/secrecy{door}").text for door in doors}
        with browser.stream("GET", "/tables/secrecy/stream") as stream:
            lines = stream.iter_lines()
            events = ["\n".join(takewhile(bool, lines)) for _ in ("retry", "board")]
            answers["/stream"] = events[1]
    # The only thing that is new in every answer, and of the page, not of the game.
    return {door: re.sub(r'nonce(:inherited)?="[^"]*"', "", text) for door, text in answers.items()}


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_no_page_tells_what_is_hidden_from_its_viewer(here, game):
    checked = 0
    for pair in islice(twins(game), 2):
        original, other = pair.games
        for viewer in (*range(game.players), SPECTATOR):
            if viewer in pair.seats:
                continue
            assert received(here, original, viewer) == received(here, other, viewer)
            checked += 1
    assert checked


def test_the_comparison_would_notice_a_hand(here):
    pair = next(pair for pair in twins(GAMES[4]) if pair.seats[0] != pair.seats[1])
    before, after = (received(here, telling, pair.seats[0]) for telling in pair.games)

    assert all(before[door] != after[door] for door in ("", "/log", "/record.fgr", "/stream"))
