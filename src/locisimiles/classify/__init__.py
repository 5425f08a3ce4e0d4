"""Say what pairs of segments are: no match, verbatim reference (cit.) or allusion (cf.)."""
