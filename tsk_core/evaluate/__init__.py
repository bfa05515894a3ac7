"""How good a model is: RCA and BCA, confusion matrix, calibration, baselines."""
