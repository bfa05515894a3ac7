"""The box of presets on the Explore page, and the text of the preset that the page is at."""

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.lessons import Playlist
from tsk_core.runs import same_table
from ui.data.choose import Chosen
from ui.data.decisions import reset_decisions
from ui.data.source import DATA, TARGET, from_gallery
from ui.platform import session
from ui.platform.caches import known_playlists
from ui.platform.session import Key
from ui.presets.settings import PRESETS, Preset, Words, counterpart, current, following, partners, preceding
from ui.runs import current_run
from ui.runs.run_view import RunView
from ui.settings.link import PRESET_BOX
from ui.settings.opening import use_settings
from ui.text import in_markdown

PRESET_BOX_CLOSES = Key[bool]("preset_box_closes", default=False)  # from a press in it until the page is drawn
PRESET_APPLIED = Key[str]("preset_applied")
PLAYLIST = Key[str]("playlist", "")  # its name


# Playlists: a teacher's own settings in place of the built-in presets, chosen by the link ``?playlist=NAME``.


LINK_KEY = "playlist"


def current_playlist() -> Playlist | None:
    """The playlist of this session, if it has one."""
    return known_playlists()[0].get(PLAYLIST.get()) if PLAYLIST.is_set() else None


def leave() -> None:
    """Go back to the built-in presets."""
    PLAYLIST.pop()
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


_HELP = "Each preset sets all controls and starts training. You can change any control afterwards."


def shown() -> tuple[Preset, ...]:
    """The presets that the page offers: the steps of its playlist, or the built-in ones."""
    return playlist_steps() or PRESETS


def apply(preset: Preset) -> None:
    """Set every widget to the preset's value and request training; a run of this page that is training is stopped.

    Only in a callback, or before any widget is made: Streamlit does not allow to set the value of a widget that exists.
    """
    use_settings(preset.config, preset.test_size, data={DATA.name: preset.data, TARGET.name: preset.target})
    session.set_widgets({session.DATA_BOX.name: False, PRESET_BOX.name: False, session.VIEW.name: preset.tab})
    reset_decisions(f"gallery:{preset.data}", preset.target)
    PRESET_APPLIED.set(preset.name)
    PRESET_BOX_CLOSES.set(True)
    current_run.restart()


def keep_box_closed() -> None:
    """Close the box of presets again where the script was started anew before the browser heard that it closes: the browser then
    still says that it is open. Before any widget is made; ``box_is_closed`` ends it, once the page is drawn.
    """
    if PRESET_BOX_CLOSES.get():
        PRESET_BOX.set(False)


def box_is_closed() -> None:
    """The page is drawn with the box as it should be."""
    PRESET_BOX_CLOSES.pop()


def open_linked() -> None:
    """Take the playlist that the link names and begin it, or say that there is none of this name. Before any widget is made.

    A link that names a run shows this run. The playlist chosen stands in the link.
    """
    name = st.query_params.get(LINK_KEY)
    if name and name not in known_playlists()[0]:
        del st.query_params[LINK_KEY]
        st.warning(in_markdown(f"This server has no playlist “{name[:40]}”; the presets are the built-in ones."))
    elif name and name != PLAYLIST.get():
        PLAYLIST.set(name)
        if "run" not in st.query_params:
            apply(shown()[0])
    if (playlist := current_playlist()) is not None and name != playlist.name:
        st.query_params[LINK_KEY] = playlist.name


def last_applied() -> Preset | None:
    """The preset that this session applied last."""
    return next((preset for preset in shown() if preset.name == PRESET_APPLIED.get()), None)


def next_preset(preset: Preset | None) -> Preset:
    """The one after this of those that the page offers."""
    return following(preset, shown())


def previous_preset(preset: Preset | None) -> Preset:
    """The one before this of those that the page offers."""
    return preceding(preset, shown())


def matching(run: RunView | None, config: TrainConfig | None, test_size: float, chosen: Chosen | None) -> Preset | None:
    """The preset that the page is at, if any: that of the run shown; before the first run, that of the controls."""
    return current(config, test_size, _unchanged_dataset(chosen), _known()) if run is None else of_run(run)


def of_run(run: RunView) -> Preset | None:
    """The preset that a run was made with, if any."""
    found = current(run.config, run.test_size, run.data["name"], _known())
    same_data = found is not None and same_table(from_gallery(found.data), run.data)
    return found if same_data else None


def partner_of(preset: Preset) -> RunView | None:
    """The latest run of this page to compare one of this preset with; None before there is one."""
    others = partners(preset)
    return next((run for run in current_run.earlier() if of_run(run) in others), None)


def preset_box(preset: Preset | None) -> None:
    """A box with a button per title; a press sets all controls and trains. preset: the one that the page is at, which is marked.

    Buttons, since they have no value: while the box is closed, the browser keeps the old value of what is in it, and sends that
    with the next change of any control, as if somebody had chosen it.
    """
    busy = current_run.active() is not None
    box = st.popover("Presets", key=PRESET_BOX.name, on_change="rerun")  # a rerun, so that ``apply`` can close it
    with box.container(width=260):
        if (playlist := current_playlist()) is not None:
            st.markdown(f"**{in_markdown(playlist.title)}**")
        st.caption(_HELP)
        for number, title in enumerate(dict.fromkeys(preset.title for preset in shown())):
            here = ":material/check:" if preset is not None and preset.title == title else None
            st.button(
                in_markdown(title), key=f"choose_preset_{number}", icon=here, on_click=_press, args=(title,), disabled=busy,
                width="stretch",
            )  # fmt: skip
        if playlist is not None:
            st.button("Leave the playlist", key="leave_playlist", on_click=leave, help="Show the built-in presets again.")


def preset_text(preset: Preset) -> None:
    """In a horizontal container: what to watch, the explanation for those who ask, and a counterpart with the same title."""
    other = counterpart(preset)
    st.markdown(f":material/visibility: {in_markdown(preset.watch)}", width="stretch")
    if other is None:
        _other_button(f"Next: {in_markdown(next_preset(preset).label)}", next_preset(preset))
    elif other.title == preset.title:
        _other_button(f"{'Again' if PRESETS.index(other) < PRESETS.index(preset) else 'Then'}: {other.label}", other)
    if preset.why:
        why(preset)


def _other_button(label: str, other: Preset) -> None:
    busy = current_run.active() is not None
    st.button(label, key="preset_other", disabled=busy, on_click=apply, args=(other,))


def why(preset: Preset) -> None:
    """The explanation, for those who ask."""
    with st.popover("Why?", key="why"):
        st.markdown(f"**Why did this happen?**\n\n{in_markdown(preset.why)}")


def _press(title: str) -> None:
    """Start the first preset of this title, again where the page is at it."""
    apply(next(preset for preset in shown() if preset.title == title))


def _known() -> tuple[Preset, ...]:
    """All presets, those of the playlist first: a step with the settings of a built-in preset has the teacher's note."""
    return (*playlist_steps(), *PRESETS)


def _unchanged_dataset(chosen: Chosen | None) -> str:
    """The name of the dataset if it is as in the gallery, else ""."""
    if chosen is None or chosen.dataset is None or not chosen.source.key.startswith("gallery:"):
        return ""
    name = chosen.source.key.removeprefix("gallery:")
    return name if chosen.dataset.sha256 == from_gallery(name).sha256 else ""
