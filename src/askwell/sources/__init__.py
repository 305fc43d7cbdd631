"""Places that documents come from: what they list, and how one file of theirs is read. Nothing is written to them."""
