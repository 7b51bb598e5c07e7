"""Every family of encodings; importing this package registers them in the order they are taught."""

# The order of these lines is the order of the menu.
from pe_desktop.core.schemes import naive, sinusoidal, learned, sincos2d, rope, xpos, mrope, axial, alibi  # noqa: F401, I001
from pe_desktop.core.schemes import t5, kerple, fire, shaw, transformer_xl, deberta  # noqa: F401
