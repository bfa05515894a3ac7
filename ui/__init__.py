"""What the pages are made of. Each room imports from the rooms below it only, see ``tool.importlinter`` in pyproject.toml.

explore/, compare/, sweep/, paper/   what one page alone has
"""
