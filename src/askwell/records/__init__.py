"""Files that keep what happened: conversations, query log, token ledger, what left the machine. Never derived."""
