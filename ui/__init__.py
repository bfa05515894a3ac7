"""What the pages are made of. Each room imports from the rooms below it only, see ``tool.importlinter`` in pyproject.toml.

explore/, compare/, sweep/, paper/   what one page alone has
page/        what pages have in common: sidebar, presenter mode, opening
report/, tuning/, predict/, experiments/   the exported HTML file; the search for settings; predictions; what experiments share
live/        messages to the browser; client/: its JavaScript
presets/, settings/, data/, runs/   widgets and texts by subject
charts/      the charts, declared; those that the server draws
platform/    what the server gives to every page: engine, owner, session, memory, page lock, web
text.py      text from data as Markdown
"""
