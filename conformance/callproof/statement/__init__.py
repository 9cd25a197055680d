"""Conformance statements: a judgement that anybody can make again from the raw records that come with it."""
