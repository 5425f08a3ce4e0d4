"""The web app: projects, searches in the background, judging; what it computes, other rooms do."""
