"""Reports as one HTML file: it opens from a disk, without a server and without a network.

document.py    what every report is made of: the page's JavaScript, Plotly, styles, templates
run_report.py  the report of a run; facts.py: its text and numbers
"""
