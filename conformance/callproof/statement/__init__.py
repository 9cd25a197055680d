"""Conformance statements: a judgement that anybody can work out again from the raw records that come with it."""
