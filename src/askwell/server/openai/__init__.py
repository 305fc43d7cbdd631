"""The OpenAI chat protocol: each profile is a model, and every client that speaks it can ask the documents.

body ─▶ `messages` (question, history) ─▶ `housekeeping`? ─▶ a title, tags …, by rule
                                            │ a question
                                            ▼
                                        `turns` ─▶ `chunks` (streamed) or one completion
"""
