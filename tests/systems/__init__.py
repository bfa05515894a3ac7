"""Where POSIX is missing, as on Windows."""
