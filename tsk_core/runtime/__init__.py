"""The process that code runs in.

child_process.py   a process that this one starts, talks to and ends
torch_settings.py  torch's threads and denormal numbers
"""
