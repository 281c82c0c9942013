"""What is said when a package that an environment needs isn't installed."""

import importlib
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("fugger.envs.pettingzoo", "pettingzoo", "pettingzoo"),
        ("fugger.envs.pettingzoo", "gymnasium", "pettingzoo"),
        ("fugger.envs.gymnasium", "gymnasium", "gymnasium"),
        ("fugger.envs.gymnasium_vector", "gymnasium", "gymnasium"),
        ("fugger.envs.picture", "resvg_py", "gymnasium"),
        ("fugger.envs.picture", "PIL", "gymnasium"),
        ("fugger.envs.openspiel", "pyspiel", "openspiel"),
    ],
)
def test_the_extra_is_named(monkeypatch, module, package, extra):
    for name in list(sys.modules):
        if name in {package, module} or name.startswith(f"{package}."):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModuleNotFoundError) as told:
        importlib.import_module(module)
    assert f"{package} isn't installed: expected it, as by `pip install 'fugger[{extra}]'`" == str(
        told.value
    )
    assert package == told.value.name
