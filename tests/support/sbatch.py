"""A stand-in for sbatch: starts the tasks of an array job on this machine, all at once."""

import os
import random
import re
import subprocess
from pathlib import Path

_OPTION = re.compile(r"#SBATCH --([\w-]+)(?:=(.*))?")


def options_of(script):
    """Return the options in the comments of a script, up to its first command."""
    found = {}
    for line in Path(script).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            break
        if option := _OPTION.fullmatch(line):
            found[option[1]] = option[2]
    return found


def tasks_of(array):
    """Return the numbers that ``--array`` names."""
    numbers = []
    for part in array.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def submit(script, array=None, seed=0):
    """Start the tasks in a random order; return their processes by number."""
    options = options_of(script)
    tasks = tasks_of(array or options["array"])
    random.Random(seed).shuffle(tasks)
    return {task: _started(script, task, options) for task in tasks}


def _started(script, task, options):
    environment = {
        **os.environ,
        "SLURM_ARRAY_TASK_ID": str(task),
        "SLURM_CPUS_PER_TASK": options.get("cpus-per-task", "1"),
    }
    return subprocess.Popen(["bash", script], env=environment, stderr=subprocess.PIPE)
