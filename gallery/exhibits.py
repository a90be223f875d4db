"""All exhibits, in the order of the page."""

from dataclasses import replace

from benchmarks.gestures import caricature, curled_tail, roar, rubber_hose
from benchmarks.scenes import SCENES
from gallery import bars, bodies, captured
from gallery.exhibit import Exhibit, Shot
from inbetweener.document import View

TANGENTS = (
    Exhibit(
        "flying-robot",
        "Flying robot",
        "tangents",
        "[TSO] Fig. 11, Table 2",
        "Novices led a robot with four keys around its obstacles by dragging arcs in 7 minutes and 141 clicks on the "
        "mean, and all of them kept the four keys; in Maya they took 10 minutes, 210 clicks and 11.4 keys.",
        "Four keys, three obstacles, three drags of the body's arc, each with a lock where the arc was good already. "
        "A script drags here, so there is no time or click to compare.",
        SCENES["flying-robot"],
        "It swoops now: under the lamp the body is accelerated about twice as hard as before. No key was added.",
        shot=Shot(36),
    ),
    Exhibit(
        "diver",
        "Diver",
        "tangents",
        "[TSO] Figs. 1 and 9, Table 1",
        "A dive needs planted feet and a believable fall, both by direct control of the trajectory: 10 keys instead "
        "of 24.",
        "Eight keyed frames. The hips are dragged onto the one cubic that their flight keys allow, then both feet are "
        "planted on the board as contacts up to the frame before take-off. Last, the arms swing up a fifth faster, by "
        "timing alone.",
        SCENES["diver"],
        "As keyed, the feet sink through the board while he swings his arms; now they stand until they leave it. "
        "The flight keys do not lie on one parabola, so the fall is not quite even: that is for keys to mend.",
        shot=Shot(34, size=(480, 480), view=View((6.6, 2.5, 2.7), (0.0, 2.15, 1.05), 0.64)),
    ),
    Exhibit(
        "guitarist",
        "Guitarist",
        "tangents",
        "[TSO] Fig. 9, Table 1",
        "Fingers are pinned or in contact while a note is played and the rest of the body moves freely, without any "
        "IK chain: 13 keys instead of 37.",
        "Seven keyed frames. Eight notes, each a fingertip that stands on its string over its own frames; fingers lift "
        "before theirs. Then both elbows swing wider while notes and the strumming hand hold.",
        SCENES["guitarist"],
        "Notes slid by up to 4.6 mm on their strings between keys that agree; now by half a millimetre at most. The "
        "fingers of one chord all leave together for the next, and the thumb stays before the neck: a player would let "
        "them go one by one, and press from behind.",
        shot=Shot(12, view=View((0.65, 1.4, 2.3), (0.1, 1.17, 0.0), 0.56)),
    ),
    Exhibit(
        "handshake",
        "Handshake",
        "tangents",
        "[TSO] §3.4",
        "Constraints may be on any state of the character: what is pinned need not stand in the world.",
        "Two people, fourteen keyed frames. The palm of one is held in the space of the other's hand for a second, by "
        "tangents of both bodies.",
        SCENES["handshake"],
        "As keyed, the hands part by 12 mm while they shake; now by a fourteenth of a millimetre. Fingers close "
        "as keyed and do not feel each other.",
        shot=Shot(34),
    ),
    Exhibit(
        "spider-walk",
        "Spider walk",
        "tangents",
        "[TSO] Fig. 10, Table 1",
        "A walk cycle of a spider robot from two key poses instead of four.",
        "Two key poses, the first again a step on. Four feet in each half are held by tangents alone; then every foot "
        "that swings is dragged off the floor, for both poses have it there.",
        SCENES["spider-walk"],
        "Standing feet stand, swinging feet lift. All are dragged alike, straight up at half swing, which suits a "
        "machine; a living spider would want them out of step.",
        shot=Shot(7, view=View((0.8, 0.95, 2.05), (0.0, 0.06, 0.05), 0.51)),
    ),
    Exhibit(
        "dino-punch",
        "Dinosaur",
        "tangents",
        "[TSO] Fig. 10, Table 1",
        "A punching dinosaur ends up standing on the middle of its tail, where no rig has an end effector: 12 keys "
        "instead of 19.",
        "Eight keyed frames. Both soles are held until it rocks back, then a point in the middle of the tail. Last, "
        "the punch is made snappier by timing alone: 14.8 instead of 12.6 m/s on its way.",
        SCENES["dino-punch"],
        "Feet and tail stand. A point is held, not a surface: where the tail rests, the lowest skin is still some "
        "millimetres in the floor.",
        shot=Shot(50),
    ),
    Exhibit(
        "posed-arm",
        "Posed by the hand",
        "tangents",
        "[TSO] Fig. 8",
        "The same solver poses a still character: one arm is pulled while both feet and the other hand are pinned, "
        "with limits and stiffness and without any IK chain.",
        "A boxer's left palm is led around, one pose a frame, from pose to pose as under a hand. Both feet are pinned, "
        "the right palm in its place.",
        SCENES["posed-arm"],
        "The whole body helps: the trunk leans and turns, knees give. Nothing keeps a glove out of the face; a pose "
        "knows no obstacles.",
        shot=Shot(24),
    ),
)

