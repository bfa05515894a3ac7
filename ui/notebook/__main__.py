"""Write the widget's file of a checkout and print its path."""

from ui.notebook import provide_widget

print(provide_widget())
