"""What checks find in a table, and the table after their remedy."""

from tsk_core.data import Choices, make_dataset


def dataset(frame, target="class", **choices):
    return make_dataset(frame, target, name="t", choices=Choices(**choices))


def found(ds, check):
    """The findings of one check."""
    return [finding for finding in ds.findings if finding.check == check]


def taken(ds, finding):
    """The dataset after the remedy of a finding."""
    return ds.with_choices(ds.choices.with_changes(finding.remedy.changes))
