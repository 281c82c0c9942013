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
from litestar.openapi.datastructures import ResponseSpec

from fugger.errors import FuggerError
from fugger.web.changes import Refused
from fugger.web.database import Unreachable

if TYPE_CHECKING:
    from litestar import Request

log = logging.getLogger("fugger.web")

STATUS = {
    "stale": 409,
    "turn": 409,
    "phase": 409,
    "taken": 409,
    "undo": 409,
    "hint": 409,
    "illegal": 422,
    "seat": 403,
    "name": 400,
    "chat": 400,
    "flood": 429,
    "seats": 503,
    "words": 400,
    "target": 400,
}
"""The status of each reason to refuse a change."""


DATABASE = "database"
"""The reason of a problem that is the database's."""


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
    if isinstance(error, RecursionError):
        return Problem(400, "the request's body is nested too deeply", "form")
    if isinstance(error, HTTPException):
        return Problem(error.status_code, error.detail or HTTPStatus(error.status_code).phrase)
    if isinstance(error, Unreachable):
        log.error("the database can't be used now: %s", error)
        return Problem(
            503, "the database can't be used now; nothing is lost: try again soon", DATABASE
        )
    log.error("a request failed", exc_info=error)
    return Problem(500, "something went wrong on the server's side; nothing you did is lost")


class ProblemDetails(msgspec.Struct, omit_defaults=True):
    """What went wrong (RFC 9457).

    Attributes:
        type: a name for the kind of problem.
        title: HTTP's words for the status.
        status: HTTP's number.
        detail: what was wrong and what would be right.
        instance: the path that was asked for.
        reason: a word for programs: stale, turn, illegal, …
    """

    type: str
    title: str
    status: int
    detail: str
    instance: str
    reason: str | None = None


def problem_answers(*statuses: int) -> dict[int, ResponseSpec]:
    """The problems a route may answer with, for its documentation."""
    return {
        status: ResponseSpec(
            ProblemDetails,
            generate_examples=False,
            description=HTTPStatus(status).phrase,
            media_type="application/problem+json",
        )
        for status in statuses
    }


def problem_details(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """An error as problem details."""
    problem = as_problem(error)
    return Response(
        encoded(problem, request.scope["path"]),
        status_code=problem.status,
        media_type="application/problem+json",
        headers=headers_of(problem.status),
    )


def encoded(problem: Problem, path: str) -> bytes:
    """A problem as JSON."""
    kind = f"urn:fugger:problem:{problem.reason}" if problem.reason else "about:blank"
    title = HTTPStatus(problem.status).phrase
    return msgspec.json.encode(
        ProblemDetails(kind, title, problem.status, problem.detail, path, problem.reason or None)
    )


def headers_of(status: int) -> dict[str, str]:
    """What HTTP wants beside some statuses."""
    match status:
        case 401:
            return {"www-authenticate": "Bearer"}
        case 429 | 503:
            return {"retry-after": "1"}
    return {}
