"""Tests with a small chat model that really runs, on this machine."""
