"""Fakes that pass the same suites as the real ones, and those suites. Public: for tests of what is built on Askwell."""
