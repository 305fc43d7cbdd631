"""Score retrieval, citations and abstention on questions with known answers."""
