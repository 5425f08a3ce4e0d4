"""Late interaction: an encoder whose vectors of word pieces can be compared."""
