"""Late interaction: an encoder that is trained to give words vectors that answer each other."""
