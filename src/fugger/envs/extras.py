"""What to say when a package of one of our extras isn't installed."""

from __future__ import annotations


def missing(extra: str, error: ModuleNotFoundError) -> ModuleNotFoundError:
    """The error to raise instead of one that names a package nobody has heard of.

    Args:
        extra: the extra that brings the package.
        error: what importing it raised.
    """
    package = str(error.name).partition(".")[0]
    message = f"{package} isn't installed: expected it, as by `pip install 'fugger[{extra}]'`"
    return ModuleNotFoundError(message, name=package, path=error.path)
