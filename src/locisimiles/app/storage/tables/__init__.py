"""The SQL of the app: one module per table, or for tables that belong together.

Functions take the connection of a transaction; classes open a connection for each question.
Statements must run in both databases: order columns that may be null with ``NULLS FIRST`` or
``NULLS LAST``, count whole numbers with ``COUNT`` and not with ``SUM``, and never use a condition
as a number or an empty list.
"""
