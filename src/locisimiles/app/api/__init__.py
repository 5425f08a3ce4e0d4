"""The REST API: projects, texts, searches, results, judgements, exports."""

from locisimiles.app.api.application import make_api

__all__ = ["make_api"]
