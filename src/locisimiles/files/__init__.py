"""Files: bytes, text and tables read safely; arrays and JSON; writing whole or not at all."""
