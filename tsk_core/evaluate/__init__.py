"""How good predictions are: RCA and BCA, confusion matrix, calibration, baselines. Knows nothing of training."""
