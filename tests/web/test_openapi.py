"""The API is as it says: schemathesis asks whatever the description allows, and what it doesn't."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from running import make
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
OPERATIONS = [
    ("POST", "/api/tables"),
    ("GET", "/api/tables/{name}"),
    ("POST", "/api/tables/{name}/seats"),
    ("POST", "/api/tables/{name}/actions"),
    ("POST", "/api/tables/{name}/leave"),
    ("POST", "/api/tables/{name}/return"),
    ("GET", "/api/tables/{name}/record"),
]
"""All but the stream, which doesn't end."""


@pytest.fixture(scope="module")
def described(here):
    return schemathesis.openapi.from_url(f"{here.url}/api/schema/openapi.json")


def asked(operation):
    """Requests the description allows, and others."""
    return st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GenerationMode))


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_answers_are_as_described(described, method, path):
    @given(case=asked(described[path][method]))
    @settings(
        max_examples=40,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def check(case):
        case.call_and_validate(checks=CHECKS)

    check()


@pytest.mark.parametrize(("method", "path"), OPERATIONS[1:])
def test_answers_at_a_real_table_are_as_described(here, described, method, path):
    client = make(here.client, "hoh")[0]

    @given(case=asked(described[path][method]))
    @settings(
        max_examples=20,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def check(case):
        case.path_parameters["name"] = client.table
        case.call_and_validate(checks=CHECKS, headers=client.headers)

    check()


def test_every_operation_is_asked(here):
    paths = here.client.get("/api/schema/openapi.json").json()["paths"]
    described = {(method.upper(), path) for path, methods in paths.items() for method in methods}

    assert {*OPERATIONS, ("GET", "/api/tables/{name}/stream")} == described


def test_every_status_we_use_is_described(here):
    described = here.client.get("/api/schema/openapi.json").json()
    act = described["paths"]["/api/tables/{name}/actions"]["post"]["responses"]

    assert {"200", "400", "401", "403", "404", "409", "413", "422", "429"} <= set(act)
