"""JSON Schemas looked at as texts of their own: pure functions that know no rule, no tool and no file."""
