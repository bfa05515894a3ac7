"""Playlists: a teacher's own settings in place of the built-in presets, chosen by the link ``?playlist=NAME``."""

import streamlit as st

from tsk_core.lessons import Playlist
from ui.platform import session
from ui.platform.lesson_files import known_playlists
from ui.presets.settings import Preset
from ui.presets.words import Words

LINK_KEY = "playlist"


def current_playlist() -> Playlist | None:
    """The playlist of this session, if it has one."""
    return known_playlists()[0].get(session.PLAYLIST.get()) if session.PLAYLIST.is_set() else None


def leave() -> None:
    """Go back to the built-in presets."""
    session.PLAYLIST.pop()
    st.query_params.pop(LINK_KEY, None)


def playlist_steps() -> tuple[Preset, ...]:
    """The steps of the chosen playlist as presets; none without one."""
    playlist = current_playlist()
    return () if playlist is None else _presets(playlist)


def _presets(playlist: Playlist) -> tuple[Preset, ...]:
    return tuple(
        Preset(
            f"{playlist.name}:{number}", "", step.data, step.config, step.tab, step.test_size,
            words=Words(f"{number}. {step.title}", "", step.note, step.why),
        )
        for number, step in enumerate(playlist.steps, start=1)
    )  # fmt: skip
