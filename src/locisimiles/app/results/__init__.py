"""Results of a project: filtered, counted, explained, exported."""

from locisimiles.app.storage.tables.filters import ORDERS, STATUSES, ResultFilter
from locisimiles.app.storage.tables.results import PairDetails, ResultPage, ResultTable

__all__ = ["ORDERS", "STATUSES", "PairDetails", "ResultFilter", "ResultPage", "ResultTable"]
