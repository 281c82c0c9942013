"""What every request passes first: other sites, floods, huge and slow bodies; and the headers."""

from __future__ import annotations

import re
import socket
from urllib.parse import urlsplit

import pytest
from running import PATIENCE, Here, make, wait_for

MAKE = {"seats": [{"kind": "human"}, {"kind": "human"}]}


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "http://127.0.0.1"},  # another port is another site
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_post_from_another_site_is_refused(here, headers):
    answer = here.client.post("/api/tables", json=MAKE, headers=headers)

    assert 403 == answer.status_code
    assert "application/problem+json" == answer.headers["content-type"]


def test_a_post_from_our_own_pages_is_taken(here):
    headers = {"Origin": here.url, "Sec-Fetch-Site": "same-origin"}

    assert 201 == here.client.post("/api/tables", json=MAKE, headers=headers).status_code


def test_a_post_through_the_public_url_is_taken(tmp_path):
    with Here(tmp_path, public_url="https://play.example") as server:
        for origin, status in (("https://play.example", 201), ("https://other.example", 403)):
            answer = server.client.post("/api/tables", json=MAKE, headers={"Origin": origin})
            assert status == answer.status_code


def test_a_huge_body_is_refused_unread(here):
    answer = here.client.post("/api/tables", content=b"x" * 33_000)

    assert 413 == answer.status_code


def test_a_huge_body_of_unknown_length_is_refused(here):
    answer = here.client.post("/api/tables", content=(b"x" * 1000 for _ in range(40)))

    assert 413 == answer.status_code


@pytest.mark.parametrize("length", [b"-1", b"1e3", b"99999999999999999999", b"x"])
def test_a_length_that_is_none_is_refused(here, length):
    request = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + b"\r\n\r\n"

    assert _said(here, request).startswith((b"HTTP/1.1 400", b"HTTP/1.1 413"))


def test_a_slow_body_is_given_up(tmp_path):
    with Here(tmp_path, body_seconds=0.2) as server:
        request = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"

        assert _said(server, request).startswith(b"HTTP/1.1 408")


def test_a_flood_is_slowed_and_others_are_not(tmp_path):
    with Here(tmp_path, rate=0.001, burst=5) as server:
        # A proxy on this machine says who the guests are.
        guest = {"X-Forwarded-For": "192.0.2.1"}
        statuses = [server.client.get("/api/tables/x", headers=guest) for _ in range(8)]
        other = server.client.get("/api/tables/x", headers={"X-Forwarded-For": "192.0.2.2"})

    assert [404] * 5 + [429] * 3 == [answer.status_code for answer in statuses]
    assert "1" == statuses[-1].headers["retry-after"]
    assert 429 == statuses[-1].json()["status"]
    assert 404 == other.status_code


def test_programs_on_one_machine_dont_slow_each_other(tmp_path):
    with Here(tmp_path, rate=0.001, burst=10) as server:
        clients = make(server.client)
        for client in clients:
            client.look()  # the token has proved to be a seat's
        statuses = {client.get().status_code for client in clients for _ in range(8)}

    assert {200} == statuses


def test_invented_tokens_dont_evade_the_limit(tmp_path):
    with Here(tmp_path, rate=0.001, burst=5) as server:
        statuses = [
            server.client.get(
                "/api/tables/x", headers={"Authorization": f"Bearer {number}"}
            ).status_code
            for number in range(8)
        ]

    assert [404] * 5 + [429] * 3 == statuses


def test_one_address_makes_so_many_tables_and_others_arent_kept_from_it(tmp_path):
    guest, other = {"X-Forwarded-For": "192.0.2.1"}, {"X-Forwarded-For": "192.0.2.2"}
    with Here(tmp_path, table_rate=0.001, table_burst=2) as server:
        answers = [
            server.client.post(path, json=MAKE, headers=guest)
            for path in ("/api/tables", "/api/tables/", "/api/tables", "/tables", "/play")
        ]
        others = server.client.post("/api/tables", json=MAKE, headers=other)

    assert [201, 201, 429, 429, 429] == [answer.status_code for answer in answers]
    assert answers[2].json()["detail"].startswith("too many new tables")
    assert "1" == answers[2].headers["retry-after"]
    assert "Not so fast" in answers[3].text
    assert 201 == others.status_code


def test_one_address_has_so_many_streams_open(tmp_path):
    with Here(tmp_path, streams=2) as server:
        client, other = make(server.client)
        for _ in range(3):  # a stream that is closed makes room
            with client.stream() as one, other.stream() as two:
                next(one), next(two)
                third = client.get("/stream")
                assert 429 == third.status_code
                assert third.json()["detail"].startswith("too many streams")
            wait_for(lambda: not server.app._streams._open)


