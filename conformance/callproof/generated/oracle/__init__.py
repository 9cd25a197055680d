"""The oracle: which runs a case permits, worked out from its plan, its policy and what the witness tools did.

It accepts or refuses a recorded run; it simulates none.  The law leaves the order of ready
steps, races at one instant and the schedule under concurrency to the system, and so does it.
"""
