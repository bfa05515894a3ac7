"""The scikit-learn face of the project.

classifier.py     TSKClassifier; fitted.py: what it can do once it is fitted
classifier_cv.py  TSKClassifierCV: the same with settings found by cross-validation
fit_many.py       many classifiers on one table, trained side by side
stability.py      how often the rules of a classifier come back when it is trained again
validation.py     X, y and weights, checked as scikit-learn's conventions ask
persistence.py    a model on disk
"""
