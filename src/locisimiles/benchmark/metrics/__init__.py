"""Metrics of rankings and decisions, correlation, and tests of significance."""