GUIDANCE = (
    Exhibit(
        "waving",
        "Waving",
        "guidance",
        "[OM] Figs. 7 and 10",
        "Left alone, optimising 78 parameters changes the spine drastically and bends the elbow the wrong way; "
        "weights on spine and elbow mend that. A run takes seconds, ten at most.",
        "Limits of channels are hard, so an elbow cannot bend backwards at all; a factor of 30 keeps the spine.",
        SCENES["waving"],
        "The hand rises nearly straight and close to the body, which costs least; whoever wants the wide arc back "
        "drags it or stiffens the shoulder.",
        shot=Shot(30, size=(360, 360)),
    ),
    Exhibit(
        "regularised",
        "Naive, medium, strong",
        "guidance",
        "[OM] Fig. 6",
        "One slider says how much of the original motion is kept, while the optimiser runs: strong, medium and weak "
        "regularisation of one motion, side by side.",
        "The wave guided with weights of 0, 0.3 and 3; the slider of the Studio reaches all of them.",
        SCENES["regularised"],
        "Naive, it saves most and is another gesture; with a weight of 3 it is the keyed one with rounder turns.",
        shot=Shot(13, size=(300, 330), columns=4),
    ),
    Exhibit(
        "conductor",
        "Conductor",
        "guidance",
        "[OM] Fig. 11",
        "54 parameters, one arm on IK. Plain optimisation is so smooth that no beat is felt; kernels on the beats "
        "bring sharp movements there and natural ones between.",
        "The same number of parameters, the left arm on an IK handle, kernels of 0.06 s on the beats.",
        SCENES["conductor"],
        "Guided, the beats swim; with kernels they are sharp again, sharper than keyed. Only the arms change: "
        "body and head are as keyed.",
        shot=Shot(24, view=View((-1.55, 1.6, 2.3), (-0.02, 1.22, 0.2), 0.52)),
    ),
    Exhibit(
        "fox-tail",
        "Fox tail",
        "guidance",
        "[OM] Figs. 12 and 13",
        "27 parameters. Regularisation keeps the sweep what it was while the tip comes to follow the root, and a "
        "kernel between right and left makes that sweep faster. Two professionals would use this one in production.",
        "Three keyed frames, all tangents of the tail, regularisation 0.1, a kernel halfway on the way back, and a "
        "version in which joints that give way to their load count too.",
        SCENES["fox-tail"],
        "The tip drags behind on the way out. On the way back it leads, for squared torque knows no direction of time; "
        "with follow-through it drags behind both ways.",
        shot=Shot(27, size=(400, 300), columns=2),
    ),
    Exhibit(
        "kept-clear",
        "Kept clear",
        "guidance",
        "[OM] Discussions",
        "Penetrations could be avoided by a constraint that prohibits them: left to future work.",
        "A ball hangs where the arm would go if it took the least effort; the same run, with and without the skin told "
        "to stay out of it.",
        SCENES["kept-clear"],
        "The hand goes around the ball and saves hardly less: 79 % of the torque instead of 81.",
        shot=Shot(14, size=(360, 360)),
    ),
    Exhibit(
        "follow-through",
        "Follow-through",
        "guidance",
        "[OM] Fig. 13, Discussions",
        "The root of an optimised tail leads and its tip follows with a delay; other costs than squared torque are "
        "left to be found.",
        "The same tail from rest to the right, to the left and to rest, by squared torque and with follow-through.",
        SCENES["follow-through"],
        "By squared torque the tip follows on the first sweep, is in step on the second and leads on the third; with "
        "follow-through a wave runs out along the tail in all three.",
        shot=Shot(18, size=(400, 300)),
    ),
)

