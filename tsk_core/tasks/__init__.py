"""Tasks: what a worker can be asked to do. A task is a small picklable object with ``run(context)``; see ``jobs.task``."""
