"""Widgets that ask the model for changes and show what it holds."""
