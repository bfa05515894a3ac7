"""The commands of ``python -m tsk_core``, one file each; ``add_parser`` declares its options and sets the function to call."""
