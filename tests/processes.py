"""The processes of an embedded cluster, as the operating system lists them."""

import psutil


def cluster_process():
    """The oldest cluster process that this process started."""
    children = [child for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE]
    found = [child for child in children if "tsk_core.jobs.cluster" in " ".join(child.cmdline())]
    return min(found, key=psutil.Process.create_time)


def worker_processes():
    """The processes of its workers."""
    inside = cluster_process().children(recursive=True)
    return [process for process in inside if "spawn_main" in " ".join(process.cmdline())]
