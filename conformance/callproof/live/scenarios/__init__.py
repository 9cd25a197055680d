"""The scenarios, as data.  They provoke; they do not judge."""
