"""From nothing to a jump, followed with a real mouse: for the pictures of its tutorial, and a test that keeps it."""

from docs.tutorial_hand import Hand

MODEL, VIEWPORT = "inbetweener.model", "document.querySelector('ib-viewport')"
CROUCH, TAKE_OFF, TOP, LAND, SINK = 8, 13, 18, 23, 26
HOP, HOP_TOP, HOP_LAND, GIVE, STAND = 30, 33, 36, 39, 46
FEET = ("foot_l", "foot_r")
STANCES = ((0, TAKE_OFF), (LAND, HOP), (HOP_LAND, STAND))
"""From which frame to which the feet stand."""
BREAKDOWNS = {4: 0.4, 11: 0.35, 42: 0.55}
"""On which frames a pose is mixed of its neighbours, and where the slider is dragged: shares of its way."""


class Jump:
    """The steps of docs/tutorials/jump-from-nothing.md, one method a heading."""

    def __init__(self, hand: Hand) -> None:
        self.hand, self.page = hand, hand.page
        self.steps = self.drags = 0

    def follow(self) -> None:
        """All of it."""
        self.begin()
        self.pose()
        self.copy_poses()
        self.break_down()
        self.shape()
        self.plant()

    def begin(self) -> None:
        """A clip of its own, the whole figure in sight, standing on frame 0."""
        hand, page = self.hand, self.page
        hand.click_on(page.page.get_by_role("button", name="No more hints"))
        hand.click_on(page.page.locator("ib-bar").get_by_role("button", name="Motion", exact=True))
        hand.click_on(page.page.get_by_role("menuitem", name="New clip", exact=True))
        page.until(f"{MODEL}.clip.value.name === 'clip 1'")
        self._step()
        page.press("1")
        hand.turn_wheel(page.joint("foot_r"), -3)
        page.press("q")
        hand.choose("hips")
        page.press("Shift+K")
        self._step()

    def pose(self) -> None:
        """Crouch, take-off and top, arms and legs of both sides alike."""
        hand, page = self.hand, self.page
        hand.go(CROUCH)
        self._pull("hips", 0, -34)
        hand.photograph("jump-crouch")
        page.press("Alt+m")
        self._pull("hand_r", 16, -20)
        hand.go(TAKE_OFF)
        self._pull("hips", 0, 36)
        self._pull("hand_r", -30, 70)
        page.press("Shift+Q")
        hand.go(TOP)
        self._pull("hips", 0, 80)
        self._pull("hand_r", 20, 25)
        self._pull("foot_r", -6, 14)
        page.press("Shift+Q")
        hand.photograph("jump-top", "ib-viewport")

    def copy_poses(self) -> None:
        """Landing, a small hop out of it, and standing again."""
        hand, page = self.hand, self.page
        self._copy(TAKE_OFF, LAND, HOP)
        self._copy(CROUCH, SINK)
        page.press("Shift+Q")
        hand.go(HOP_TOP)
        self._pull("hips", 0, 26)
        page.press("Shift+Q")
        self._copy(TAKE_OFF, HOP_LAND)
        self._copy(CROUCH, GIVE)
        self._copy(0, STAND)

    def break_down(self) -> None:
        hand, page = self.hand, self.page
        hand.close_cards()
        slider = page.page.locator("ib-pose-bar").get_by_role("slider", name="Breakdown")
        for frame, share in BREAKDOWNS.items():
            hand.go(frame)
            hand.slide(slider, share)
            self.drags += 1
            self._step()

    def shape(self) -> None:
        """The arc of the hips made rounder, and slower at its top."""
        hand, page = self.hand, self.page
        page.press("w")
        hand.go(TOP)
        hand.choose("hips")
        x, y = page.tick(TOP - 2)
        hand.drag([(x, y), (x, y - 6), (x, y - 12)])
        self.drags += 1
        self._step()
        page.press("r")
        hand.turn_wheel(page.tick(TOP), -2)
        self._step()
        page.press("w")
        hand.photograph("jump-arc")
        hand.close_cards()

    def plant(self) -> None:
        """Contacts drawn on the timeline wherever feet are to stand, and their slide removed."""
        hand = self.hand
        hand.go(STAND)
        for foot in FEET:
            hand.choose(foot)
            for first, last in STANCES:
                lane = [hand.on_timeline(f"{{ kind: 'contact-lane', frame: {frame} }}") for frame in (first, last)]
                hand.drag(lane)
                self.drags += 1
                self._step()
        hand.photograph("jump-contacts", "ib-timeline")
        hand.click_on(self.page.page.locator("ib-inspector").get_by_role("button", name="Remove slide"))
        self._step()
        hand.photograph("jump-planted")
        hand.close_cards()

    def _step(self) -> None:
        self.steps += 1
        self.page.wait_for_steps(self.steps)

    def _pull(self, joint: str, right: float, up: float) -> None:
        if self.page.value(f"{MODEL}.selection.activeJoint") != joint:
            self.hand.choose(joint)
        # Straight up or down goes by the arrow: the view looks down a little, and its plane leads away.
        x, y = self.page.joint(joint) if right else self.page.where(f"{VIEWPORT}.whereIsGizmo('y')")
        self.hand.drag([(x, y), (x + right / 2, y - up / 2), (x + right, y - up)])
        self.drags += 1
        self._step()

    def _copy(self, source: int, *targets: int) -> None:
        """Nothing selected: the whole pose."""
        self.page.press("Escape")
        box = self.page.page.locator("ib-viewport").bounding_box()
        assert box is not None
        self.hand.click((box["x"] + 60, box["y"] + box["height"] - 60))
        self.page.until(f"{MODEL}.selection.active === null")
        self.hand.go(source)
        self.page.press("Control+c")
        for frame in targets:
            self.hand.go(frame)
            self.page.press("Control+v")
            self._step()
