"""Access to the app: from this machine only, or with a token."""
