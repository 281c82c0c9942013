"""What one finds at a table beside the game itself."""

from __future__ import annotations

from playwright.sync_api import expect
from running import make

from .guests import PHONE
from .playing import DRAWER_DONE, by_taps, choice, lay_table, moved_on, play_on, ply, sit_down, turn

ON_EACH_MOVEMENT = """const start = document.startViewTransition;
document.startViewTransition = function (...all) {
  const movement = start.apply(this, all);
  %s;
  return movement;
};"""


def test_play_now_is_one_click_from_the_first_page(guest):
    ann = guest(size=PHONE)
    ann.press(ann.open("/").get_by_role("button", name="Play against two bots"))

    ann.page.wait_for_selector("#board.playing")


def test_other_opponents_are_one_more_click_and_are_there_the_next_time(guest):
    ann = guest(size=PHONE)
    page = ann.open("/")
    ann.press(page.locator("label[for='level-banker']"))
    ann.press(page.get_by_role("button", name="Play against two bots"))
    page.wait_for_selector("#board.playing")
    assert 2 == page.locator(".others .tags", has_text="Banker").count()

    ann.open("/")
    assert page.locator("#level-banker").is_checked()
    page.locator(".told", has_text="Banker").wait_for()


def test_a_seat_of_a_new_table_shows_who_is_to_sit_there(guest):
    page = guest().open("/")
    seat = page.locator(".sits", has=page.locator("#seat2"))
    shown = seat.locator(".face:visible")
    assert "face-human" in shown.get_attribute("class")
    page.select_option("#seat2", "bot:banker")

    assert "face-5" in shown.get_attribute("class")


def test_one_tap_plays_a_card_if_so_wished(guest, site):
    [me, _] = make(site.client, "oh", first=0)
    ann = guest(size=PHONE)
    page = sit_down(ann, me_link(site, me))
    ann.press(page.get_by_role("button", name="Menu"))
    ann.press(page.get_by_role("button", name="Play cards with one tap"))
    before = ply(page)
    ann.press(page.locator(".hand button:enabled").first)
    moved_on(page, before)

    assert int(before) + 1 == me.look()["ply"]


def test_alone_against_bots_an_action_can_be_taken_back(guest):
    ann = guest()
    page = lay_table(ann, "mb")
    turn(page)
    hand = page.locator(".hand").inner_text()
    before = ply(page)
    action = by_taps(ann)
    moved_on(page, before)
    turn(page)
    ann.press(page.get_by_role("button", name="Take back"))
    page.locator("#log").get_by_text("You take your action back.").wait_for()

    assert hand == page.locator(".hand").inner_text()
    assert action == choice(page)[0]


def test_what_is_said_reaches_the_others_and_is_not_run(guest):
    ann, ben = guest(), guest(size=PHONE)
    sit_down(ben, laid(ann, "mf"))
    ann.page.wait_for_selector("#board.playing")
    ann.page.fill("#text", "<img src=x onerror=alert(1)> Grüß Gott")
    ann.page.keyboard.press("Enter")

    ben.page.locator("#chat").get_by_text("<img src=x onerror=alert(1)> Grüß Gott").wait_for()
    expect(ann.page.locator("#text")).to_have_value("")


def test_a_muted_chat_is_not_shown(guest):
    ann = guest()
    page = lay_table(ann, "mb")
    ann.press(page.get_by_role("button", name="Menu"))
    ann.press(page.get_by_role("button", name="Mute the chat"))

    page.locator("#chat").wait_for(state="detached")


def test_the_personal_link_brings_one_to_another_device(guest):
    laptop, phone = guest(), guest(size=PHONE)
    table = laid(laptop, "mb")
    link = laptop.open("/me").input_value("#link")
    phone.page.goto(link)
    phone.press(phone.page.get_by_role("button", name="Go on as Ann"))
    phone.press(phone.page.get_by_role("link", name="Go on"))
    phone.page.wait_for_selector("#board.playing")

    assert table == phone.page.url
    assert phone.page.locator("#act").count()


def test_spectators_watch_live_and_hold_nothing(guest, site):
    [one, other] = make(site.client, "hh", first=0)
    carla = guest()
    page = carla.open(f"/tables/{one.table}")
    one.first_legal()
    page.get_by_text("Player 2 is to act").wait_for()
    other.first_legal()
    page.get_by_text("Player 1 is to act").wait_for()

    assert 0 == page.locator("#act").count()


def test_a_round_that_ends_while_something_else_is_read_is_read_next(guest, site):
    [me, other] = make(site.client, "oh", first=1, target=150)
    ann = guest()
    page = sit_down(ann, me_link(site, me))
    ann.press(page.locator(".tools a"))
    drawer = page.locator("#drawer[open]")
    drawer.get_by_role("heading", name="A turn").wait_for()
    play_on(ann, other, 1)
    page.wait_for_selector("#board[data-rounds='1']")
    ann.press(page.locator(DRAWER_DONE))

    drawer.get_by_text("End of round 1").wait_for()


def test_cards_move_from_where_they_were(guest, site):
    [me, _] = make(site.client, "oh", first=0)
    ann = guest(moving=True)
    ann.context.add_init_script(ON_EACH_MOVEMENT % "window.moves = (window.moves ?? 0) + 1")
    page = sit_down(ann, me_link(site, me))
    before = ply(page)
    by_taps(ann)
    moved_on(page, before)

    assert page.evaluate("window.moves")


def test_nothing_moves_for_who_wants_it_still(guest, site):
    [me, _] = make(site.client, "oh", first=0)
    ann = guest()
    ann.context.add_init_script(ON_EACH_MOVEMENT % "window.moves = (window.moves ?? 0) + 1")
    page = sit_down(ann, me_link(site, me))
    before = ply(page)
    by_taps(ann)
    moved_on(page, before)

    assert page.evaluate("window.moves") is None


def test_boards_that_come_faster_than_things_move_are_shown_at_once(guest, site):
    clients = make(site.client, "hh", first=0)
    ann = guest(moving=True)
    page = ann.open(f"/tables/{clients[0].table}")
    browser = ann.context.new_cdp_session(page)
    browser.send("Animation.enable")
    browser.send("Animation.setPlaybackRate", {"playbackRate": 0.0001})  # none comes to its end
    for number in range(8):
        clients[number % 2].first_legal()
    newest = clients[0].look()["ply"]

    page.locator(f"#board[data-ply='{newest}']").wait_for()


def test_a_movement_that_is_cut_short_is_no_error(guest, site):
    [me, _] = make(site.client, "oh", first=0)
    ann = guest(moving=True)
    # As the browser does when its window changes size before everything has its picture.
    ann.context.add_init_script(ON_EACH_MOVEMENT % "movement.skipTransition()")
    page = sit_down(ann, me_link(site, me))
    before = ply(page)
    by_taps(ann)
    moved_on(page, before)

    assert [] == ann.troubles


def laid(host, seats):
    """A new table's address."""
    return lay_table(host, seats).url


def me_link(site, client):
    return f"{site.url}/tables/{client.table}"
