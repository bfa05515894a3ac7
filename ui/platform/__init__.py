"""What the server gives to every page, and nothing of what pages show.

engine.py      the engine of this server; its ``store`` reads what runs left
visitor.py     whose runs are shown: those of an account, or of a browser; the network address
session.py     what a visitor's session keeps, by name
memory.py      the tables that the pages of all visitors hold
turns.py       whose page is drawn next, and whose file is read next
caches.py      what is computed or read once: for a session, or for all of them
drawing.py     fragments, errors as sentences on the page, the widgets of links
assets.py      the files that browsers fetch; bundle.py: many modules of JavaScript as one
web/           the server, and what stands between the network and Streamlit
streamlit_internals.py   what is imported from Streamlit's inside, or replaced there
"""
