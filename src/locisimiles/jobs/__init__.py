"""Jobs: long searches in blocks that many processes and machines can do, and that resume."""

from locisimiles.jobs.cluster import Cluster, open_cluster
from locisimiles.jobs.compact import write_compact
from locisimiles.jobs.encoding import IndexPlan, make_parts, make_parts_in_cluster
from locisimiles.jobs.merging import merged_blocks, merging_pipeline
from locisimiles.jobs.plan import Job, is_job
from locisimiles.jobs.planning import plan_job
from locisimiles.jobs.running import (
    missing_blocks,
    numbers_of,
    present_blocks,
    run_blocks,
    slice_of,
)
from locisimiles.jobs.searching import can_share, search_in_processes
from locisimiles.jobs.settings import SearchSettings
from locisimiles.jobs.slurm import array_script

__all__ = [
    "Cluster",
    "IndexPlan",
    "Job",
    "SearchSettings",
    "array_script",
    "can_share",
    "is_job",
    "make_parts",
    "make_parts_in_cluster",
    "merged_blocks",
    "merging_pipeline",
    "missing_blocks",
    "numbers_of",
    "open_cluster",
    "plan_job",
    "present_blocks",
    "run_blocks",
    "search_in_processes",
    "slice_of",
    "write_compact",
]
