"""The data check finds traps that are planted in made-up tables, and raises few alarms about tables that have none."""
