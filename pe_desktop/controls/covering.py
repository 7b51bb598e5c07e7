"""Read-outs and lights whose answer is not to be seen yet."""

from __future__ import annotations

import dataclasses

from pe_desktop.core.parts import Light, Readout

MARK = "?"
WORDS = "covered until you reveal it"
SENTENCE = "Covered until you reveal: what do you expect?"


def covered_readouts(readouts: tuple[Readout, ...], names: frozenset[str]) -> tuple[Readout, ...]:
    """The read-outs with a question mark in place of those named; the same tuple where none is."""
    if not any(readout.name in names for readout in readouts):
        return readouts
    return tuple(_covered_readout(readout) if readout.name in names else readout for readout in readouts)


def covered_lights(lights: tuple[Light, ...], names: frozenset[str]) -> tuple[Light, ...]:
    """The lights with a question mark in place of those named; the same tuple where none is."""
    if not any(light.name in names for light in lights):
        return lights
    return tuple(_covered_light(light) if light.name in names else light for light in lights)


def _covered_readout(readout: Readout) -> Readout:
    return dataclasses.replace(readout, value=None, text=MARK, tooltip=SENTENCE, note="")


def _covered_light(light: Light) -> Light:
    return dataclasses.replace(light, holds=None, number=MARK, evidence=SENTENCE)
