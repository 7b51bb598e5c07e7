"""The window and all that surrounds it; the only room that knows every other."""
