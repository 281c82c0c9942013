"""The site's own files: for ever under a URL that names their contents, as small as can be."""

from __future__ import annotations

import gzip
import re

import brotli
import pytest

from fugger.web.settings import ServerError
from fugger.web.static_files import StaticFiles

SCRIPT = "vendor/htmx.min.js"
FONT = "vendor/grenze-gotisch-latin-600.woff2"
files = StaticFiles()


@pytest.fixture
def folder(tmp_path):
    """A small folder of files."""
    (tmp_path / "art").mkdir()
    (tmp_path / "art/a.svg").write_text("<svg/>")
    (tmp_path / "style").mkdir()
    css = 'a{b:url(../art/a.svg#x);c:url("none.png");d:url(https://x.example/a.svg)}'
    (tmp_path / "style/main.css").write_text(css)
    (tmp_path / "secret.txt.bak").write_text("no")
    return tmp_path


def get(here, path, **headers):
    return here.client.get(path, headers={"Accept-Encoding": "identity", **headers})


def test_a_file_under_its_contents_is_kept_for_ever(here):
    answer = get(here, files.url(SCRIPT))

    assert 200 == answer.status_code
    assert "public, max-age=31536000, immutable" == answer.headers["cache-control"]
    assert "text/javascript; charset=utf-8" == answer.headers["content-type"]
    assert "nosniff" == answer.headers["x-content-type-options"]


def test_a_file_under_another_url_is_asked_for_again(here):
    for query in ("", "?v=0123456789ab"):
        answer = get(here, f"/static/{SCRIPT}{query}")
        assert "public, no-cache" == answer.headers["cache-control"]
        again = get(here, f"/static/{SCRIPT}", **{"If-None-Match": answer.headers["etag"]})
        assert (304, b"") == (again.status_code, again.content)


@pytest.mark.parametrize(
    ("accepted", "encoding", "unpack"),
    [
        ("gzip, deflate, br", "br", brotli.decompress),
        ("br;q=0, gzip", "gzip", gzip.decompress),
        ("deflate", None, bytes),
        ("", None, bytes),
    ],
)
def test_a_file_travels_compressed(here, accepted, encoding, unpack):
    plain = get(here, f"/static/{SCRIPT}").content
    with here.client.stream(
        "GET", files.url(SCRIPT), headers={"Accept-Encoding": accepted}
    ) as answer:
        body = b"".join(answer.iter_raw())

    assert encoding == answer.headers.get("content-encoding")
    assert plain == unpack(body)
    assert "accept-encoding" == answer.headers["vary"]
    assert len(body) == int(answer.headers["content-length"])


def test_encodings_have_tags_of_their_own(here):
    tags = {
        get(here, files.url(SCRIPT), **{"Accept-Encoding": one}).headers["etag"]
        for one in ("br", "gzip", "x")
    }

    assert 3 == len(tags)


def test_fonts_are_compressed_already(here):
    answer = get(here, files.url(FONT), **{"Accept-Encoding": "br"})

    assert "font/woff2" == answer.headers["content-type"]
    assert "content-encoding" not in answer.headers


def test_head_says_the_same_without_the_file(here):
    url = files.url(SCRIPT)
    answer = here.client.head(url, headers={"Accept-Encoding": "identity"})

    assert b"" == answer.content
    assert len(get(here, url).content) == int(answer.headers["content-length"])


@pytest.mark.parametrize(
    "path",
    [
        "nowhere.js",
        "",
        "vendor",
        "../app.py",
        "..%2fapp.py",
        "%2e%2e/app.py",
        "vendor/../../app.py",
    ],
)
def test_nothing_else_is_served(here, path):
    assert 404 == get(here, f"/static/{path}").status_code


def test_files_arent_posted_to(here):
    assert 405 == here.client.post(files.url(SCRIPT)).status_code


def test_a_stylesheet_names_the_versions_of_its_files(folder):
    served = StaticFiles(folder)
    css = served._files["style/main.css"].body.decode()

    assert f'b:url("{served.url("art/a.svg")}#x")' in css
    assert 'c:url("none.png");d:url(https://x.example/a.svg)' in css


def test_another_content_is_another_url(folder):
    before = StaticFiles(folder).url("style/main.css")
    (folder / "art/a.svg").write_text("<svg />")

    assert before != StaticFiles(folder).url("style/main.css")


def test_files_of_unknown_kinds_are_not_served(folder):
    with pytest.raises(ServerError, match=re.escape("'secret.txt.bak' is missing")):
        StaticFiles(folder).url("secret.txt.bak")


def test_answers_travel_compressed_and_streams_dont(here):
    with here.client.stream(
        "GET", "/api/schema/openapi.json", headers={"Accept-Encoding": "br"}
    ) as answer:
        assert "br" == answer.headers["content-encoding"]
        assert "Accept-Encoding" in answer.headers["vary"]
    made = here.client.post("/api/tables", json={"seats": [{"kind": "human"}, {"kind": "bot"}]})
    url = f"/api/tables/{made.json()['id']}/stream"
    with here.client.stream("GET", url, headers={"Accept-Encoding": "br, gzip"}) as answer:
        assert "content-encoding" not in answer.headers
        assert "retry: 1000" == next(answer.iter_lines())
