"""Installing with npm's client: once, whole or not at all, and why it failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from downset.config.releases import release
from downset.program import installing
from downset.program.installing import binary, default_cache, package
from downset.program.outcomes import Unavailable

if TYPE_CHECKING:
    from pathlib import Path

ROW = release("1.18.34")
WORKS = """\
#!/bin/sh
echo "$@" >> "{log}"
while [ "$1" != --prefix ]; do shift; done
mkdir -p "$2/node_modules/opencode-linux-x64/bin"
touch "$2/node_modules/opencode-linux-x64/bin/opencode"
"""
FAILS = "#!/bin/sh\necho 'npm error code {code}' >&2\nexit 1\n"


@pytest.fixture(autouse=True)
def _platform(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The npm on the path, to be written."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return tmp_path / "bin" / "npm"


def put(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)


def test_a_program_is_installed_once(npm: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    put(npm, WORKS.format(log=log))
    cache = tmp_path / "cache"
    assert binary(ROW, cache) == binary(ROW, cache)
    calls = log.read_text(encoding="utf-8").splitlines()
    assert len(calls) == 1
    assert calls[0].startswith("install --ignore-scripts")
    assert calls[0].endswith("opencode-linux-x64@1.18.34")
    assert [entry.name for entry in cache.iterdir()] == ["opencode-linux-x64@1.18.34"]


@pytest.mark.parametrize(
    ("code", "said"),
    [("ETARGET", "npm serves no opencode-linux-x64@1.18.34"), ("EAI_AGAIN", "cannot install")],
)
def test_why_npm_failed(npm: Path, tmp_path: Path, code: str, said: str) -> None:
    put(npm, FAILS.format(code=code))
    with pytest.raises(Unavailable, match=said):
        binary(ROW, tmp_path / "cache")
    assert not list((tmp_path / "cache").iterdir())


def test_npm_may_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="there is no npm"):
        binary(ROW, tmp_path / "cache")


def test_npm_may_take_too_long(npm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(npm, "#!/bin/sh\nexec sleep 30\n")
    monkeypatch.setattr(installing, "SECONDS", 0.2)
    with pytest.raises(Unavailable, match="within"):
        binary(ROW, tmp_path / "cache")


def test_npm_may_install_something_else(npm: Path, tmp_path: Path) -> None:
    put(npm, "#!/bin/sh\nexit 0\n")
    with pytest.raises(Unavailable, match="is not in it"):
        binary(ROW, tmp_path / "cache")


def test_the_cache_may_not_be_writable(npm: Path, tmp_path: Path) -> None:
    put(npm, "#!/bin/sh\nexit 0\n")
    (tmp_path / "cache").write_text("a file", encoding="utf-8")
    with pytest.raises(Unavailable, match="cannot be installed"):
        binary(ROW, tmp_path / "cache")


def test_there_is_no_program_for_every_platform() -> None:
    with pytest.raises(Unavailable, match="Plan9"):
        package("Plan9", "x86_64")
    with pytest.raises(Unavailable, match="under this package's name"):
        binary(release("2.0"), default_cache())


def test_the_cache_is_where_the_user_keeps_caches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache() == tmp_path / "downset"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/dev")
    assert str(default_cache()) == "/home/dev/.cache/downset"
