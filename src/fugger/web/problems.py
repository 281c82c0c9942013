"""What went wrong, for programs and for people: one place that turns errors into answers.

Programs (everything below ``/api``) get problem details (RFC 9457), people a page of ours.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Response
from litestar.exceptions import HTTPException, ValidationException

from fugger.errors import FuggerError
from fugger.web.play import Refused

if TYPE_CHECKING:
    from litestar import Request

log = logging.getLogger("fugger.web")

STATUS = {
    "stale": 409,
    "turn": 409,
    "phase": 409,
    "taken": 409,
    "undo": 409,
    "illegal": 422,
    "seat": 403,
    "name": 400,
    "words": 400,
    "chat": 400,
    "seats": 503,
}
"""The status of each reason to refuse a change."""


class Problem(Exception):  # noqa: N818 (RFC 9457's word)
    """A request that can't be answered as asked.

    Args:
        status: HTTP's number for it.
        detail: what was wrong and what would be right.
        reason: a word for programs.
    """

    def __init__(self, status: int, detail: str, reason: str = "") -> None:
        super().__init__(detail)
        self.status, self.detail, self.reason = status, detail, reason


def as_problem(error: Exception) -> Problem:
    """Any error as a problem; those that are ours to mend are logged and tell nothing."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, Refused):
        return Problem(STATUS[error.reason], str(error), error.reason)
    if isinstance(error, FuggerError):
        return Problem(400, str(error), "value")
    if isinstance(error, ValidationException):
        extra = error.extra if isinstance(error.extra, list) else []
        wrong = "; ".join(
            f"{one.get('key', 'body')}: {one.get('message', '')}"
            for one in extra
            if isinstance(one, dict)
        )
        return Problem(400, wrong or error.detail, "form")
    if isinstance(error, HTTPException):
        return Problem(error.status_code, error.detail)
    log.error("a request failed", exc_info=error)
    return Problem(500, "something went wrong on the server's side; nothing you did is lost")


def problem_details(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """An error as problem details."""
    problem = as_problem(error)
    title = HTTPStatus(problem.status).phrase
    body = {
        "type": f"/docs/problems#{problem.reason}" if problem.reason else "about:blank",
        "title": title,
        "status": problem.status,
        "detail": problem.detail,
        "instance": request.url.path,
    }
    if problem.reason:
        body["reason"] = problem.reason
    return Response(
        msgspec.json.encode(body),
        status_code=problem.status,
        media_type="application/problem+json",
        headers={"WWW-Authenticate": "Bearer"} if problem.status == 401 else None,
    )
