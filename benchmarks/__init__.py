"""Measured as ratios in one run, never as timed tests."""
