"""Every family of encodings; importing this package registers them in the order they are taught."""

from pe_desktop.core.schemes import naive, sinusoidal, learned, rope, alibi  # noqa: F401, I001  (order = menu order)
