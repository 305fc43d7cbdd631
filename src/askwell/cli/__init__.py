"""The command line: a command parses, calls the engine and prints. No rule of the product lives here."""