PAGES = [
    "/",
    "/rules",
    "/me",
    "/health",
    "/nowhere",
    "/static/nowhere",
    "/api/schema/openapi.json",
    "/api/tables/TABLE",
    "/api/tables/TABLE/record",
    "/tables/TABLE",
    "/tables/TABLE/log",
    "/tables/TABLE/shuffle",
]


@pytest.mark.parametrize("path", PAGES)
def test_head_is_get_without_the_body(here, path):
    path = path.replace("TABLE", make(here.client)[0].table)
    get, head = here.client.get(path), here.client.head(path)

    drop = {"date", "content-security-policy", "content-length"}  # the nonce, and forms' tickets
    assert get.status_code == head.status_code
    assert not head.content
    assert "content-security-policy" in head.headers
    assert {k: v for k, v in get.headers.items() if k not in drop} == {
        k: v for k, v in head.headers.items() if k not in drop
    }
    assert "content-length" in head.headers


@pytest.mark.parametrize("kind", ["api/", ""])
def test_head_of_a_stream_ends(here, kind):
    table = make(here.client)[0].table
    answer = here.client.head(f"/{kind}tables/{table}/stream")

    assert 200 == answer.status_code
    assert answer.headers["content-type"].startswith("text/event-stream")
    wait_for(lambda: not here.site.tables.in_memory(table).watchers)


def test_every_answer_carries_the_security_headers(here):
    for path in ("/health", "/api/tables/none", "/nowhere", "/static/nowhere"):
        headers = here.client.get(path).headers
        policy = headers["content-security-policy"]
        assert re.search("script-src 'nonce-[A-Za-z0-9_-]{20,}'; style-src 'self';", policy)
        assert "unsafe" not in policy
        assert "nosniff" == headers["x-content-type-options"]
        assert "same-origin" == headers["referrer-policy"]
        assert "server" not in headers


@pytest.mark.parametrize("path", ["", "/record", "/seats"])
def test_what_a_seat_sees_is_kept_by_no_cache(here, path):
    seat = make(here.client)[0]

    assert "no-store" == seat.get(path).headers["cache-control"]


@pytest.mark.parametrize(
    "host", ["x:99999999", "x:port", "a" * 5000, "[::1", "a b", "a/b", "x@y", '"><script>']
)
@pytest.mark.parametrize("path", ["/", "/api/tables/none"])
def test_a_host_that_is_none_is_refused(here, host, path):
    answer = here.client.get(path, headers={"Host": host})

    assert 400 == answer.status_code


@pytest.mark.parametrize("host", ["play.example", "play.example:8484", "[::1]:8484", "127.0.0.1"])
def test_a_host_of_any_name_is_served(here, host):
    assert 200 == here.client.get("/", headers={"Host": host}).status_code


def test_what_fails_outside_the_handlers_is_a_page_of_ours(tmp_path):
    async def broken(scope, receive, send):
        raise ValueError("a fault")

    with Here(tmp_path) as server:
        server.app._app = broken
        answers = [server.client.get(path) for path in ("/", "/api/tables/none")]

    assert [500, 500] == [answer.status_code for answer in answers]
    assert "content-security-policy" in answers[0].headers
    assert 500 == answers[1].json()["status"]


def test_a_nonce_is_used_once(here):
    policies = {here.client.get("/health").headers["content-security-policy"] for _ in range(3)}

    assert 3 == len(policies)


def test_https_alone_once_the_public_url_says_so(tmp_path):
    with Here(tmp_path, public_url="https://play.example", secure=True) as server:
        headers = server.client.get("/health").headers

    assert "max-age=31536000" == headers["strict-transport-security"]


@pytest.mark.parametrize("path", ["/api/tables", "/api/tables/abc/actions"])
def test_a_method_that_isnt_offered(here, path):
    answer = here.client.put(path)

    assert 405 == answer.status_code
    assert 405 == answer.json()["status"]


@pytest.mark.parametrize(
    "request_", [b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02", b"GET / HTTP/9.9\r\n\r\n"]
)
def test_nonsense_on_the_line_leaves_the_server_well(here, request_):
    said = _said(here, request_)

    assert not said or b"\r\nx-content-type-options: nosniff\r\n" in said
    assert 200 == here.client.get("/health").status_code


def _said(server: Here, request: bytes) -> bytes:
    """The beginning of what the server answers to raw bytes."""
    url = urlsplit(server.url)
    with socket.create_connection((url.hostname, url.port), timeout=PATIENCE) as connection:
        connection.sendall(request)
        if request.endswith(b"\r\n\r\n"):
            connection.shutdown(socket.SHUT_WR)
        connection.settimeout(2 if request[:1] != b"P" else PATIENCE)
        try:
            return connection.recv(1000)
        except OSError:
            return b""
