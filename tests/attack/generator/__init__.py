"""Random tables, indexes and queries for tests/attack/queries."""
