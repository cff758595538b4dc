"""Arrays that the caller keeps: nobody counts who holds them, which would cost more than a short loop over them."""

from typing import Any

from numba import types
from numba.extending import intrinsic


def _borrow(typing_context: Any, given: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _without_owner(context, builder, given, arguments[0])

    return given(given), generate


def _without_owner(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Array):
        array: Any = context.make_array(kind)(context, builder, value)
        array.meminfo, array.parent = array.meminfo.type(None), array.parent.type(None)
        return array._getvalue()
    members: Any = kind if isinstance(kind, types.BaseTuple) else ()
    for i, member in enumerate(members):
        part = _without_owner(context, builder, member, builder.extract_value(value, i))
        value = builder.insert_value(value, part, i)
    return value


borrowed: Any = intrinsic(_borrow)
"""The same array, or a tuple of the same arrays, without its owner: for as long as the caller keeps it, so never of an
array that the caller makes for this alone."""
