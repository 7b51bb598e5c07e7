"""Multimodal RoPE (Qwen2-VL 2024): a token of an image or video has a time, a row and a column."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.grid_means import Digit, Run, Runs
from pe_desktop.core.gridded import Image, Index
from pe_desktop.core.multi_axis import MultiAxis
from pe_desktop.core.numerals import whole
from pe_desktop.core.parameter import LONGEST_LIST
from pe_desktop.core.plain_rotary import PlainRotary
from pe_desktop.core.scheme import LENGTH_RANGE, parameter, register

TIME, HEIGHT, WIDTH = range(3)
ORDERS = {"thw": (TIME, HEIGHT, WIDTH), "hwt": (HEIGHT, WIDTH, TIME)}
# How pairs are shared where no sections are given, in the order of the sections.
SHARES = {"bands": (2, 3, 3), "interleaved": (6, 5, 5), "hwt": (11, 11, 10)}
SIDE = 1024
QWEN2, QWEN3, ERNIE = "transformers qwen2_vl", "transformers qwen3_vl", "transformers ernie4_5_vl"


def _count(label: str, default: int, maximum: int, unit: str, about: str, source: str, minimum: int = 1) -> Any:
    limits = {"minimum": minimum, "maximum": maximum, "slider": (minimum, min(maximum, SIDE))}
    return parameter(label, int, default, unit=unit, logarithmic=True, help=about, source=source, **limits)


@register
@dataclass(frozen=True, kw_only=True)
class MRope(MultiAxis, PlainRotary):
    """Three coordinates per token; each pair reads one of them. For text they are equal: plain RoPE."""

    sections: tuple[int, ...] | None = parameter(
        "Sections",
        tuple,
        None,
        minimum=0,
        maximum=LONGEST_LIST,
        items=int,
        unit="pairs",
        derived="the shares of the models",
        help="How many pairs read each axis, in the order below; together all of them.",
        source=f"Wang et al. 2024, arXiv 2409.12191; mrope_section of {QWEN2} (16, 24, 24), {QWEN3} (24, 20, 20)",
    )
    order: str = parameter(
        "Order of sections",
        str,
        "thw",
        choices=(("thw", "t, h, w (Qwen)"), ("hwt", "h, w in turn, then t (ERNIE 4.5)")),
        help="Which axes the sections stand for; ERNIE's h and w alternate and its slow pairs read t.",
        source=f"{QWEN2}; {ERNIE} (22, 22, 20)",
    )
    interleaved: bool = parameter(
        "Axes in turn",
        bool,
        False,
        help="Pairs read t, h, w, t, h, w, … while the sections last, instead of one band per axis.",
        source=f"{QWEN3} (mrope_interleaved)",
        when=("order", ("thw",)),
    )
    text_before: int = _count(
        "Text before", 8, LENGTH_RANGE[1], "tokens", "Text tokens before the image.", "a prompt of this app", 0
    )
    image_rows: int = _count(
        "Image rows", 8, SIDE, "patches", "Rows of the image after 2 × 2 patches are merged.", f"{QWEN2} (grid_thw)"
    )
    image_columns: int = _count(
        "Image columns", 8, SIDE, "patches", "Columns of the image after merging.", f"{QWEN2} (grid_thw)"
    )
    frames: int = _count("Frames", 1, SIDE, "frames", "Temporal patches: 1 is an image, more a video.", QWEN2)
    text_after: str = parameter(
        "Text after",
        str,
        "maximum",
        choices=(("maximum", "Largest so far + 1 (paper)"), ("qwen2_vl", "Start + max(rows, columns)")),
        help="Where text goes on after the image; the two differ for a video with more frames than rows and columns.",
        source=f"Wang et al. 2024, section 2.1 (paper); {QWEN2}, get_rope_index (start + max)",
    )

    id: ClassVar[str] = "mrope"
    title: ClassVar[str] = "M-RoPE"
    summary: ClassVar[str] = "A token has a time, a row and a column; each pair turns with one of them."
    source: ClassVar[str] = "Wang et al. 2024 (Qwen2-VL), arXiv 2409.12191"
    axes: ClassVar[tuple[str, ...]] = ("t", "h", "w")

    def validate(self) -> None:
        """Refuse sections that are not three, do not sum to the pairs, or cannot take turns."""
        super().validate()
        if self.sections is None:
            return
        pairs, fitting = self.rotary_width // 2, self._fitting(self.sections)
        fix = (Fix(f"Use {_listed(fitting)}", {"params": {"sections": list(fitting)}}),)
        if len(self.sections) != 3:
            found = f"{len(self.sections)} number{'s' if len(self.sections) > 1 else ''}"
            raise FieldError(
                "sections",
                f"Sections has {found}; it must have three, for {', '.join(self.section_axes)}, such as "
                f"{_listed(fitting)}.",
                fix,
            )
        if sum(self.sections) != pairs:
            raise FieldError(
                "sections",
                f"Sections {_listed(self.sections)} sum to {whole(sum(self.sections))}, but there are {whole(pairs)} "
                f"pairs (rotary width {whole(self.rotary_width)} / 2); the nearest with that sum are "
                f"{_listed(fitting)}.",
                fix,
            )
        if fitting != self.sections:
            raise FieldError("sections", f"{self._why_not()} the nearest are {_listed(fitting)}.", fix)

    @property
    def section_axes(self) -> tuple[str, ...]:
        """Names of the axes in the order of the sections."""
        return tuple(self.axes[axis] for axis in ORDERS[self.order])

    @property
    def in_turn(self) -> bool:
        """Whether pairs read t, h, w in turn."""
        return self.interleaved and self.order == "thw"

    def _why_not(self) -> str:
        assert self.sections is not None
        if self.order == "hwt":
            return (
                f"Sections {_listed(self.sections)}: h and w take turns, h first, so they must have equally many pairs "
                "or h one more;"
            )
        pairs = self.rotary_width // 2
        most = f"h can have at most {whole((pairs + 1) // 3)} and w at most {whole(pairs // 3)} of {whole(pairs)} pairs"
        return f"Sections {_listed(self.sections)} cannot take turns: {most};"

    def _fitting(self, wanted: tuple[int, ...]) -> tuple[int, ...]:
        """The nearest valid sections."""
        pairs = self.rotary_width // 2
        if len(wanted) != 3 or not sum(wanted):
            wanted = SHARES["hwt" if self.order == "hwt" else "interleaved" if self.in_turn else "bands"]
        first, second, third = wanted if sum(wanted) == pairs else _shared(pairs, wanted)
        if self.order == "hwt":  # h, w, t
            both = first + second
            return (both - both // 2, both // 2, third) if first - second not in (0, 1) else (first, second, third)
        if self.in_turn:  # t, h, w
            second, third = min(second, (pairs + 1) // 3), min(third, pairs // 3)
            first = pairs - second - third
        return first, second, third

    @property
    def used_sections(self) -> tuple[int, ...]:
        """The sections in use."""
        return self._fitting(()) if self.sections is None else self.sections

    def effective(self) -> dict[str, Any]:
        """See :meth:`Scheme.effective`."""
        return super().effective() | {"sections": self.used_sections}

    @cached_property
    def _pair_axis(self) -> Index:
        sections, pairs = self.used_sections, self.rotary_width // 2
        if self.in_turn:
            out = np.full(pairs, TIME)
            for axis in (HEIGHT, WIDTH):
                out[axis : 3 * sections[axis] : 3] = axis
        elif self.order == "hwt":
            out = np.full(pairs, TIME)
            both = pairs - sections[2]
            out[:both] = np.where(np.arange(both) % 2, WIDTH, HEIGHT)
        else:
            out = np.repeat((TIME, HEIGHT, WIDTH), sections)
        out.flags.writeable = False
        return out

    def pair_axis(self) -> Index:
        """See :meth:`Gridded.pair_axis`."""
        return self._pair_axis

    @property
    def image(self) -> Image:
        """See :attr:`Gridded.image`."""
        return Image(self.text_before, self.frames, self.image_rows, self.image_columns)

    @property
    def text_goes_on_at(self) -> int:
        """Coordinate (the same on every axis) of the first text token after the image."""
        sides = [self.image_rows, self.image_columns]
        if self.text_after == "maximum":
            sides.append(self.frames)
        return self.text_before + max(sides)

    @cached_property
    def runs(self) -> Runs:
        """See :attr:`Gridded.runs`: text, image, text."""
        start, rows, columns = self.text_before, self.image_rows, self.image_columns
        patches = (Digit(start, rows * columns), Digit(start, columns, rows), Digit(start, 1, columns))
        after = Run(start + self.frames * rows * columns, (Digit(self.text_goes_on_at),) * 3)
        before = (Run(0, (Digit(0),) * 3),) if start else ()
        return Runs((*before, Run(start, patches), after))

    @cached_property
    def rope_delta(self) -> int:
        """Largest coordinate + 1 - number of tokens: what generation adds to a token's number."""
        ends = [self.length - 1]
        patches = self.image.tokens(self.length)
        if patches:  # the largest of each axis is at the end of a row, of a frame, or at the last patch
            row, frame = self.image_columns, self.image_rows * self.image_columns
            ends += [self.text_before + end - 1 for end in (row, frame) if end <= patches]
            ends.append(self.text_before + patches - 1)
        return round(float(self.coordinates(ends).max())) + 1 - self.length

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        image, notes = self.image, list(self.width_notes())
        total, inside = image.frames * self.image_rows * self.image_columns, image.tokens(self.length)
        if inside < total:
            held = "none" if not inside else f"only {whole(inside)}"
            notes.append(f"The sequence ends early: it holds {held} of the {whole(total)} patches.")
        elif self.rope_delta:
            last = self.rope_delta + self.length - 1
            notes.append(
                f"rope_delta {whole(self.rope_delta).replace('-', '−')}: {whole(self.length)} tokens reach position "
                f"{whole(last)} only."
            )
        if self.text_after == "qwen2_vl" and self.frames > max(self.image_rows, self.image_columns):
            notes.append(
                f"Text after the video starts at {whole(self.text_goes_on_at)}, below its last t "
                f"{whole(self.text_before + self.frames - 1)} (as transformers' qwen2_vl does)."
            )
        return tuple(notes)

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        return f"Token {whole(position)}: {self.place(position)}. {self.shares()}"


def _listed(sections: tuple[int, ...]) -> str:
    return ", ".join(map(whole, sections))


def _shared(pairs: int, parts: tuple[int, ...]) -> tuple[int, ...]:
    """`pairs` shared in proportion to `parts`, the largest remainders rounded up (the first of equal ones first)."""
    total = sum(parts)
    out = [pairs * part // total for part in parts]
    remainders = [pairs * part % total for part in parts]
    for place in sorted(range(len(parts)), key=lambda each: -remainders[each])[: pairs - sum(out)]:
        out[place] += 1
    return tuple(out)
