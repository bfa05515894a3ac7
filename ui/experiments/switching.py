"""A key that switches a choice to its next option."""

from collections.abc import Callable, Sequence

from ui.platform import session


def next_option(widget: session.Key[str], options: Sequence[str], step: int = 1) -> Callable[[], None]:
    """A callback that sets this choice to the option ``step`` places on, or to the first one if it has none."""

    def switch() -> None:
        now = widget.get()
        widget.set(options[(options.index(now) + step) % len(options)] if now in options else options[0])

    return switch
