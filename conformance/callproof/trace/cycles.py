"""Which steps of a plan wait for themselves, and an order for the others; without recursion, for plans of any size."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping


def greatest(waits: Mapping[str, Collection[str]], own: Mapping[str, float]) -> Mapping[str, float]:
    """
    The greatest of a name's own number and the numbers of all that it waits for; names without any are left out.

    A name on a cycle gets the greatest number of all.
    """
    found = dict(own)
    circular, most = on_cycles(waits) if own else (), max(own.values(), default=0.0)
    for name in after_others(waits) if own else ():
        known = [found[each] for each in (name, *waits[name]) if each in found]
        if known or name in circular:
            found[name] = most if name in circular else max(known)
    return found


def on_cycles(waits: Mapping[str, Collection[str]]) -> frozenset[str]:
    """The names that wait for themselves, directly or through others; a name that is not a key waits for nothing."""
    if _in_their_order(waits):
        return frozenset()
    back: dict[str, list[str]] = {name: [] for name in waits}
    for name, others in waits.items():
        for other in others:
            back.setdefault(other, []).append(name)
    found: set[str] = set()
    done: set[str] = set()
    # Kosaraju's algorithm: start from the name that was finished last; all that leads back to it forms one component.
    for root in reversed([*after_others(waits)]):
        part = [*_reached(back, root, done)]
        if len(part) > 1 or root in waits.get(root, ()):
            found.update(part)
    return frozenset(found)


def _in_their_order(waits: Mapping[str, Collection[str]]) -> bool:
    """Whether each name waits only for names that stand before it, as in nearly every plan: then there is no cycle."""
    before: set[str] = set()
    for name, others in waits.items():
        for other in others:
            if other not in before and other in waits:
                return False
        before.add(name)
    return True


def after_others(waits: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Each name after all that it waits for, unless it is on a cycle; iterative, so depth needs no call stack."""
    begun: set[str] = set()
    for root in waits:
        if root in begun:
            continue
        begun.add(root)
        work = [(root, iter(waits[root]))]
        while work:
            name, rest = work[-1]
            other = next((each for each in rest if each in waits and each not in begun), None)
            if other is None:
                work.pop()
                yield name
            else:
                begun.add(other)
                work.append((other, iter(waits[other])))


def _reached(ways: Mapping[str, Collection[str]], start: str, done: set[str]) -> Iterator[str]:
    """The names that are reached from a start and are not yet in ``done``; adds them to it."""
    waiting = [start] if start not in done else []
    done.update(waiting)
    while waiting:
        name = waiting.pop()
        yield name
        further = [each for each in dict.fromkeys(ways.get(name, ())) if each not in done]
        done.update(further)
        waiting += further
