"""The document in the page's words."""

from inbetweener.builtin import example
from inbetweener.studio.session import describing


def test_channels_of_a_handle_say_whose_they_are_and_which_joints_they_move() -> None:
    document = example("conductor")
    (handle,) = document.rig.handles
    channels = {each.name: each for each in describing.scene(document).channels}
    own = [channels[name] for name in handle.channels]
    assert {each.handle for each in own} == {handle.name}
    for each in own:
        assert each.joints == list(dict.fromkeys([*handle.joints, handle.tip.joint]))
    others = [each for name, each in channels.items() if name not in handle.channels]
    assert {each.handle for each in others} == {None}
    drives = {channel.name: {drive.joint for drive in channel.drives} for channel in document.rig.channels}
    assert all(set(each.joints) == drives[each.name] for each in others)
