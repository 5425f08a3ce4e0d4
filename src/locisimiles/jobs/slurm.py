"""The script of an array job of SLURM: each of its tasks does a part of a job."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from locisimiles.checks import check_at_least
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from locisimiles.jobs.plan import Job

__all__ = ["array_script"]

_MOST_PARTS = 64
_SCRIPT = """\
#!/bin/bash
# Submit with: sbatch THIS_FILE. Options of sbatch go before it and replace those below, such as
# --partition, --account, or --array 3,17 for some of the parts. Submit it again after any failure:
# what is done is not done again.
#SBATCH --job-name={name}
#SBATCH --array=1-{parts}
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=4G
#SBATCH --time=24:00:00
#SBATCH --requeue
set -eu
exec {python} -m locisimiles job run {folder} \\
  --blocks "$SLURM_ARRAY_TASK_ID/{parts}" --jobs "${{SLURM_CPUS_PER_TASK:-1}}"
"""


def array_script(job: Job, parts: int | None = None) -> str:
    """Return a script for ``sbatch`` that does a job in parts.

    It runs this Python and names the folder of the job absolutely: all nodes must see both.

    Parameters
    ----------
    job
        The job.
    parts
        Their number; by default 64, or one for each block of a small job.

    Raises
    ------
    ParameterError
        If the path of the job or of Python has a line break.
    """
    check_at_least(1, parts=parts)
    folder = str(job.folder.resolve())
    for path in (folder, sys.executable):
        if not path.isprintable():
            raise ParameterError("jobs.unprintable", path=path)
    name = "".join(sign if sign.isalnum() else "-" for sign in job.folder.resolve().name)
    return _SCRIPT.format(
        name=f"locisimiles-{name}",
        parts=parts or min(_MOST_PARTS, len(job.blocks)),
        python=shlex.quote(sys.executable),
        folder=shlex.quote(folder),
    )
