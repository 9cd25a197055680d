"""Numbers in sentences."""

from __future__ import annotations

import pytest
from callproof.values.counts import counted, was


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 cases were open"), (1, "1 case was open"), (2, "2 cases were open")]
)
def test_noun_and_verb_agree_with_the_number(number: int, said: str) -> None:
    """1 takes the singular; 0 takes the plural."""
    assert f"{counted(number, 'case')} {was(number)} open" == said
