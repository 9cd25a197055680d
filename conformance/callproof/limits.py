"""The limits on everything that comes from outside, in one place.

Input over a limit is never *pass* and never a traceback: the verdict is inconclusive
and names the limit.  Limits are bytes or counts, unless a name says otherwise.
"""

from __future__ import annotations

import errno

MIB = 1024 * 1024

# Reading records: a JSON Lines line, a file, one document.
LINE_BYTES = 16 * MIB
# One file of one run, which is held in memory as text while the run is judged.
RUN_FILE_BYTES = 256 * MIB
# One file of many runs, as text; it is streamed, so it costs time but no memory.
LOG_FILE_BYTES = 1024 * 1024 * MIB
# What a compressed file may unpack to: this many bytes, plus this many times its compressed size.
UNPACKED_FREELY_BYTES = 16 * MIB
UNPACKED_RATIO = 250
# The runs in one log with shared files, and the bytes of text that are held for the runs open at once.
RUNS_IN_SHARED_FILES = 2_000_000
OPEN_RUNS_BYTES = 1024 * MIB
NESTING = 128
DIGITS = 1_024
STRING_CHARACTERS = 8 * MIB
MEMBERS_PER_OBJECT = 65_536
# The text that references may put into one template; longer text would not fit into a line.
RESOLVED_CHARACTERS = 16 * MIB

# Tool schemas: in effect programs, written by strangers.
SCHEMA_BYTES = MIB
SCHEMA_DEPTH = 64
SCHEMA_NODES = 50_000
SCHEMA_REFERENCE_EXPANSIONS = 10_000
# The depth of references inside referenced schemas: validators recurse into them, and a full stack ends the process.
SCHEMA_REFERENCE_DEPTH = 128
PATTERN_CHARACTERS = 1_000

# Documents that hold tool definitions, and the definitions and schemas in one run of the linter.
LINT_DOCUMENT_BYTES = 64 * MIB
LINT_YAML_BYTES = 4 * MIB
LINT_YAML_NODES = 500_000
LINT_TOOLS = 100_000
LINT_FILES = 10_000
# How many levels of nested folders are searched.
LINT_FOLDERS = 100

# Reports.
FINDINGS_SHOWN_PER_REQUIREMENT = 1_000
# Notes of the reader about one run: it could write one for each of a million lines.
NOTES_OF_A_RUN = 100
EXCERPT_CHARACTERS = 200
BASELINE_BYTES = 4 * MIB
REPORT_BYTES = 256 * MIB
STATEMENT_BYTES = 1024 * MIB
TESTIMONY_ROWS = 200
# A story of a run, which a person reads; and the names that are searched for the nearest one to a wrong name.
STORY_LINES = 400
STORY_BARS = 100
STORY_SOURCES = 5
NAMES_SOUGHT = 10_000
# The processes of one audit: more than any machine has processors, but no more than the system can count.
PROCESSES = 1_000

# Runs of an audit that are drawn: the first with findings, and later ones that show something new.
TIMELINES_AT_FIRST = 50
TIMELINES = 200
TIMELINE_CALLS = 200
TIMELINE_MOMENTS = 400
# How many names of tools and versions are counted by name, and how long such a name may be.
NAMES_COUNTED = 1_000
NAME_CHARACTERS = 128
TESTIMONY_CHARACTERS = 120

# Conversations with a system under test.
FRAME_BYTES = 16 * MIB
ANSWER_SECONDS = 30.0
# How long the suite waits by default for the end of a case of another protocol while nothing happens.
PATIENCE_SECONDS = 5.0
# The most that --timeout may say.
TIMEOUT_SECONDS = 3_600.0
START_SECONDS = 30.0
SHUTDOWN_SECONDS = 5.0
TERM_GRACE_SECONDS = 2.0
# The longest wait without a pause.  A Ctrl-C does not end a wait if it reaches another thread, or if it comes after
# Python began to wait but before its thread sleeps.  Python handles it after the wait.
DEAF_SECONDS = 0.25
# More messages in a row than this, with no message of the suite between them, are a flood.
# A loop over ten thousand items that are all refused makes forty thousand.
MESSAGES_IN_A_ROW = 100_000
STDERR_KEPT_AT_EACH_END = 64 * 1024
PATH_BYTES = 4_096

# The errors by which the machine says that this process, or all processes together, can open no more files.
NO_MORE_FILES = frozenset({errno.EMFILE, errno.ENFILE})

# If less room than this is left where a run wrote, a missing file there says nothing about the system.
ROOM_BYTES = MIB

# Case files, which come from strangers.
CASE_FILE_BYTES = 4 * MIB
CASE_ITEMS = 1_000
CASE_COMPANY = 10
# Names in one path of a case: code that removes a folder goes down into it, and some of it recurses.
CASE_PATH_NAMES = 100
# The largest number in a case.  Most numbers are milliseconds; this is a day, longer than any case waits.
CASE_NUMBER = 86_400_000
# Cases of one seed; a million would take more than a day.
GENERATED_CASES = 1_000_000
# The same for the other live suites, which play one case after the other.
GENERATED_SYSTEM_CASES = 100_000
SEED = 2**63 - 1

# Lists of tools that a running server sends.
LISTING_PAGES = 200
LISTING_CHARACTERS = 64 * MIB
