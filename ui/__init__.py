"""What the pages share.

platform/    what the server gives to every page: engine, owner, memory, page lock, web
explore/, runs/, settings/, tuning/, data/, presets/, predict/, compare/, sweep/, paper/   parts of the pages, by subject
live/, client/, report/   charts: messages to the browser, its JavaScript, the exported HTML file
charts.py    all charts of a run, declared; figures.py: those that the server makes
text.py      text from data as Markdown
"""
