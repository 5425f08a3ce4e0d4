"""Fit the weights of search and classifier from known references."""
