"""Edges between documents: what text says of them, and which document each of them means."""