LOOSENESS = (
    Exhibit(
        "two-balls",
        "Two balls",
        "looseness",
        "[IKD] Fig. 1",
        "A green ball, rigidly connected to a keyed red one, with a spring laid over: states of short windows have the "
        "look of the whole simulation over a range of lengths.",
        "The same, by windows of 0.15 and 0.6 s; last by one of 1.5 s, with a target: the green ball is where it would "
        "be if it were rigid on frame 40, and at rest.",
        SCENES["two-balls"],
        "In 0.15 s the spring hardly gets going, and the ball is 3.6 cm off the whole simulation; with 0.6 s it is "
        "1.7, with 1.5 s 0.2 cm off. Stopped on its mark, it swings on by itself.",
        shot=Shot(40, size=(320, 300), columns=4),
    ),
    Exhibit(
        "boxer",
        "Boxer",
        "looseness",
        "[IKD] Figs. 4, 8, 9 and 12",
        "A relaxed boxer misses his target; corrections bring the fist to within 0.01 cm, where progress ends, in "
        "fewer than 50 simulations, half a second. A narrower bell makes more of an uppercut; a target that was moved "
        "is solved for anew.",
        "A drunk boxer, loose from the hips up. Both punches are targets where their keys have them; then by a "
        "narrower bell, then with the jab led 15 cm lower.",
        SCENES["boxer"],
        "Follow-through and overlap that nobody keyed, and the glove on the bag on its frame. With the narrow bell the "
        "arm goes there more abruptly; no joint leaves its limits, so that it makes no uppercut.",
        shot=Shot(34, size=(440, 400), view=View((2.8, 1.55, 1.8), (0.0, 1.06, 0.48), 0.6)),
    ),
    Exhibit(
        "control-panel",
        "Control panel",
        "looseness",
        "[IKD] Fig. 7 (b), §4.3",
        "Several end-effector targets at their own times are solved together; a tap wants the hand to be at its place "
        "with no velocity.",
        "Five presses on four frames, two of them at once, by two fingertips of a relaxed operator; first where they "
        "are, then at rest there as well.",
        SCENES["control-panel"],
        "Around a press fingers go a centimetre or two into the panel, keyed or loose; tapping has least of it. A "
        "target is a moment, not a surface.",
        shot=Shot(28, size=(560, 380), view=View((-1.2, 1.85, 1.35), (-0.03, 1.18, 0.36), 0.66)),
    ),
    Exhibit(
        "drummer",
        "Drummer",
        "looseness",
        "[IKD] §4.2",
        "A drummer must hit his drums at known times; neighbouring targets change each other's motion and are solved "
        "for as one system.",
        "Every hit of the bar, both sticks, on a loose drummer whose bar loops.",
        SCENES["drummer"],
        shot=Shot(12, size=(440, 380), view=View((1.55, 1.65, 2.35), (-0.06, 0.82, 0.3), 0.56)),
    ),
    Exhibit(
        "four-letters",
        "Four letters",
        "looseness",
        "[IKD] Fig. 7 (c)",
        "A dance of Y, M, C and A relaxed: the pose C is asked for as a whole, and struck.",
        "A pose target on the key of the C; then one for each letter.",
        SCENES["four-letters"],
        shot=Shot(48, size=(300, 330), columns=4),
    ),
    Exhibit(
        "hat-and-door",
        "Hat and door",
        "looseness",
        "[IKD] Figs. 6, 7 (d) and 10",
        "A floppy hat, a passive elastic solid on a keyed head, would hit the door frame; a target for its tip changes "
        "the posture so that it clears.",
        "The hat is an elastic solid; one target for its topmost vertex, met by spine, neck and head.",
        SCENES["hat-and-door"],
        "He bows with his first steps, stays low until hat and head are through, and comes up again behind the door; "
        "the hat nods after each of it.",
        shot=Shot(18, size=(400, 360), view=View((1.7, 1.4, 4.2), (-0.05, 1.02, 0.3), 0.54)),
    ),
    Exhibit(
        "talking-face",
        "Talking face",
        "looseness",
        "[IKD] Fig. 5",
        "On a loosened face, pose targets produce a smile and a tilt of the head at their times.",
        "Loose blend shapes, neck and head; the smile of the keys on its frame, then also twice the keyed tilt.",
        SCENES["talking-face"],
        shot=Shot(60, size=(300, 300), columns=4, view=View((0.14, 0.42, 1.35), (0.0, 0.29, 0.0), 0.5)),
    ),
)

BAR = Shot(48, size=(480, 270), ground=False)

