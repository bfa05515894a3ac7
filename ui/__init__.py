"""What the pages share.

explore/, runs/, settings/, tune/, data/, presets/, predict/   parts of the pages, by subject
live/, client/, report/   charts: messages to the browser, its JavaScript, the exported HTML file
charts.py    all charts of a run, declared; figures.py: those that the server makes
engine.py    the engine of this server; its ``store`` reads what runs left
owner.py     whose browser this is; guard.py: errors as sentences; text.py: text from data as Markdown
assets.py    the files that browsers fetch
"""
