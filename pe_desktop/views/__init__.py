"""Pictures of a snapshot: each view draws one part and passes gestures to the lab."""

from pe_desktop.views.attention import AttentionView
from pe_desktop.views.grid import GridView
from pe_desktop.views.matrix import MatrixView
from pe_desktop.views.panel import Panel
from pe_desktop.views.rotation import RotationView
from pe_desktop.views.scores import ScoresView
from pe_desktop.views.similarity import SimilarityView

__all__ = ["AttentionView", "GridView", "MatrixView", "Panel", "RotationView", "ScoresView", "SimilarityView"]