BLENDING = (
    Exhibit(
        "caricature",
        "Caricature",
        "blending",
        "[DB] Figs. 1, 18 and 19",
        "Lines of action and single limbs are drawn, stroke by stroke, into poses that rigs hardly allow; skin stays "
        "smooth through twists of more than a turn.",
        "Keys say where the hips are, nine drawings say the rest; the right arm is wound up by two turns in the air.",
        caricature.worked,
        "Squash, stretch and a landing that rings on. Bends turn little from sample to sample, so all ways of "
        "blending carry this leap about alike; the fox's tail and the bars tell them apart.",
        shot=Shot(24, size=(480, 360), view=View((0.5, 1.4, 5.2), (0.0, 1.28, 0.0), 0.58)),
    ),
    Exhibit(
        "rubber-hose",
        "Rubber hose",
        "blending",
        "[DB] Figs. 18 and 19",
        "Artists made expressive poses and whole animations with a few simple curves each, which were impossible or "
        "very difficult with sophisticated rigs.",
        "Keys say where the hips are; four drawings of five strokes each say the rest, two of them mirrored. The clip "
        "loops.",
        rubber_hose.worked,
        "He sways from foot to foot and the hat is late. Shoes slide by up to three centimetres between drawings, "
        "where legs go from one arc to the next.",
        shot=Shot(0, size=(480, 400)),
    ),
    Exhibit(
        "roar",
        "Roar",
        "blending",
        "[DB] Figs. 18 and 19",
        "The same of bodies that are no figures of people: strokes are drawn over any chain of bones.",
        "Keys open the jaw and spread the arms; five drawings of two strokes each, the back and the tail, seen from "
        "the side.",
        roar.worked,
        "It gathers itself with the tail up, then throws the head back while the tail goes down. Hips and legs stay as "
        "they are: the weight does not shift.",
        shot=Shot(17, size=(480, 360)),
    ),
    Exhibit(
        "curled-tail",
        "Curled tail",
        "blending",
        "[DB] Figs. 9, 10 and 15",
        "Blends along the shortest path jump where a turn passes half a turn, and tear a character in an expressive "
        "pose; differential blending does not, and is close to them where they are smooth.",
        "A fox whose automatic weights are soft enough to reach over several bones. Its tail is drawn into a curl of "
        "450°, then wound up by one and a half turns.",
        curled_tail.worked,
        "Half curled, the three rigid ways look alike. Then LB and SB tear the tail open, LBS shrinks it and wrings it "
        "to a thread; DB keeps it bushy. Wound up, its skin folds a little at the root.",
        shot=Shot(18, size=(320, 280), columns=4),
    ),
    Exhibit(
        "bar-straighten",
        "Bar, straightened",
        "blending",
        "[DB] Fig. 16, top",
        "Straightening a curled bar tears it under dual quaternions (LB) and iterated screws (SB); differential "
        "blending (DB) is smooth.",
        "A bar bound while it is curled by 450°, straightened by keys on sixteen joints. LBS is linear blending.",
        bars.straighten,
        shot=BAR,
    ),
    Exhibit(
        "bar-twist",
        "Bar, twisted",
        "blending",
        "[DB] Fig. 16, middle",
        "Twists beyond half a turn tear a bar under LB and SB, not under DB.",
        "Two whole turns, evenly along the second bone.",
        bars.twist,
        shot=replace(BAR, size=(560, 160), view=View((1.5, 0.3, 1.7), (1.0, 0.0, 0.0), 0.4)),
    ),
    Exhibit(
        "bar-bend",
        "Bar, bent",
        "blending",
        "[DB] Fig. 16, bottom",
        "Bends beyond half a turn tear a bar under LB and SB, not under DB.",
        "450° evenly along the second bone.",
        bars.bend,
        shot=BAR,
    ),
)

TOGETHER = (
    Exhibit(
        "one-scene",
        "One scene",
        "together",
        "[TSO], [OM], [IKD] and [DB]",
        "Each method has a program of its own; none acts on what another has made.",
        "A guard pulled, a wind-up drawn, both feet planted, the fist led around a pad, hurried, and guided with a "
        "stiff elbow; then loose from the waist up, and still on the bag on frame 34. Eleven steps in one history.",
        SCENES["one-scene"],
        "The cross gathers from the drawn wind-up and is still on the bag for its frame; let go, the "
        "loose arm sinks by 11 cm within half a second, before it clears the pad on the way back.",
        shot=Shot(34, size=(440, 400), view=View((-2.6, 1.6, 2.4), (0.0, 0.96, 0.4), 0.6)),
    ),
)

EXHIBITS: tuple[Exhibit, ...] = (
    *TOGETHER,
    *TANGENTS,
    *GUIDANCE,
    *LOOSENESS,
    *BLENDING,
    *captured.CAPTURED,
    *bodies.BODIES,
)
LEFT_OUT: tuple[str, ...] = (*captured.LEFT_OUT, *bodies.LEFT_OUT)
"""Exhibits that show files of others which are not beside the checkout."""
