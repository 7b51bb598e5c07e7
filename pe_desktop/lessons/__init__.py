"""Guided steps: lesson files, what they claim, and the widgets that lead through them."""
