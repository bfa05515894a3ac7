"""What a class predicted, without names, for its teacher: bars of options, or a median with its band."""

import streamlit as st

from tsk_core.classroom import BAND, summary
from tsk_core.lessons import Lesson
from tsk_core.numbers import counted
from ui.learn import answers
from ui.text import in_markdown


def class_picture(lesson: Lesson) -> None:
    """Draw it; one sentence where nothing is in."""
    said = lesson.predict
    size = len(said.options) if said.kind == "choice" else said.size
    found = summary(said.kind, answers.of_class(lesson.name, "predict"), size, said.low, said.high)
    if not found.n:
        st.markdown("No prediction is in yet.")
    elif said.kind == "choice":
        for option, count in zip(said.options, found.counts, strict=True):
            st.progress(count / found.n, text=f"{in_markdown(option.text)} · {count}")
    elif said.kind == "region":
        cells = sum(found.share) / len(found.share)
        many = found.n != 1
        st.markdown(
            f"{found.n} region{'s cover' if many else ' covers'} {cells:.0%} of the plane{' on average' * many}. The chart shows"
            " each cell's share from step 4 on."
        )
    else:
        st.caption(f"{counted(found.n, 'prediction')}: the median, and where the middle {BAND[1] - BAND[0]}% lie.")
        for label, *numbers in zip(said.labels, found.low, found.median, found.high, strict=True):
            low, middle, high = (f"{number:.3g}" for number in numbers)
            share = (numbers[1] - said.low) / (said.high - said.low)
            st.progress(min(max(share, 0.0), 1.0), text=f"{in_markdown(label)} · {middle} ({low} to {high})")
