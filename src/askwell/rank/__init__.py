"""Rankings in, rankings out: fusion, boosts, expansion, diversity, and the gate. Pure functions."""
