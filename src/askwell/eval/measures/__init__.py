"""One measure a file, each of one question or of one list of scores; averages are the caller's."""
