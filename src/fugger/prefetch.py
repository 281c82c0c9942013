"""Asking the processor for memory some time before it is written: compiled code alone can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def prefetch(array: NDArray[Any], octets: int) -> None:
    """Asks for the line of memory that is so many bytes after an array's begin.

    It is a hint: nothing depends on it, not even that there is such memory. Interpreted, it does
    nothing.
    """


def register() -> None:
    """Teaches Numba the function above."""
    from llvmlite import ir  # noqa: PLC0415
    from numba.core import types  # noqa: PLC0415
    from numba.extending import intrinsic, overload  # noqa: PLC0415

    @intrinsic
    def ask(_: Any, array: Any, octets: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            begin = context.make_array(signature.args[0])(context, builder, values[0]).data
            place = context.cast(builder, values[1], signature.args[1], types.intp)
            line = builder.gep(builder.bitcast(begin, ir.IntType(8).as_pointer()), [place])
            number = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [line.type, number, number, number])
            asked = builder.module.declare_intrinsic("llvm.prefetch", [line.type], kind)
            builder.call(asked, [line, number(1), number(3), number(1)])  # to write, to keep, data
            return context.get_dummy_value()

        return types.void(array, octets), generate

    @overload(prefetch, jit_options={"forceinline": True})
    def compiled_prefetch(array, octets):  # type: ignore[no-untyped-def]  # noqa: ARG001
        # What Numba compiles has to be a function of its own.
        return lambda array, octets: ask(array, octets)  # type: ignore[call-arg]  # noqa: PLW0108
