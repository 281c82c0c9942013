"""Lines that break, servers that die, players who leave: the newest board comes by itself."""

from __future__ import annotations

from running import Client, Process, free_port, make

from .playing import by_taps, moved_on, sit_down


def shows(page, number: int) -> None:
    """Waits until the page shows the board of a ply, and it is one's turn."""
    page.wait_for_selector(f"#board.mine #act [name=ply][value='{number}']", state="attached")


def at_table(guest, site, **wish):
    """A guest at a table with a program: the program's client, and the guest."""
    [_, program] = make(site.client, "oh", **wish)
    ben = guest(site.url)
    sit_down(ben, f"{site.url}/tables/{program.table}")
    return program, ben


def test_a_server_that_died_in_mid_game_is_found_again(guest, tmp_path):
    port = free_port()
    with Process(tmp_path, "--port", str(port)) as server:
        program, ben = at_table(guest, server, first=1)
        with ben.line_down():
            server.process.kill()
            ben.page.locator("#broken").wait_for()
            with Process(tmp_path, "--port", str(port)) as again:
                Client(again.client, program.table, program.token).first_legal()
                shows(ben.page, 2)
                ben.page.locator("#broken").wait_for(state="hidden")
                by_taps(ben)
                moved_on(ben.page, "2")
                ben.page.close()


def test_what_is_played_while_the_server_is_away_is_offered_again(guest, tmp_path):
    port = free_port()
    with Process(tmp_path, "--port", str(port)) as server:
        program, ben = at_table(guest, server, first=0)
        with ben.line_down():
            server.process.kill()
            by_taps(ben)
            ben.page.get_by_text("nothing was played").wait_for()
            with Process(tmp_path, "--port", str(port)) as again:
                ben.page.locator("#broken").wait_for(state="hidden")
                ben.press(ben.page.get_by_role("button", name="Try again"))
                moved_on(ben.page, "1")

                assert 2 == Client(again.client, program.table, program.token).look()["ply"]
                ben.page.close()


def test_a_phone_that_slept_shows_the_newest_board(guest, site):
    program, ben = at_table(guest, site, first=1)
    device = ben.context.new_cdp_session(ben.page)
    device.send("Page.setWebLifecycleState", {"state": "frozen"})
    program.first_legal()
    device.send("Page.setWebLifecycleState", {"state": "active"})

    shows(ben.page, 2)


def test_who_runs_out_of_time_is_played_for_and_takes_the_seat_back(guest, site):
    program, ben = at_table(guest, site, first=0, seconds=5)
    log = ben.page.locator("#log")
    ben.page.locator(".clock").wait_for()

    log.get_by_text("Ben ran out of time; a bot plays on.").wait_for()
    ben.page.get_by_role("heading", name="A bot plays for you").wait_for()
    log.get_by_text("Ben (a bot plays)").first.wait_for()
    ben.press(ben.page.get_by_role("button", name="Take my seat back"))
    log.get_by_text("Ben is back.").wait_for()
    assert not program.look()["seats"][0]["away"]
    program.first_legal()
    shows(ben.page, 3)
    by_taps(ben)
    moved_on(ben.page, "3")


def test_who_leaves_is_played_for_and_takes_the_seat_back(guest, site):
    program, ben = at_table(guest, site, first=0)
    carla = guest()
    log = carla.open(f"/tables/{program.table}").locator("#log")
    ben.press(ben.page.get_by_role("button", name="Menu"))
    ben.press(ben.page.get_by_role("button", name="Leave the table"))

    log.get_by_text("Ben has left the table; a bot plays on.").wait_for()
    log.get_by_text("Ben (a bot plays)").first.wait_for()
    ben.press(ben.page.get_by_role("link", name="Go on"))
    ben.press(ben.page.get_by_role("button", name="Take my seat back"))
    log.get_by_text("Ben is back.").wait_for()
    program.first_legal()
    shows(ben.page, 3)
