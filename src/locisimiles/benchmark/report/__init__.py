"""Reports: tables and figures of runs, with the paper's numbers beside ours."""
