"""The claims that the lessons prove, by number; a step names those that its expectations prove."""

from __future__ import annotations

CLAIMS = {
    1: "Attention alone cannot tell the order of its input: permute the rows, and the outputs permute with them.",
    2: "Without an encoding the swap has an input gap of 0.000; with the sinusoidal one it has not.",
    3: "Raw integers grow without bound and drown the word they are added to.",
    4: "Position divided by length gives one value many meanings, and a longer sequence moves every row.",
    5: "Sinusoidal values stay between -1 and 1 at any length.",
    6: "Wavelengths grow by a fixed factor from 2π to almost 2π × base.",
    7: "Fast columns stripe and slow ones hardly move, like a binary counter without corners.",
    8: "Every row differs from every other, at the largest length too.",
    9: "A fixed offset is a fixed rotation: R_k takes row p to row p + k wherever p is.",
    10: "Every sinusoidal row has the length √(d/2).",
    11: "Similarity peaks at the inspected spot, keeps its shape when the spot moves, and falls with ripples.",
    12: "A learned table works inside and simply ends at its last row.",
    13: "RoPE turns queries and keys, never values, in every layer; shift both and the score stays.",
    14: "ALiBi takes away an amount linear in distance, with one slope per head: a bias towards the near.",
    15: "T5 adds one learned number per bucket of offsets.",
    16: "Interpolation squeezes fine distances, NTK-aware keeps the near ones, YaRN blends and adds a temperature.",
    17: "Past its trained length RoPE meets angles never trained; each extension brings them back into range.",
    18: "In a wide space an added position stays nearly at a right angle to the word, and both can be read out.",
    19: "The common mistakes: left out, past the end, at every layer, read as a number, mixed layouts, left padding.",
    20: "Images need an encoding of two coordinates.",
    21: "The base sets the slowest wavelength.",
    22: "A causal mask lets order in without any encoding.",
}
