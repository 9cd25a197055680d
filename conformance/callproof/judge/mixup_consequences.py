"""What follows from a record that names another step or call than its own: the rows of the table of consequences."""

from __future__ import annotations

from callproof.checks.matters import Matter
from callproof.judge.groups import OF_A_CALL, OF_A_STEP, PATHS, laws_of
from callproof.judge.sharing import ITSELF, Consequence, Shared

MIXUPS: tuple[Consequence, ...] = (
    # A result or an event that names another call.
    *(
        Consequence(laws, roots, shared, "a record that names another call is missing where it belongs", only, when)
        for roots, when in ((("RES-20",), ()), (("RES-01", "LOG-07"), (Matter.SEVERAL_RESULTS,)))
        for laws, shared, only in (
            (("RES-01", "LOG-07"), Shared.MISFILED, (Matter.NO_RESULT,)),
            (OF_A_CALL, Shared.MISFILED, ()),
            (laws_of("REF-02 REF-04 REF-20 DEP-02 DEP-05 LOOP-06 LOOP-10"), Shared.FROM_MISFILED, ()),
        )
    ),
    *(
        Consequence(laws, roots, Shared.MISFILED, "an event that names another call is missing where it belongs")
        for laws, roots in (
            (("EVT-08",), ITSELF),
            (("EVT-14",), ITSELF),
            (laws_of("EVT-09 EVT-10 EVT-11 EVT-16 EVT-21"), ("EVT-08",)),
            (("EVT-11",), ("EVT-14",)),
        )
    ),
    Consequence(
        ("VAL-02", "VAL-03", "POL-01", "POL-02", *PATHS, "DEP-03"),
        ("EVT-13",),
        Shared.MISFILED,
        "the event that reports the start belongs to another call",
        when=(Matter.STEP_ID,),
    ),
    Consequence(
        ("EVT-13", "RES-03"),
        ITSELF,
        Shared.STRAY,
        "a record that names another step is about another call",
        (Matter.TOOL, Matter.ATTEMPT),
        (Matter.STEP_ID,),
    ),
    # A wrong step, tool or attempt in a record.
    *(
        Consequence(laws, roots, shared, "all other records of the call name another step", only, (Matter.STEP_ID,))
        for laws, roots, shared, only in (
            (("EVT-13",), ITSELF, Shared.MISNAMED, (Matter.STEP_ID,)),
            (("EVT-13",), ("RES-03",), Shared.MISNAMED, ()),
            (OF_A_STEP, ("RES-03", "EVT-13"), Shared.MISNAMED, ()),
            (laws_of("REF-02 REF-04 REF-20 DEP-02 DEP-05 LOOP-06"), ("RES-03", "EVT-13"), Shared.FROM_MISNAMED, ()),
            (("EVT-18",), ("RES-03", "EVT-13"), Shared.MISNAMED_OUTCOME, (Matter.OUTCOME,)),
        )
    ),
)
