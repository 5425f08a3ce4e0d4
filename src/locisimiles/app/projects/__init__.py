"""Projects: their texts, and the collection they belong to."""
