"""The process that code runs in.

processes.py       processes that must not outlive the one that started them
torch_settings.py  torch's threads and denormal numbers
"""
