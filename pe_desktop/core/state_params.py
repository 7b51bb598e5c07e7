"""Parameters of schemes as a state keeps them: per scheme, and only what differs from the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.scheme import Scheme, build, scheme_class

Params = Mapping[str, Mapping[str, Any]]
NO_PARAMS: Params = MappingProxyType({})
B_PARAMS = "compare_params"


def merge(kept: Params, scheme: str, changes: Any, dimension: int, length: int) -> Params:
    """The parameters of all schemes after some of one scheme's have changed; a default is dropped.

    Raises
    ------
    FieldError
        If the scheme refuses them.
    """
    if not isinstance(changes, Mapping):
        raise FieldError("params", f"The parameters are {changes!r}; they must map names to values.")
    given = dict(kept.get(scheme, {})) | dict(changes)
    built = build(scheme, given, dimension, length)
    other = {
        about.name: getattr(built, about.name)
        for about in built.parameters()
        if about.name in given and given[about.name] is not None and getattr(built, about.name) != about.default
    }
    params = {name: values for name, values in kept.items() if name != scheme}
    if other:
        params[scheme] = MappingProxyType(other)
    return MappingProxyType(params)


def merge_b(kept: Params, scheme: str, changes: Any, dimension: int, length: int) -> Params:
    """As :func:`merge`, of the scheme that is compared with; "" if there is none."""
    if not scheme:
        if not changes:
            return kept
        raise FieldError(B_PARAMS, "There is no scheme B to set parameters of; choose one to compare with.")
    try:
        return merge(kept, scheme, changes, dimension, length)
    except FieldError as error:
        raise of_b(error) from error


def build_b(kept: Params, scheme: str, dimension: int, length: int) -> Scheme | None:
    """The scheme that is compared with, None for ""."""
    if not scheme:
        return None
    try:
        return build(scheme, kept.get(scheme, {}), dimension, length)
    except FieldError as error:
        raise of_b(error) from error


def of_b(error: FieldError) -> FieldError:
    """A refusal about the scheme that is compared with, in terms of the state's fields."""
    field = {"scheme": "compare", "dimension": "dimension", "length": "length", "params": B_PARAMS}.get(error.field)
    fixes = tuple(
        Fix(fix.label, {B_PARAMS if name == "params" else name: value for name, value in fix.changes.items()})
        for fix in error.fixes
    )
    return FieldError(field or f"{B_PARAMS}.{error.field}", f"Scheme B: {error.message}", fixes)


def read_params(params: Any) -> Params:
    """The parameters of all schemes as a session file holds them.

    Each is checked alone: those of a scheme that is not chosen need not fit the dimension.

    Raises
    ------
    FieldError
    """
    if not isinstance(params, Mapping):
        raise FieldError("params", f"The parameters are {params!r}; they must map scheme ids to their values.")
    kept = {scheme: MappingProxyType(_check(scheme, values)) for scheme, values in params.items()}
    return MappingProxyType({scheme: values for scheme, values in kept.items() if values})


def _check(scheme: str, values: Any) -> dict[str, Any]:
    if not isinstance(values, Mapping):
        raise FieldError("params", f"The parameters of {scheme!r} are {values!r}; they must map names to values.")
    known = {about.name: about for about in scheme_class(scheme).parameters()}
    for name in values:
        if name not in known:
            raise FieldError(str(name), f"The scheme {scheme!r} has no parameter {name!r}.")
    checked = {name: known[name].check(value) for name, value in values.items()}
    return {name: value for name, value in checked.items() if value != known[name].default}
