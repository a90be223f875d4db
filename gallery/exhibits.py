"""All exhibits, in the order of the page."""

from benchmarks.gestures import (
    caricature,
    conductor,
    dino_punch,
    diver,
    flying_robot,
    fox_tail,
    guitarist,
    spider_walk,
    waving,
)
from gallery import bars
from gallery.exhibit import Exhibit

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
        flying_robot.worked,
        poster=36,
    ),
    Exhibit(
        "diver",
        "Diver",
        "tangents",
        "[TSO] Figs. 1 and 9, Table 1",
        "A dive needs planted feet and a believable fall, both by direct control of the trajectory: 10 keys instead "
        "of 24.",
        "Eight keyed frames. The hips are dragged onto the one cubic that their flight keys allow, then both feet are "
        "planted on the board as contacts up to the frame before take-off.",
        diver.worked,
        poster=34,
    ),
    Exhibit(
        "guitarist",
        "Guitarist",
        "tangents",
        "[TSO] Fig. 9, Table 1",
        "Fingers are pinned or in contact while a note is played and the rest of the body moves freely, without any "
        "IK chain: 13 keys instead of 37.",
        "Seven keyed frames. Both elbows swing wider while four fingertips are pinned to the neck and the strumming "
        "hand to its way.",
        guitarist.worked,
        poster=12,
    ),
    Exhibit(
        "spider-walk",
        "Spider walk",
        "tangents",
        "[TSO] Fig. 10, Table 1",
        "A walk cycle of a spider robot from two key poses instead of four.",
        "Two key poses, the first again at the end. Eight contacts, four feet in each half of the step, are held by "
        "tangents alone.",
        spider_walk.worked,
        poster=7,
    ),
    Exhibit(
        "dino-punch",
        "Dinosaur",
        "tangents",
        "[TSO] Fig. 10, Table 1",
        "A punching dinosaur ends up standing on the middle of its tail, where no rig has an end effector: 12 keys "
        "instead of 19.",
        "Eight keyed frames. Both soles are held until it rocks back, then a point in the middle of the tail.",
        dino_punch.worked,
        poster=50,
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
        waving.worked,
        poster=30,
    ),
    Exhibit(
        "conductor",
        "Conductor",
        "guidance",
        "[OM] Fig. 11",
        "54 parameters, one arm on IK. Plain optimisation is so smooth that no beat is felt; kernels on the beats "
        "bring sharp movements there and natural ones between.",
        "The same number of parameters, the left arm on an IK handle, kernels of 0.06 s on the beats.",
        conductor.worked,
        poster=24,
    ),
    Exhibit(
        "fox-tail",
        "Fox tail",
        "guidance",
        "[OM] Figs. 12 and 13",
        "27 parameters. Regularisation keeps the sweep what it was while the tip comes to follow the root, and a "
        "kernel between right and left makes that sweep faster. Two professionals would use this one in production.",
        "Three keyed frames, all tangents of the tail, regularisation 0.1, and a kernel halfway on the way back.",
        fox_tail.worked,
        poster=27,
    ),
)

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
        poster=24,
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
        poster=48,
        ground=False,
    ),
    Exhibit(
        "bar-twist",
        "Bar, twisted",
        "blending",
        "[DB] Fig. 16, middle",
        "Twists beyond half a turn tear a bar under LB and SB, not under DB.",
        "Two whole turns, evenly along the second bone.",
        bars.twist,
        poster=48,
        ground=False,
    ),
    Exhibit(
        "bar-bend",
        "Bar, bent",
        "blending",
        "[DB] Fig. 16, bottom",
        "Bends beyond half a turn tear a bar under LB and SB, not under DB.",
        "450° evenly along the second bone.",
        bars.bend,
        poster=48,
        ground=False,
    ),
)

EXHIBITS: tuple[Exhibit, ...] = (*TANGENTS, *GUIDANCE, *BLENDING)
