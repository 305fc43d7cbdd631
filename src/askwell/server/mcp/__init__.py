"""The Model Context Protocol: what an agent gets of the index, over stdio and streamable HTTP, in the same words.

transport ─▶ protocol (the official library) ─▶ arguments, checked ─▶ a thread, an engine ─▶ tools, resources ─▶ wire
                                                        ▲
    who reads (`Reader`): open documents alone, unless the settings and the caller's token allow personal ones
"""
