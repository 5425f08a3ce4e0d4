"""Results of a project: filtered, counted, explained, exported."""

from locisimiles.app.results.aligned import ResultTable
from locisimiles.app.storage.tables.figures import CitedWork, ResultFigures
from locisimiles.app.storage.tables.filters import ABOUT_OTHERS, ONCE, STATUSES, ResultFilter
from locisimiles.app.storage.tables.orders import ORDERS
from locisimiles.app.storage.tables.results import PairDetails, ResultPage

__all__ = [
    "ABOUT_OTHERS",
    "ONCE",
    "ORDERS",
    "STATUSES",
    "CitedWork",
    "PairDetails",
    "ResultFigures",
    "ResultFilter",
    "ResultPage",
    "ResultTable",
]
