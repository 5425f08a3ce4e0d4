"""Projects: texts, and where they come from."""
