"""Every layer: position rows added before each layer, against once before the first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pe_desktop.core import sentence
from pe_desktop.core.additive import Additive
from pe_desktop.core.attention import TILE, toy_head
from pe_desktop.core.experiment import Experiment, ExperimentPart, Figure, Line, LinePlate, register
from pe_desktop.core.experiments.few_words import MOST, few_words
from pe_desktop.core.numerals import short
from pe_desktop.core.scheme import Acts, Float, Scheme, parameter
from pe_desktop.core.schemes.naive import NoEncoding
from pe_desktop.core.state import SEED_RANGE, LabState
from pe_desktop.core.work import checkpoint, task

SWAMPED = 4.0  # times the content's cosine
DRAWING = 8  # steps that a random number takes
SMALLEST = float(np.finfo(np.float64).tiny)
SAME = 5e-4  # half a unit of the last digit the sentence shows


@dataclass(frozen=True, eq=False)
class Way:
    """Mean cosines at the input of the first layer and after each, shape (layers + 1,) float64.

    ``position`` is None where nothing is added.
    """

    content: Float
    position: Float | None


@register
@dataclass(frozen=True, kw_only=True)
class Layers(Experiment):
    """A stack of toy attention layers, each x ← x + attention(x)/√layers, brought to root mean square 1 if asked for.

    The root keeps what all layers together add about as large as the words, as GPT-2 starts (Radford et al. 2019,
    section 2.3). Each layer has toy weights of its own, the first those of the attention view. A scheme that adds
    nothing acts in the scores, of every layer or of the first alone.
    """

    layers: int = parameter(
        "Layers",
        int,
        12,
        minimum=2,
        maximum=48,
        logarithmic=True,
        unit="layers",
        help="Layers of the toy stack: attention with a residual path, no feed-forward part.",
        source="12 in BERT base (Devlin et al. 2018) and GPT-2 small, 6 in Vaswani et al. 2017",
    )
    normalise: bool = parameter(
        "Normalise",
        bool,
        True,
        help="Scale every vector to root mean square 1 after each layer, which keeps its direction.",
        source="Zhang and Sennrich 2019 (RMSNorm), after the residual sum as in Vaswani et al. 2017",
    )

    id: ClassVar[str] = "layers"
    title: ClassVar[str] = "Every layer"
    question: ClassVar[str] = "What if the position is added again at every layer?"
    source: ClassVar[str] = "Vaswani et al. 2017 (once); Dehghani et al. 2018, Universal Transformers (at every step)"
    fields: ClassVar[tuple[str, ...]] = ("built", "sentence", "causal", "head", "seed")

    def cost(self, state: LabState) -> int:
        """Two heads of attention a layer, and its weights; two multiplications take no longer than one step."""
        n = min(len(state.words_that_count), MOST)
        return self.layers * ((n * n * 2 + n * 64 * 3) * state.dimension + 3 * TILE**2 * DRAWING)

    def run(self, state: LabState) -> ExperimentPart:
        """See :meth:`Experiment.run`."""
        if not state.words:
            return self.refusal("There is no word to send through the layers: type a sentence.")
        words, note = few_words(state)
        rows = _rows(state.built, len(words))
        if rows is not None and not rows.any():
            return self.refusal(
                f"{state.built.title} adds zeros to these words, which have no direction: type a longer sentence."
            )
        embeddings = sentence.word_vectors(words, state.dimension, state.seed)
        with task("Going through the layers"):
            once, every = self._go(state, embeddings, rows)
        point = f"means over {len(words)} {'word' if len(words) == 1 else 'words'}; toy weights, head {state.head}"
        said = self._sentence(state.built, once, every) + note
        return self.part(point, said, self._plates(once, every), _figures(once, every))

    def _go(self, state: LabState, embeddings: Float, rows: Float | None) -> tuple[Way, Way]:
        """The words' way through the layers, with rows added once and at every layer; both share a layer's weights."""
        first = embeddings if rows is None else embeddings + rows
        vectors, met = [first, first], [[_cosines(first, embeddings, rows)] for _ in range(2)]
        for layer in range(self.layers):
            checkpoint(layer / self.layers)
            for way, every in enumerate((False, True)):
                vectors[way] = self._through(state, vectors[way], layer, rows, every=every)
                met[way].append(_cosines(vectors[way], embeddings, rows))
        once, every_layer = (np.array(each).T for each in met)
        position = (None, None) if rows is None else (once[1], every_layer[1])
        return Way(once[0], position[0]), Way(every_layer[0], position[1])

    def _through(self, state: LabState, vectors: Float, layer: int, rows: Float | None, *, every: bool) -> Float:
        """What a layer makes of the words' vectors (n, d)."""
        scheme = state.built
        if rows is not None and every and layer:
            vectors = vectors + rows
        if rows is None and layer and not every:
            scheme = NoEncoding(dimension=state.dimension, length=state.length)
        seed, slots = state.seed + layer * (SEED_RANGE[1] + 1), np.arange(len(vectors))
        answer = toy_head(scheme, vectors, slots, seed=seed, head=state.head, causal=state.causal).outputs
        out = vectors + answer / math.sqrt(self.layers)
        if not self.normalise:
            return out
        return np.asarray(out / np.sqrt(np.maximum((out**2).mean(axis=1, keepdims=True), SMALLEST)))

    def _plates(self, once: Way, every: Way) -> tuple[LinePlate, ...]:
        layers = np.arange(self.layers + 1, dtype=np.float64)

        def plate(title: str, first: Float, each: Float, names: tuple[str, str]) -> LinePlate:
            lines = Line(names[0], layers, first, "main", True), Line(names[1], layers, each, "other", True)
            low = min(0.0, float(first.min()), float(each.min()))
            return LinePlate(title, lines, "after layer", "mean cosine", x_whole=True, y_range=(low, 1.0))

        if once.position is None or every.position is None:
            names = "in the first layer", "in every layer"
            return (plate("Content: cosine with the word's embedding", once.content, every.content, names),)
        names = "added once", "added at every layer"
        return (
            plate("Content: cosine with the word's embedding", once.content, every.content, names),
            plate("Position: cosine with its position row", once.position, every.position, names),
        )

    def _sentence(self, scheme: Scheme, once: Way, every: Way) -> str:
        content = float(once.content[-1]), float(every.content[-1])
        if once.position is None or every.position is None:
            if scheme.acts is Acts.NOTHING:
                return (
                    f"Nothing is added, so no position part can pile up: after {self.layers} layers a word's vector "
                    f"has cosine {short(content[1])} with its embedding."
                )
            return (
                f"{scheme.title} adds nothing to the vectors, it acts in the scores of each layer: no position part "
                f"piles up, and after {self.layers} layers the cosine with the embedding is {short(content[1])} "
                f"({short(content[0])} if it acts in the first layer alone)."
            )
        position = float(once.position[-1]), float(every.position[-1])
        numbers = (
            f"Cosine with embedding and row after {self.layers} layers: {short(content[0])} and {short(position[0])} "
            f"if added once, {short(content[1])} and {short(position[1])} if at every layer"
        )
        grows, shrinks = position[1] - position[0] > SAME, content[0] - content[1] > SAME
        if grows and shrinks:
            swamped = position[1] > SWAMPED * abs(content[1])
            return f"{numbers}: the position {'swamps' if swamped else 'grows at the cost of'} the content."
        return f"{numbers}: here the position does not grow at the content's cost."


