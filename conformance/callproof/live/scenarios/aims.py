"""What nearly every run exercises, as named groups of requirement ids.

A case names the groups that it certainly exercises, and then the laws that it is
made for.  A law that no scenario aims at would never be provoked.
"""

from __future__ import annotations

from typing import TypeAlias

Ids: TypeAlias = tuple[str, ...]

# Any run in which a call is recorded.
CALLS: Ids = (
    *("CALL-01", "CALL-03", "CALL-05", "CALL-06", "CALL-07", "CALL-08", "CALL-09", "CALL-10", "CALL-11", "CALL-12"),
    *("CALL-13", "CALL-15", "CALL-16", "CALL-17", "CALL-22", "CALL-24", "CONF-13", "POL-21", "TIME-09"),
)
# A call that reaches a hosted tool.
DISPATCH: Ids = ("CALL-20", "CALL-21", "VAL-01", "VAL-03", "VAL-06", "VAL-10")
# Arguments that come from references.
RESOLUTION: Ids = ("REF-10", "REF-11", "VAL-02", "VAL-07")
# Any result.
RESULTS: Ids = (
    *("RES-01", "RES-02", "RES-03", "RES-04", "RES-05", "RES-17", "RES-18", "RES-24", "RES-25"),
    *("TIME-06", "TIME-07", "TIME-13", "MSG-01", "MSG-02", "MSG-03", "LOG-16"),
)
# A result with data, and one with an error.
SUCCESS: Ids = ("RES-06", "RES-07", "RES-10", "RES-21")
FAILURE: Ids = ("RES-08", "RES-09", "RES-13", "RES-14", "RES-15", "RES-16", "MSG-07")
# A run whose events are recorded.
EVENTS: Ids = (
    *("EVT-01", "EVT-02", "EVT-03", "EVT-04", "EVT-05", "EVT-06", "EVT-08", "EVT-09", "EVT-10", "EVT-11", "EVT-13"),
    *("EVT-12", "EVT-14", "EVT-15", "EVT-17", "EVT-18", "EVT-20", "MSG-06"),
)
# A run that leaves an audit log behind.
LOG: Ids = (
    *("LOG-01", "LOG-02", "LOG-03", "LOG-04", "LOG-06", "LOG-07", "LOG-09", "LOG-10", "LOG-11", "LOG-12"),
    *("LOG-13", "LOG-14", "LOG-19", "LOG-22"),
)
SCHEDULE: Ids = ("DEP-03", "DEP-07", "DEP-08", "DEP-12", "DEP-14", "CANC-10", "CONF-09")
HASHES: Ids = ("HASH-01", "HASH-04", "HASH-06")

# A run in which something was dispatched and ended.
ENVELOPE: Ids = (*CALLS, *DISPATCH, *RESULTS, *SUCCESS, *EVENTS, *LOG, *SCHEDULE, *HASHES)
# The same if every tool is the system's own: no invocation reaches the suite.
OWN_TOOLS: Ids = tuple(each for each in ENVELOPE if each not in {"CALL-20", "RES-21"})
# A run in which something failed as well.
TROUBLE: Ids = (*ENVELOPE, *FAILURE, "EVT-16")
