"""QR codes, drawn as SVG in the page itself."""

from __future__ import annotations

from functools import lru_cache

import segno
from markupsafe import Markup


@lru_cache(maxsize=64)
def qr(link: str) -> Markup:
    """A link as a QR code: an ``svg`` element."""
    drawn = segno.make(link, micro=False, error="m").svg_inline(
        scale=4,
        border=3,
        dark="#2a1d12",
        light="#fff",
        svgclass="qr",
        lineclass=None,
        omitsize=True,
    )
    return Markup(drawn)  # noqa: S704 (made by segno: squares, and nothing of the link's text)
