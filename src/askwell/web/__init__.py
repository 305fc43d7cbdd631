"""The web, where the person allows it and the documents do not suffice: a provider finds pages, their text is read.

question ─▶ `providers` (a search service's own wire format) ─▶ addresses ─▶ `fetching` (public ones only) ─▶ `readable`
"""
