"""The scikit-learn face of the project.

classifier.py       TSKClassifier: its settings, its training, and what the fitted model gives it
delegation.py       methods of the fitted model as methods of the classifier
fitted.py           FittedModel: all that a fitted classifier knows and can do, immutable
training.py         a classifier while it trains: it is given its model and its records together
training_rows.py    X and y as classifiers train on them
classifier_cv.py    TSKClassifierCV: the same with settings found by cross-validation
readable_search.py  the settings of a readable rule base that cross-validation finds for a table
fit_many.py         many classifiers on one table, trained side by side
stability.py        how often the rules of a classifier come back when it is trained again
surrogate.py        explain_with_rules: a readable rule base of what another classifier predicts
text_columns.py     text columns that are hardly meant as categories
validation.py       X, y, weights and seed, checked as scikit-learn's conventions ask
persistence.py      a model on disk
"""
