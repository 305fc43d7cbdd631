"""What the server counts, in Prometheus' text format."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Metrics:
    """Counters of one server. No label holds text that a person wrote."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "askwell_http_requests", "Requests by route and status", ["route", "status"], registry=self.registry
        )
        self.turns = Counter(
            "askwell_turns", "Questions by outcome and profile", ["outcome", "profile"], registry=self.registry
        )
        self.seconds = Histogram(
            "askwell_request_seconds", "Time to the whole reply", ["route"], buckets=_SECONDS, registry=self.registry
        )
        self.tokens = Counter("askwell_tokens", "Tokens as models counted them", ["direction"], registry=self.registry)
        self.runs = Counter("askwell_index_runs", "Index runs by result", ["result"], registry=self.registry)
        self.running = Gauge("askwell_index_running", "1 while an index run is on", registry=self.registry)
        self.streams = Gauge("askwell_streams", "Answers that are being streamed", registry=self.registry)

    def text(self) -> bytes:
        """Return all of them."""
        exposition: bytes = generate_latest(self.registry)
        return exposition
