"""A state for interpreted code: the same fields, as plain Python numbers.

Reading a field of a NumPy record takes microseconds, of a memory view a tenth of one. The rules
don't care which they are given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from fugger.rules.state import STATE, State

if TYPE_CHECKING:
    from fugger.rules.state import States

_BYTES: Final = 2
"""Of an int16."""
_LAYOUT: Final[list[tuple[str, int, tuple[int, ...]]]] = [
    (name, begin, kind.shape) for name, (kind, begin, *_) in (STATE.fields or {}).items()
]
_ARRAYS: Final = {
    name: (begin, begin + _BYTES * int(np.prod(shape)), list(shape))
    for name, begin, shape in _LAYOUT
    if shape
}


class Fields:
    """The fields of a state in some memory, such as an array of one: both change together.

    A scalar field is an int; an array field is a memory view, indexed like the record's array.
    """

    __slots__ = ("_numbers", "_octets", *_ARRAYS)

    def __init__(self, octets: memoryview) -> None:
        self._octets = octets
        self._numbers = octets.cast("h")

    def __getattr__(self, name: str) -> memoryview:
        """Views an array field when it is first asked for."""
        if name not in _ARRAYS:
            raise AttributeError(f"a state has no field {name}")
        begin, end, shape = _ARRAYS[name]
        view = self._octets[begin:end].cast("h", shape)
        setattr(self, name, view)
        return view

    def tobytes(self) -> bytes:
        """The state's bytes."""
        return self._numbers.tobytes()


def fields_of(states: States) -> State:
    """The state in an array of one, for interpreted code."""
    return cast("State", Fields(memoryview(states.view(np.uint8))))


def fields_from_bytes(snapshot: bytes) -> State:
    """The state whose `tobytes` this is, for interpreted code."""
    return cast("State", Fields(memoryview(bytearray(snapshot))))


def _scalar(index: int) -> Any:
    def read(fields: Fields) -> int:
        return fields._numbers[index]

    def write(fields: Fields, number: int) -> None:
        fields._numbers[index] = number

    return property(read, write)


for _name, _begin, _shape in _LAYOUT:
    if not _shape:
        setattr(Fields, _name, _scalar(_begin // _BYTES))
