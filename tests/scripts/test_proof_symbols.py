"""Do variants and the programs of lower levels, too, keep to the contract, and have no function that is replaced?"""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_programs import (  # noqa: F401 - with the programs of this file
    symbols,
    test_a_stage_exports_its_contract_and_nothing_else,
    test_no_function_of_a_stage_can_be_replaced_by_one_of_an_archive,
)


@pytest.fixture(scope="session")
def built(build):
    """All that `make proof` builds."""
    return replace(build, programs=[program for program in build.programs if not program.cannot])
