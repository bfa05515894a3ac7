"""What the server gives to every page, and nothing of what pages show.

engine.py      the engine of this server; its ``store`` reads what runs left
owner.py       whose runs are shown: account.py (a login), visitor.py (the network address)
session.py     what a visitor's session keeps, by name; linked_widget.py: the widget of a link beside the one that people see
memory.py      the tables that the pages of all visitors hold
page_lock.py   pages are drawn one at a time; fragments.py, first_visit.py: how Streamlit runs a page
turns.py       who is next: for the page lock, and for a reader of files (reading_turns.py)
errors.py      errors as sentences on the page
downloads.py   files that are made when a button is pressed
assets.py      the files that browsers fetch; bundle.py: many modules of JavaScript as one
web/           what stands between the network and Streamlit
"""