def _rows(scheme: Scheme, count: int) -> Float | None:
    """The first position rows, shape (count, d), None where nothing is added."""
    if isinstance(scheme, Additive) and scheme.acts is Acts.ADDED:
        return scheme.encode(np.arange(count, dtype=np.float64))
    return None


def _cosines(vectors: Float, embeddings: Float, rows: Float | None) -> tuple[float, float]:
    """Mean cosine of the vectors with the embeddings and with the rows, 0 where there are none."""
    return _cosine(vectors, embeddings), 0.0 if rows is None else _cosine(vectors, rows)


def _cosine(vectors: Float, others: Float) -> float:
    """Mean cosine of each of `vectors` (n, d) with the one of the same number; zeros have no direction and no part."""
    sizes = np.linalg.norm(vectors, axis=1), np.linalg.norm(others, axis=1)
    both = (sizes[0] > 0.0) & (sizes[1] > 0.0)
    if not both.any():
        return 0.0
    units = vectors[both] / sizes[0][both, None], others[both] / sizes[1][both, None]
    return float((units[0] * units[1]).sum(axis=1).mean())


def _figures(once: Way, every: Way) -> tuple[Figure, ...]:
    about = {
        "content": "Mean cosine of a word's vector with its own embedding, after the last layer.",
        "position": "Mean cosine of a word's vector with its own position row, after the last layer.",
    }
    figures = []
    for what in ("content", "position"):
        for name, label, way in (("once", "once", once), ("every", "every layer", every)):
            values: Float | None = getattr(way, what)
            last = None if values is None else float(values[-1])
            text = "nothing is added" if last is None else short(last)
            figures.append(Figure(f"{what}_{name}", f"{what.capitalize()}, {label}", last, text, about[what]))
    return tuple(figures)
