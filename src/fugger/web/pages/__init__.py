"""The pages: what people see of the site in a browser."""

from fugger.web.pages import ends, home, likes, rules, seats, table

HANDLERS = [
    *home.HANDLERS,
    *likes.HANDLERS,
    *rules.HANDLERS,
    *seats.HANDLERS,
    *table.HANDLERS,
    *ends.HANDLERS,
]
"""The handlers of every page."""

__all__ = ["HANDLERS"]
