"""How good predictions are. Knows nothing of training."""
