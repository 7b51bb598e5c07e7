"""The names of the views, as the command line and lessons spell them; a module of its own, for it needs no numpy."""

VIEW_NAMES = (
    "matrix",
    "similarity",
    "rotation",
    "spectrum",
    "grid",
    "precision",
    "attention",
    "scores",
    "experiment",
)
