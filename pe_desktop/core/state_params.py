"""Parameters of schemes as a state keeps them: per scheme, and only what differs from the defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.experiment import build_experiment, experiment_class
from pe_desktop.core.parametric import Parametric
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
    return _kept_with(kept, scheme, build(scheme, given, dimension, length), given)


def _kept_with(kept: Params, name: str, built: Parametric, given: Mapping[str, Any]) -> Params:
    """What is kept of all, with those of `given` that differ from the defaults for the one named."""
    other = {
        about.name: getattr(built, about.name)
        for about in built.parameters()
        if about.name in given and given[about.name] is not None and getattr(built, about.name) != about.default
    }
    params = {other_name: values for other_name, values in kept.items() if other_name != name}
    if other:
        params[name] = MappingProxyType(other)
    return MappingProxyType(params)


def merge_experiment(kept: Params, experiment: str, changes: Any) -> Params:
    """As :func:`merge`, of an experiment."""
    if not isinstance(changes, Mapping):
        raise FieldError("experiment_params", f"The parameters are {changes!r}; they must map names to values.")
    given = dict(kept.get(experiment, {})) | dict(changes)
    return _kept_with(kept, experiment, build_experiment(experiment, given), given)


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
    return _read(params, "params", "scheme", scheme_class)


def read_experiments(params: Any) -> Params:
    """As :func:`read_params`, of all experiments."""
    return _read(params, "experiment_params", "experiment", experiment_class)


def _read(params: Any, field: str, what: str, class_of: Callable[[str], type[Parametric]]) -> Params:
    if not isinstance(params, Mapping):
        raise FieldError(field, f"The parameters are {params!r}; they must map {what} ids to their values.")
    kept = {
        name: MappingProxyType(_check(field, f"{what} {name!r}", class_of(name), values))
        for name, values in params.items()
    }
    return MappingProxyType({name: values for name, values in kept.items() if values})


def _check(field: str, what: str, kind: type[Parametric], values: Any) -> dict[str, Any]:
    if not isinstance(values, Mapping):
        raise FieldError(field, f"The parameters of {what} are {values!r}; they must map names to values.")
    kind.refuse_unknown(what, {str(name): value for name, value in values.items()})
    known = {about.name: about for about in kind.parameters()}
    checked = {name: known[name].check(value) for name, value in values.items()}
    return {name: value for name, value in checked.items() if value != known[name].default}
