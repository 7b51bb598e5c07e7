"""Every experiment, one class in one file; the order of the imports is the order of the menu."""

# isort: off
from pe_desktop.core.experiments import shuffle  # noqa: F401
from pe_desktop.core.experiments import counter  # noqa: F401
from pe_desktop.core.experiments import turn  # noqa: F401
from pe_desktop.core.experiments import lookalikes  # noqa: F401
from pe_desktop.core.experiments import norms  # noqa: F401
from pe_desktop.core.experiments import added  # noqa: F401
from pe_desktop.core.experiments import padding  # noqa: F401
from pe_desktop.core.experiments import layers  # noqa: F401
from pe_desktop.core.experiments import layouts  # noqa: F401
