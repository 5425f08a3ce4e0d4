"""Training: everything we ship that was learnt can be learnt again with these."""
