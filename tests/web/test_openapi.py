"""The API is as it says: schemathesis asks whatever the description allows, and what it doesn't."""

from __future__ import annotations

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck
from running import make
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


@pytest.fixture(scope="module")
def described(here):
    return schemathesis.openapi.from_url(f"{here.url}/api/schema/openapi.json")


schema = schemathesis.pytest.from_fixture("described")


@schema.exclude(path_regex="/stream$").parametrize()
@hypothesis.settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)
def test_answers_are_as_described(case, here):
    case.call_and_validate(checks=CHECKS)


@schema.include(path_regex="(actions|leave|return|record|/{name})$").parametrize()
@hypothesis.settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)
def test_answers_at_a_real_table_are_as_described(case, here):
    client = make(here.client)[0]
    case.path_parameters["name"] = client.table
    case.call_and_validate(checks=CHECKS, headers=client.headers)


def test_every_status_we_use_is_described(here):
    described = here.client.get("/api/schema/openapi.json").json()
    act = described["paths"]["/api/tables/{name}/actions"]["post"]["responses"]

    assert {"200", "400", "401", "403", "404", "409", "413", "422", "429"} <= set(act)
