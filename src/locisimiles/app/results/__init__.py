"""Results of a project: filtered, paged, counted, exported."""
