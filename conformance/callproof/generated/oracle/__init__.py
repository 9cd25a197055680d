"""The oracle: which runs a case permits, derived from its plan, its policy and what the witness tools did.

It accepts or refuses a recorded run; it does not simulate one.  The law leaves the order of ready
steps, races at one instant and the schedule under concurrency to the system, and so does the oracle.
"""
