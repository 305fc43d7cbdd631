"""One process for people, programs and agents: pages, REST, the OpenAI protocol and MCP, all over the same engine.

request ─▶ guard (Host, Origin, token, rate, size) ─▶ adapter ─▶ pool lends an engine to a worker thread ─▶ reply
                                                                         ▲
indexer (a child process of low priority) ─▶ the index file ─────────────┘
"""
