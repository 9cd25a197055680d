"""The order in which a backtracking engine tries the ways of a pattern, as far as it is the same for every text.

Of alternatives it takes the first.  It takes another one only after every way through the first, and on to the end
of the pattern, has failed.  So it can be slow over a text that the pattern matches in the end.  This holds if
nothing before the alternatives can be matched in a second way, which would be tried in between.
"""

from __future__ import annotations

from collections.abc import Iterator

from callproof.lint.schemas.patterns.syntax import Characters, Choice, Edge, Pattern, Repeat, Sequence


def tried_first(pattern: Pattern) -> Iterator[Pattern]:
    """Patterns whose ways an engine all tries before it takes another way through this one."""
    match pattern:
        case Choice(parts):
            for number, part in enumerate(parts):
                earlier = parts[:number]
                if earlier:
                    yield Choice(earlier)
                yield from (Choice((*earlier, each)) for each in tried_first(part))
        case Sequence(parts):
            place = next((number for number, part in enumerate(parts) if not _has_one_way(part)), None)
            if place is not None:
                before, after = parts[:place], parts[place + 1 :]
                yield from (Sequence((*before, each, *after)) for each in tried_first(parts[place]))
        case Repeat(part, 0, most, lazy) if most != 0:
            yield Sequence(()) if lazy else Repeat(part, 1, most)
        case _:
            return


def _has_one_way(pattern: Pattern) -> bool:
    match pattern:
        case Characters() | Edge():
            return True
        case Sequence(parts):
            return all(map(_has_one_way, parts))
        case Repeat(part, least, most):
            return least == most and (most == 0 or _has_one_way(part))
        case _:
            return False
