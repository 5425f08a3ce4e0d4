"""Runs: methods measured by protocols, into folders that can be resumed."""
