"""Every experiment, one class in one file; the order of the imports is the order of the menu."""

from pe_desktop.core.experiments import shuffle  # noqa: F401
