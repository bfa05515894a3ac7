"""On the path of a process and of those that it starts: hides from this project's code what Windows does not have.

Python's own modules and other libraries keep it, since they choose for themselves what they use on which system. A file opened as
text without an encoding is an error in the same code, as it would be read as Western European on Windows.
"""

import builtins
import sys
import types
import warnings
from pathlib import Path

ROOT = str(Path(__file__).parents[3])
OURS = tuple(f"{ROOT}/{name}" for name in ("tsk_core/", "tsk_study/", "ui/", "pages/", "app.py"))
MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty", "uvloop"}
NAMES = {
    "os": {
        "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "chown", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid",
        "getgroups", "getloadavg", "getpgid", "getpgrp", "getsid", "getuid", "killpg", "mkfifo", "nice", "pread", "pwrite",
        "sched_getaffinity", "setpgid", "setsid", "statvfs", "sysconf", "uname", "wait", "wait3", "wait4",
    },
    "select": {"epoll", "poll"},
    "signal": {
        "SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGQUIT", "SIGSTOP", "SIGUSR1", "SIGUSR2", "alarm", "pthread_kill",
        "pthread_sigmask", "setitimer", "sigwait",
    },
    "socket": {"AF_UNIX", "socketpair"},
    "time": {"tzset"},
}  # fmt: skip
_import = builtins.__import__


class Part(types.ModuleType):
    """A module without some of its names."""

    def __init__(self, module):
        super().__init__(module.__name__)
        self.__dict__.update({name: value for name, value in vars(module).items() if name not in NAMES[module.__name__]})


def without_posix(name, globals=None, locals=None, fromlist=(), level=0):
    """``__import__`` as on Windows, for this project's code."""
    if level or not str((globals or {}).get("__file__", "")).startswith(OURS):
        return _import(name, globals, locals, fromlist, level)
    if name.partition(".")[0] in MODULES:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    module = _import(name, globals, locals, fromlist, level)
    return Part(module) if name in NAMES else module


builtins.__import__ = without_posix
if sys.flags.warn_default_encoding:
    warnings.filterwarnings("error", category=EncodingWarning, module=r"(tsk_core|tsk_study|ui|pages)\b")
