"""From passages to an answer: what is shown to a model, what is quoted without one, what of it is carried."""
