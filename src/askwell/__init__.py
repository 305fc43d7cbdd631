"""Askwell: ask your own documents, and open every claim at the lines it came from."""

__version__ = "0.1.0"
