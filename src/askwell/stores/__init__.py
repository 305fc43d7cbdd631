"""Indexes: what holds documents, chunks, vectors and edges, and searches them."""
