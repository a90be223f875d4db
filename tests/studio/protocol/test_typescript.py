"""The page's types are the server's."""

import msgspec
import pytest

from inbetweener.studio.protocol import typescript as module
from inbetweener.studio.protocol.to_server import AnyRequest
from inbetweener.studio.protocol.typescript import TARGET, main, typescript


def test_the_pages_types_are_up_to_date() -> None:
    assert TARGET.read_text() == typescript(), "run  npm run protocol  in web/"


def test_the_check_tells_when_they_are_not(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    stale = tmp_path / "messages.ts"
    monkeypatch.setattr(module, "TARGET", stale)
    main_with = ["typescript", "--check"]
    monkeypatch.setattr("sys.argv", main_with[:1])
    main()
    monkeypatch.setattr("sys.argv", main_with)
    main()
    stale.write_text(stale.read_text() + "export type Stranger = string;\n")
    with pytest.raises(SystemExit, match="out of date"):
        main()


@pytest.mark.parametrize("message", [each.__name__ for each in AnyRequest.__args__])
def test_every_request_is_declared_with_its_tag(message: str) -> None:
    cls = next(each for each in AnyRequest.__args__ if each.__name__ == message)
    declared = typescript().partition(f"export interface {message} {{\n")[2].partition("}")[0]
    assert f"  type: {msgspec.json.encode(cls.__struct_config__.tag).decode()};" in declared
    for field in msgspec.structs.fields(cls):
        assert f"  {field.name}{'' if field.required else '?'}: " in declared
