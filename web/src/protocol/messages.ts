// Generated from the server's protocol by `npm run protocol`; do not edit.

/** A share of a place: an offset in a joint's frame, and by channel what a blend shape of one adds to it. */
export interface Part {
  joint: string;
  offset: [number, number, number];
  weight: number;
  shapes?: ([string, [number, number, number]])[];
}

/** A spot on the body that one joint carries, or several by weight; without a name it is called by its joint. */
export interface Place {
  parts: Part[];
  name: string;
}

/** Drag a motion curve at a time. Moves: position (3), orientation wxyz (4), or both (7), as wanted. */
export interface DragArc {
  kind: "drag-arc";
  place: Place;
  time: number;
  wanted?: "both" | "orientation" | "position";
  layer?: string | null;
  keyed?: boolean;
  clear?: boolean;
  reach?: number | null;
}

/** Make the motion around a time faster or slower. Moves: the amount (1), above zero is faster. */
export interface ScaleTiming {
  kind: "scale-timing";
  place: Place;
  time: number;
  layer?: string | null;
}

/** Move a frame's tick along the motion curve. Moves: the position that the pointer is at (3). */
export interface MoveTick {
  kind: "move-tick";
  place: Place;
  time: number;
  layer?: string | null;
}

/** Pose by pin-and-drag on a key frame. Moves: position (3), orientation wxyz (4), or both (7), as wanted. */
export interface PullPose {
  kind: "pull-pose";
  place: Place;
  time: number;
  wanted?: "both" | "orientation" | "position";
  key?: boolean;
  alone?: boolean;
  planted?: boolean;
  symmetric?: boolean;
  layer?: string | null;
}

/** Mix the pose at a time with what is around it, in some channels or all. Moves: how much (1), as `edits` say. */
export interface BlendPose {
  kind: "blend-pose";
  time: number;
  how?: "clip" | "neighbour" | "push" | "rest" | "tween";
  other?: string | null;
  channels?: string[] | null;
  layer?: string | null;
  planted?: boolean;
}

/** Lead the pose at a time to one that the project keeps, in some channels or all. Moves: how far (1), of 1. */
export interface ReachPose {
  kind: "reach-pose";
  pose: string;
  time: number;
  mirrored?: boolean;
  channels?: string[] | null;
  layer?: string | null;
  key?: boolean;
}

/** A key: the channel, its number on the curve, and the layer (none is the base). */
export interface KeyRef {
  channel: string;
  key: number;
  layer?: string | null;
}

/** Move or copy keys. Moves (6): shift of time and value, scale of time and value, pivot time and value. */
export interface MoveKeys {
  kind: "move-keys";
  keys: KeyRef[];
  copies?: boolean;
}

/** Drag a Bezier handle. Moves (2): the tangent's width x ≥ 0 in seconds and height y in the curve's unit. */
export interface DragHandle {
  kind: "drag-handle";
  key: KeyRef;
  side: "in" | "out";
  breaks?: boolean;
  weighted?: boolean;
}

/** Change a channel's value at a time: on a key the key's value, between keys by tangents. Moves: the value (1). */
export interface SetValue {
  kind: "set-value";
  channel: string;
  time: number;
  layer?: string | null;
}

/** Slide the stiffness of channels. Moves: the stiffness (1). */
export interface SetStiffness {
  kind: "set-stiffness";
  channels: string[];
}

/** Drag the ends of a pin's or contact's range on the timeline. Moves (2): start and end. */
export interface MoveRange {
  kind: "move-range";
  constraint: string;
}

/** The plane that strokes are drawn in, through what they are drawn on: two numbers a point, right and up, metres. */
export interface ViewPlane {
  origin: [number, number, number];
  right: [number, number, number];
  up: [number, number, number];
  distance: number;
}

/** Draw what bones, named by their joints, shall look like at a time. Moves: all points of the stroke, x and y each. */
export interface Sketch {
  kind: "sketch";
  bones: string[];
  time: number;
  view: ViewPlane;
  drawing?: "auto" | "direct" | "line-of-action" | "outline";
  stretch?: boolean;
  carry?: boolean;
  support?: "pose" | "rest";
  pressed?: boolean;
}

/** Twist a chain of bones about itself, up to a place 0 to 1 on its last bone. Moves: radians (1). */
export interface TwistBones {
  kind: "twist-bones";
  bones: string[];
  time: number;
  place?: number;
}

/** How much a term counts: one that everybody has, or one that `Welcome` names. */
export interface TermWeight {
  name: string;
  weight: number;
}

/** How much more a joint's tangents stay as they are; null: they do not change at all. */
export interface JointFactor {
  joint: string;
  factor: number | null;
}

/** When costs count less: a bell around `centre`, `width` its standard deviation, both in seconds. */
export interface KernelInfo {
  width: number;
  depth?: number;
  centre: number;
}

/** All that steers a run; no channels: all of them; no start or end: the whole clip. */
export interface GuidanceSettings {
  terms: TermWeight[];
  regularise?: number;
  joints?: JointFactor[];
  kernels?: KernelInfo[] | null;
  channels?: string[] | null;
  start?: number | null;
  end?: number | null;
  gravity?: boolean;
  held_root?: boolean;
  masses?: "boxes" | "human" | "mesh" | null;
  style?: string | null;
  frozen?: KeyRef[];
  seamless?: boolean;
  clear?: boolean;
  own?: boolean;
}

/** Let tangents be led to less cost; iterates are told as `Guidance`. Moves: the iterate to go back to (1). */
export interface Guide {
  kind: "guide";
  settings: GuidanceSettings;
  layer?: string | null;
}

/** Slide the springs of joints or channels. Moves (2): how often a second they swing, and their damping. */
export interface SetSpring {
  kind: "set-spring";
  names?: string[] | null;
  tip?: number | null;
}

/** Slide one number of the world that springs swing in. Moves (1): gravity, drag, seconds, metres. */
export interface SetLooseness {
  kind: "set-looseness";
  part: "drag" | "error" | "gravity" | "window";
}

/** Drag a target in space. Moves: position (3), orientation wxyz (4), both (7), or velocity (3), as wanted. */
export interface DragTarget {
  kind: "drag-target";
  target: string;
  wanted?: "both" | "orientation" | "position" | "velocity";
  solves?: boolean;
}

/** Drag a target along the timeline. Moves: the time (1). */
export interface MoveTarget {
  kind: "move-target";
  target: string;
  solves?: boolean;
}

/** Drag the flanks of a target's bell, or draw it. Moves (2 or more): seconds before and after, then heights. */
export interface ShapeBell {
  kind: "shape-bell";
  target: string;
  solves?: boolean;
}

/** Slide how much a target counts where not all can be met. Moves: the weight (1). */
export interface WeighTarget {
  kind: "weigh-target";
  target: string;
  solves?: boolean;
}

/** Show another clip on this page. */
export interface ShowClip {
  type: "show-clip";
  clip: string;
  id: number;
}

/** A motion curve to be shown, under a number of the page's own; `turns` asks for orientations along it. */
export interface ArcWish {
  arc: number;
  place: Place;
  turns?: boolean;
  keyed?: boolean;
}

/** From now on send these motion curves, now and whenever they change; replaces the list before. */
export interface ShowArcs {
  type: "show-arcs";
  arcs: ArcWish[];
  id: number;
}

/** Tell what this page has selected, by name, the active one last; code that looks on may ask for it. */
export interface Selected {
  type: "selected";
  names: string[];
  id: number;
}

/** Send the poses of some frames, counted from the clip's first; where motion is loose, as they come. */
export interface FetchPoses {
  type: "fetch-poses";
  first: number;
  count: number;
  looked?: number | null;
  step?: number | null;
  id: number;
}

/** Send the shapes of all bones at a time. */
export interface FetchBones {
  type: "fetch-bones";
  time: number;
  id: number;
}

/** Send which bones a stroke means: x and y of each of its points. */
export interface ChooseBones {
  type: "choose-bones";
  points: number[];
  view: ViewPlane;
  time: number;
  selecting?: "all" | "chain" | "connected";
  id: number;
}

/** Take hold of something; `gesture` is a number of the page's own that its moves carry. */
export interface Begin {
  type: "begin";
  gesture: number;
  what: DragArc | ScaleTiming | MoveTick | PullPose | BlendPose | ReachPose | MoveKeys | DragHandle | SetValue | SetStiffness | MoveRange | Sketch | TwistBones | Guide | SetSpring | SetLooseness | DragTarget | MoveTarget | ShapeBell | WeighTarget;
  id: number;
}

/** Let go: what the last move that arrived asks for is worked out, and the gesture becomes a step of the history. */
export interface Commit {
  type: "commit";
  gesture: number;
  iterate?: number | null;
  id: number;
}

/** Escape: everything is as it was before the gesture. */
export interface Cancel {
  type: "cancel";
  gesture: number;
  id: number;
}

/** Ask for the single key that would help a blocked drag most; answered by `Done.text`, nothing is inserted. */
export interface SuggestKey {
  type: "suggest-key";
  gesture: number;
  id: number;
}

/** Go on guiding with other settings, from an iterate: what the page shows. */
export interface SteerGuidance {
  type: "steer-guidance";
  gesture: number;
  settings: GuidanceSettings;
  iterate?: number | null;
  id: number;
}

/** Tell what the shown motion costs by the first of these terms, now and after every change; null: no more. */
export interface ShowCosts {
  type: "show-costs";
  settings: GuidanceSettings | null;
  id: number;
}

/** Rest where the run is; the gesture stays, to go back along its way, to be steered, kept or cancelled. */
export interface StopGuidance {
  type: "stop-guidance";
  gesture: number;
  id: number;
}

/** Take back the last step. */
export interface Undo {
  type: "undo";
  id: number;
}

/** Do the last undone step again. */
export interface Redo {
  type: "redo";
  id: number;
}

/** Go to a step of the history by undoing or redoing all between. */
export interface JumpTo {
  type: "jump-to";
  step: number;
  id: number;
}

/** Open a built-in example; `discard` gives unsaved changes up, without it they are an objection. */
export interface OpenExample {
  type: "open-example";
  name: string;
  discard?: boolean;
  id: number;
}

/** Open a file of the project folder. */
export interface OpenFile {
  type: "open-file";
  path: string;
  discard?: boolean;
  id: number;
}

/** Let no browser in any more that was let in before, this one included; the terminal shows a new address. */
export interface LogOut {
  type: "log-out";
  id: number;
}

/** Open work that was left behind in the project folder, by the name of its journal. */
export interface OpenLeft {
  type: "open-left";
  name: string;
  discard?: boolean;
  id: number;
}

/** Read the open BVH file with another unit (metres) or up axis than was guessed: a step that can be undone. */
export interface ReadAgain {
  type: "read-again";
  unit?: number | null;
  up?: "-x" | "-y" | "-z" | "x" | "y" | "z" | null;
  id: number;
}

/** Save to a file of the project folder; without a path, to where it was saved last or under its own name. */
export interface Save {
  type: "save";
  path?: string | null;
  replace?: boolean;
  id: number;
}

/** Write a file to the project folder, by its suffix: one of formats, tables, movies, pages and pictures. */
export interface Export {
  type: "export";
  path: string;
  time?: number;
  sampled?: boolean;
  scene_camera?: boolean;
  width?: number;
  height?: number;
  id: number;
}

/** Tell all clips of a batch, by its folder within the project's; "" is that itself. */
export interface ShowBatch {
  type: "show-batch";
  folder: string;
  id: number;
}

/** Mark a clip of a batch as done, or not any more; where it is open, its hand edits are kept. */
export interface MarkClip {
  type: "mark-clip";
  folder: string;
  name: string;
  done?: boolean;
  id: number;
}

/** Tell all poses that the project keeps. */
export interface ShowPoses {
  type: "show-poses";
  id: number;
}

/** Keep the pose at a time under a name, in some channels or in all; without `replace` a name is taken once. */
export interface SavePose {
  type: "save-pose";
  name: string;
  time: number;
  channels?: string[] | null;
  replace?: boolean;
  id: number;
}

/** Give a kept pose another name. */
export interface RenamePose {
  type: "rename-pose";
  name: string;
  to: string;
  id: number;
}

/** Delete the file of a kept pose, and its picture. */
export interface DeletePose {
  type: "delete-pose";
  name: string;
  id: number;
}

/** Stop a long piece of work. */
export interface CancelJob {
  type: "cancel-job";
  job: number;
  id: number;
}

/** Keep a point's motion curve as it is: over the whole clip, between two times, or (start = end) at one time. */
export interface AddPin {
  type: "add-pin";
  place: Place;
  wanted?: "both" | "orientation" | "position";
  start?: number | null;
  end?: number | null;
  id: number;
}

/** Keep a point still between two times; its whole state, unless told otherwise or where key poses turn it. */
export interface AddContact {
  type: "add-contact";
  place: Place;
  start: number;
  end: number;
  wanted?: "both" | "orientation" | "position" | null;
  id: number;
}

/** Hold a point between two times by a constraint of any kind; `to` names the joint or prop in whose space. */
export interface AddConstraint {
  type: "add-constraint";
  kind: string;
  place: Place;
  start: number;
  end: number;
  wanted?: "both" | "orientation" | "position";
  to?: string | null;
  id: number;
}

/** Switch a pin or contact on or off. */
export interface SwitchConstraint {
  type: "switch-constraint";
  name: string;
  on: boolean;
  id: number;
}

/** Hold the position of a constraint's point, its orientation or both. */
export interface SetConstraintState {
  type: "set-constraint-state";
  name: string;
  wanted: "both" | "orientation" | "position";
  id: number;
}

/** Take a pin or contact away. */
export interface RemoveConstraint {
  type: "remove-constraint";
  name: string;
  id: number;
}

/** Find where feet stand and add the contacts found. */
export interface SuggestContacts {
  type: "suggest-contacts";
  id: number;
}

/** Hold all contacts that are on between the keys, by tangents alone. */
export interface HoldContacts {
  type: "hold-contacts";
  id: number;
}

/** Make the key poses of all contacts that are on agree, and hold them: values of keys change too. */
export interface RemoveSlide {
  type: "remove-slide";
  id: number;
}

/** Move key poses until a contact's point, or that of every contact that is on, stands in one place in all. */
export interface AgreePoses {
  type: "agree-poses";
  constraint?: string | null;
  id: number;
}

/** Mend flips, spikes, gaps and jitter of the shown clip, which is captured; `mend` false: only tell of them. */
export interface CleanCapture {
  type: "clean-capture";
  mend?: boolean;
  id: number;
}

/** Bring in a clip of another character, of a built-in example or a file of the project folder by its name. */
export interface BringClip {
  type: "bring-clip";
  source: string;
  clip?: string | null;
  travels?: boolean;
  id: number;
}

/** Add the character or prop of a built-in example or a file of the project folder, in metres and radians. */
export interface AddCharacter {
  type: "add-character";
  source: string;
  name?: string | null;
  position?: [number, number, number];
  heading?: number;
  id: number;
}

/** Take a character that was added away again. */
export interface RemoveCharacter {
  type: "remove-character";
  name: string;
  id: number;
}

/** Replace the dense samples of the shown clip by a few Bezier keys; no joint moves further than `tolerance`. */
export interface FitKeys {
  type: "fit-keys";
  tolerance?: number;
  poses?: number | null;
  align?: "body" | "channel" | "joint" | null;
  keep?: boolean;
  id: number;
}

/** Find the weights of all meshes anew, by heat along the bones; rigid parts are left alone: a job. */
export interface BindSkin {
  type: "bind-skin";
  id: number;
}

/** Key channels at a time without changing their curves; a channel without a curve gets its value keyed. */
export interface InsertKeys {
  type: "insert-keys";
  channels: string[];
  time: number;
  layer?: string | null;
  id: number;
}

/** Take keys away. */
export interface DeleteKeys {
  type: "delete-keys";
  keys: KeyRef[];
  id: number;
}

/** Make the tangents of keys smooth, flat, linear or stepped. */
export interface PresetTangents {
  type: "preset-tangents";
  keys: KeyRef[];
  preset: "flat" | "linear" | "smooth" | "stepped";
  id: number;
}

/** Tie the two slopes of keys, or break them. */
export interface TieTangents {
  type: "tie-tangents";
  keys: KeyRef[];
  tied: boolean;
  id: number;
}

/** How the segments after keys run. */
export interface SetInterpolation {
  type: "set-interpolation";
  keys: KeyRef[];
  kind: "bezier" | "constant" | "linear";
  id: number;
}

/** The values a channel may take; none is no limit. */
export interface SetLimits {
  type: "set-limits";
  channel: string;
  lower: number | null;
  upper: number | null;
  id: number;
}

/** Let drags and poses change some channels, such as the length of a bone, or hold them. */
export interface SetFree {
  type: "set-free";
  channels: string[];
  free: boolean;
  id: number;
}

/** Give all joints the stiffness of a preset: person, upright or supple. */
export interface StiffenAs {
  type: "stiffen-as";
  preset: string;
  id: number;
}

/** Give the character what bodies have, by what its joints are; `total` is its mass in kg. */
export interface Prepare {
  type: "prepare";
  limits?: "hard" | "none" | "soft";
  stiffness?: boolean;
  masses?: boolean;
  points?: boolean;
  total?: number | null;
  id: number;
}

/** Let twist bones follow the joints that they belong to, or stand by themselves again. */
export interface FollowTwists {
  type: "follow-twists";
  follow?: boolean;
  id: number;
}

/** Exchange left and right of the shown clip. */
export interface MirrorClip {
  type: "mirror-clip";
  id: number;
}

/** Let the shown clip run so many times as fast. */
export interface SetSpeed {
  type: "set-speed";
  speed: number;
  id: number;
}

/** Cut the shown clip to a range in seconds; captured motion loses its frames outside. */
export interface TrimClip {
  type: "trim-clip";
  start: number;
  end: number;
  id: number;
}

/** Give the shown clip another frame rate; captured motion gets its frames there. */
export interface ResampleClip {
  type: "resample-clip";
  rate: number;
  id: number;
}

/** Let the shown clip go along a line of points x and z on the ground, one after the other, its feet held. */
export interface BendPath {
  type: "bend-path";
  points: number[];
  id: number;
}

/** Let the shown clip go on over the ground as fast as its soles go by; or `in_place`, the other way. */
export interface Travel {
  type: "travel";
  in_place?: boolean;
  id: number;
}

/** Hang legs and arms on IK handles, all of them or those that are named; `body`: a control for the hips, too. */
export interface GiveHandles {
  type: "give-handles";
  limbs?: string[] | null;
  body?: boolean;
  id: number;
}

/** Take handles away again, all of them or those that are named; joints turn as they did with them. */
export interface TakeHandles {
  type: "take-handles";
  limbs?: string[] | null;
  id: number;
}

/** Let a limb hang on its handle, or turn by its joints, from one time to another or over the whole clip. */
export interface SwitchLimb {
  type: "switch-limb";
  limb: string;
  to: "fk" | "ik";
  start?: number | null;
  end?: number | null;
  id: number;
}

/** Say what a joint is, and its partner on the other side; no role: as it is recognised. */
export interface SetRole {
  type: "set-role";
  joint: string;
  role: "chest" | "clavicle" | "control" | "ear" | "end" | "eye" | "finger" | "foot" | "forearm" | "hand" | "head" | "helper" | "hips" | "jaw" | "neck" | "root" | "shin" | "spine" | "tail" | "thigh" | "toe" | "twist" | "upper_arm" | "wing" | null;
  side?: "left" | "right" | null;
  number?: number;
  digit?: number;
  id: number;
}

/** How the skin follows the joints. */
export interface SetBlending {
  type: "set-blending";
  blending: "differential" | "dual-quaternion" | "linear" | "screw";
  id: number;
}

/** Take a sketched bend away, with its channel and all its keys. */
export interface RemoveBend {
  type: "remove-bend";
  bend: string;
  id: number;
}

/** Give the document another name. */
export interface RenameDocument {
  type: "rename-document";
  name: string;
  id: number;
}

/** One more clip, of the character at rest or in the pose that it has at `time`; answered by its name. */
export interface NewClip {
  type: "new-clip";
  time?: number | null;
  rate?: number | null;
  id: number;
}

/** A copy of the shown clip behind it; answered by its name. */
export interface DuplicateClip {
  type: "duplicate-clip";
  id: number;
}

/** Give the shown clip another name. */
export interface RenameClip {
  type: "rename-clip";
  name: string;
  id: number;
}

/** Take the shown clip away. */
export interface RemoveClip {
  type: "remove-clip";
  id: number;
}

/** At how many frames a second the shown clip is seen; its keys stay where they are. */
export interface SetClipRate {
  type: "set-clip-rate";
  rate: number;
  id: number;
}

/** Move the shown clip with all that is in it, by seconds. */
export interface ShiftClip {
  type: "shift-clip";
  by: number;
  id: number;
}

/** Run the shown clip backward. */
export interface ReverseClip {
  type: "reverse-clip";
  id: number;
}

/** Cut a round out of the shown clip, as a clip of its own; its name is the answer. From one time to another, or */
export interface MakeLoop {
  type: "make-loop";
  start?: number | null;
  end?: number | null;
  in_place?: boolean;
  id: number;
}

/** Hold every pose of the shown clip until the next one or, not `stepped`, let them flow. */
export interface BlockClip {
  type: "block-clip";
  stepped: boolean;
  id: number;
}

/** Take jumps out of the Euler angles of the shown clip. */
export interface FilterAngles {
  type: "filter-angles";
  id: number;
}

/** Let joints of the shown clip follow each other by so many frames: `edits.stagger`. */
export interface Stagger {
  type: "stagger";
  joints: string[];
  by: number;
  start?: number | null;
  end?: number | null;
  layer?: string | null;
  id: number;
}

/** Key in-betweens of the shown clip as a timing chart has them: `edits.chart`. */
export interface Chart {
  type: "chart";
  shares: string;
  time: number;
  channels?: string[] | null;
  layer?: string | null;
  id: number;
}

/** Bring keys of the shown clip, of some channels or of all, onto whole frames: `edits.snap_keys`. */
export interface SnapKeys {
  type: "snap-keys";
  channels?: string[] | null;
  layer?: string | null;
  id: number;
}

/** Key values of channels at a time; `mirrored`, left is right. With `channels` only those are keyed. */
export interface PastePose {
  type: "paste-pose";
  time: number;
  values: Record<string, number>;
  mirrored?: boolean;
  channels?: string[] | null;
  layer?: string | null;
  id: number;
}

/** Bring the character into a pose that the project keeps, or so much of the way there: `edits.apply_pose`. */
export interface ApplyPose {
  type: "apply-pose";
  pose: string;
  time: number;
  amount?: number;
  mirrored?: boolean;
  channels?: string[] | null;
  layer?: string | null;
  key?: boolean;
  id: number;
}

/** Keys as text for the clipboard, which is the answer; `cut`, they are taken away as well. */
export interface CopyKeys {
  type: "copy-keys";
  keys: KeyRef[];
  cut?: boolean;
  id: number;
}

/** Put copied keys in from a time on: `edits.paste_keys`. */
export interface PasteKeys {
  type: "paste-keys";
  text: string;
  time: number;
  mirrored?: boolean;
  joints?: string[] | null;
  layer?: string | null;
  id: number;
}

/** Exchange left and right of the pose at a time. */
export interface MirrorPose {
  type: "mirror-pose";
  time: number;
  layer?: string | null;
  id: number;
}

/** Bring channels, or all, back to rest at a time. */
export interface ResetPose {
  type: "reset-pose";
  time: number;
  channels?: string[] | null;
  layer?: string | null;
  id: number;
}

/** Where the shown clip starts and ends. */
export interface SetClipRange {
  type: "set-clip-range";
  start: number;
  end: number;
  id: number;
}

/** Whether the end of the shown clip flows into its start. */
export interface SetClipLoops {
  type: "set-clip-loops";
  loops: boolean;
  id: number;
}

/** When guidance lets effort be in the shown clip. */
export interface SetKernels {
  type: "set-kernels";
  kernels: KernelInfo[];
  id: number;
}

/** Let the end of the shown clip flow into its start. */
export interface SmoothSeam {
  type: "smooth-seam";
  id: number;
}

/** Make a layer of the shown clip, on top, or change it: `edits.layer`. A weight with a time is a key of it. */
export interface ChangeLayer {
  type: "change-layer";
  layer?: string | null;
  weight?: number | null;
  time?: number | null;
  override?: boolean | null;
  muted?: boolean | null;
  solo?: boolean | null;
  joints?: string[] | null;
  place?: number | null;
  rename?: string | null;
  remove?: boolean;
  id: number;
}

/** Give the shown clip the sound of a file of the project folder, or change the one it has: `edits.sound`. */
export interface ChangeSound {
  type: "change-sound";
  path?: string | null;
  start?: number | null;
  muted?: boolean | null;
  remove?: boolean;
  id: number;
}

/** Key the scene's camera at a time of the shown clip, move a key or take keys away: `edits.camera`. */
export interface KeyCamera {
  type: "key-camera";
  time?: number | null;
  eye?: [number, number, number] | null;
  target?: [number, number, number] | null;
  fov?: number | null;
  to?: number | null;
  remove?: boolean;
  id: number;
}

/** Stand a picture or video of the project folder behind the shown clip, or change it: `edits.picture`. */
export interface ChangePicture {
  type: "change-picture";
  path?: string | null;
  position?: [number, number, number] | null;
  height?: number | null;
  turn?: number | null;
  opacity?: number | null;
  start?: number | null;
  remove?: boolean;
  id: number;
}

/** Work a layer of the shown clip into the base or, `down`, into the layer below: `edits.merge`. */
export interface MergeLayer {
  type: "merge-layer";
  layer: string;
  down?: boolean;
  id: number;
}

/** From now on send poses of the keyed motion beside the loose ones, marked as such, or do not. */
export interface ShowKeyed {
  type: "show-keyed";
  on: boolean;
  id: number;
}

/** How a joint's turns, or a channel, swing: so many times a second; at damping 1 they come to rest soonest. */
export interface SpringInfo {
  name: string;
  frequency: number;
  damping?: number;
  air?: number;
}

/** An elastic solid on its joint, such as a hat; `held` is the share of its reach that does not give. */
export interface ElasticPart {
  kind: "elastic";
  mesh: string;
  joint: string;
  frequency?: number;
  damping?: number;
  air?: number;
  held?: number;
  cells?: number;
  modes?: number;
  poisson?: number;
  beta_share?: number;
}

/** Vertices on a spring each, such as a face, as seen from their joint or from the world. */
export interface SpringyPart {
  kind: "springy";
  mesh: string;
  joint: string;
  frequency?: number;
  damping?: number;
  air?: number;
  frame?: "joint" | "world";
}

/** Which parts are loose, and the world they swing in; `gravity` is a share of the earth's, `error` in metres. */
export interface LoosenessSettings {
  springs: SpringInfo[];
  window?: number | "adaptive" | "auto";
  error?: number;
  gravity?: number;
  drag?: number;
  masses?: "boxes" | "human" | "mesh";
  collide?: boolean;
  soft?: (ElasticPart | SpringyPart)[];
  total?: number | null;
  light?: boolean;
}

/** Make the clip as loose as this, all of it; targets stay. */
export interface Loosen {
  type: "loosen";
  settings: LoosenessSettings;
  id: number;
}

/** Another spring for a joint or channel; no frequency: it is tight. */
export interface SpringChange {
  name: string;
  frequency: number | null;
  damping?: number;
  air?: number;
}

/** Put some springs in, or take them out. */
export interface SetSprings {
  type: "set-springs";
  changes: SpringChange[];
  id: number;
}

/** Give joints the spring of a preset; no joints: all but the roots. With `tip` each begins a chain. */
export interface LoosenAs {
  type: "loosen-as";
  preset: string;
  joints?: string[] | null;
  tip?: number | null;
  id: number;
}

/** Take the springs of joints and of their channels out; no joints: all springs. */
export interface Tighten {
  type: "tighten";
  joints?: string[] | null;
  id: number;
}

/** Let the springs act, or move as keyed. */
export interface SwitchLooseness {
  type: "switch-looseness";
  on: boolean;
  id: number;
}

/** A vertex of a soft mesh, by the mesh's name, wherever the mesh has swung to. */
export interface VertexPlace {
  vertex: number;
  mesh: string;
}

/** How a correction comes over `before` seconds and goes over `after`; `drawn` is a shape of one's own. */
export interface BellInfo {
  before?: number;
  after?: number;
  shape?: "gaussian" | "polynomial";
  drawn?: ([number, number])[];
}

/** A place on the body, or a vertex of a soft mesh: where it is, how it is turned, how fast it goes; null is free. */
export interface PointTarget {
  kind: "point";
  place?: Place | null;
  vertex?: VertexPlace | null;
  channels?: string[] | null;
  time: number;
  position?: [number, number, number] | "keyed" | null;
  orientation?: [number, number, number, number] | "keyed" | null;
  velocity?: [number, number, number] | "keyed" | null;
  weight?: number;
  bell?: BellInfo;
  until?: number | null;
}

/** The whole pose, as keyed or by channel; with `velocity` loose channels also go as fast as keyed, or stand. */
export interface PoseTarget {
  kind: "pose";
  pose?: Record<string, number> | "keyed";
  time: number;
  velocity?: "keyed" | "still" | null;
  weight?: number;
  bell?: BellInfo;
}

/** One more target; without a name it is called after its place. The name is in `Done.text`. */
export interface AddTarget {
  type: "add-target";
  target: PointTarget | PoseTarget;
  name?: string | null;
  id: number;
}

/** Another target under the same name. */
export interface ReplaceTarget {
  type: "replace-target";
  name: string;
  target: PointTarget | PoseTarget;
  id: number;
}

/** Let a pose target want a pose of its own: one that the project keeps or, without, the clip's at a time. */
export interface TakePose {
  type: "take-pose";
  name: string;
  time?: number;
  seen?: boolean;
  pose?: string | null;
  id: number;
}

/** Solve for a target, or not. */
export interface SwitchTarget {
  type: "switch-target";
  name: string;
  on: boolean;
  id: number;
}

/** Call a target, and the layer of its correction, otherwise. */
export interface RenameTarget {
  type: "rename-target";
  name: string;
  new: string;
  id: number;
}

/** Take a target away, and its correction with it. */
export interface RemoveTarget {
  type: "remove-target";
  name: string;
  id: number;
}

/** Let targets hold what a contact plants, on the loose motion. */
export interface ContactToTargets {
  type: "contact-to-targets";
  constraint: string;
  id: number;
}

/** Find the corrections with which all targets that are on are hit: a job; `Done.text` sums it up. */
export interface SolveTargets {
  type: "solve-targets";
  id: number;
}

/** Put what swings into a layer of keys, within `tolerance` of the loose motion, and switch looseness off: a job. */
export interface BakeLoose {
  type: "bake-loose";
  tolerance?: number;
  dense?: boolean;
  id: number;
}

/** Compare the windows with a simulation of the whole clip: a job; `Windows` tells. */
export interface MeasureWindows {
  type: "measure-windows";
  id: number;
}

/** A joint; parent is an index or −1. What hangs on it alone weighs `mass` kg, around `centre` in its own frame. */
export interface JointInfo {
  rest: [number, number, number];
  mass: number;
  centre: [number, number, number];
  role?: "chest" | "clavicle" | "control" | "ear" | "end" | "eye" | "finger" | "foot" | "forearm" | "hand" | "head" | "helper" | "hips" | "jaw" | "neck" | "root" | "shin" | "spine" | "tail" | "thigh" | "toe" | "twist" | "upper_arm" | "wing";
  side?: "left" | "right" | null;
  number?: number;
  digit?: number;
  bare?: boolean;
  name: string;
  parent: number;
  order: "XYZ" | "XZY" | "YXZ" | "YZX" | "ZXY" | "ZYX";
}

/** A channel, with the joints that it moves, and the IK handle that it belongs to. */
export interface ChannelInfo {
  joints: string[];
  handle?: string | null;
  metres?: number;
  name: string;
  kind: "bend" | "control" | "rotation" | "scale" | "shape" | "translation";
  default: number;
  lower: number | null;
  upper: number | null;
  stiffness: number;
  free: boolean;
}

/** A named point of the rig. */
export interface PointInfo {
  joint: string;
  offset: [number, number, number];
  name: string;
  shapes: ([string, [number, number, number]])[];
}

/** What a material has beyond colour and picture: numbers, and the addresses of maps by name. */
export interface LookInfo {
  metal: number | null;
  rough: number | null;
  emission: [number, number, number];
  bumps: number;
  shade: number;
  maps: Record<string, string>;
}

/** A mesh; its arrays are fetched from `url`, as `studio.protocol.binary` lays them out. */
export interface MeshInfo {
  name: string;
  url: string;
  joints: string[];
  colour: [number, number, number, number];
  double_sided: boolean;
  texture: string | null;
  shapes: string[];
  look?: LookInfo | null;
}

/** A solid of the scene, in the world or in a joint's frame. `sizes`: radius; half extents; radius, half length. */
export interface PropInfo {
  solid: "box" | "capsule" | "sphere";
  sizes: number[];
  name: string;
  translation: [number, number, number];
  rotation: [number, number, number, number];
  scale: [number, number, number];
  role: "obstacle" | "prop";
  joint: string | null;
  colour: [number, number, number];
}

/** The document's camera. */
export interface ViewInfo {
  eye: [number, number, number];
  target: [number, number, number];
  fov: number;
}

/** Everything that seldom changes. `height` is the character's size in metres, `kind` what sort of body it is. */
export interface Scene {
  type: "scene";
  name: string;
  height: number;
  joints: JointInfo[];
  channels: ChannelInfo[];
  points: PointInfo[];
  meshes: MeshInfo[];
  props: PropInfo[];
  clips: string[];
  view: ViewInfo | null;
  stiffness_presets: string[];
  blending: "differential" | "dual-quaternion" | "linear" | "screw";
  kind: "creature" | "hand" | "humanoid" | "object" | "quadruped";
}

/** A layer of a clip; where its weight is keyed, the times of these keys and the weight on every frame. */
export interface LayerInfo {
  weight_keys: number[];
  weight_frames: number[];
  name: string;
  weight: number;
  muted: boolean;
  override: boolean;
  solo: boolean;
  joints: string[];
}

/** The clip that this page shows; `frames` counts its whole frames, the first at `start`. */
export interface Clip {
  type: "clip";
  frames: number;
  dense: boolean;
  kernels: KernelInfo[];
  name: string;
  end: number;
  start: number;
  rate: number;
  layers: LayerInfo[];
  loops: boolean;
}

/** A sound; its file's bytes are fetched from `url`, which is another one for other bytes. */
export interface SoundInfo {
  url: string;
  name: string;
  start: number;
  muted: boolean;
}

/** The camera that the clip is seen by: times of its keys, and seven numbers a frame: eye, target, angle. */
export interface SceneCamera {
  keys: number[];
  frames: number[];
}

/** A picture or video that stands behind the clip; its file's bytes are fetched from `url`. */
export interface PictureInfo {
  url: string;
  video: boolean;
  name: string;
  position: [number, number, number];
  height: number;
  turn: number;
  opacity: number;
  start: number;
}

/** What the shown clip is heard with and seen by. */
export interface Staging {
  type: "staging";
  sound: SoundInfo | null;
  camera: SceneCamera | null;
  picture: PictureInfo | null;
}

/** A constraint of the shown clip; an end of null is the clip's. */
export interface ConstraintInfo {
  name: string;
  kind: string;
  colour: string;
  stands: boolean;
  planted: boolean;
  momentary: boolean;
  to: string;
  place: Place;
  wanted: "both" | "orientation" | "position";
  start: number | null;
  end: number | null;
  on: boolean;
  apart?: number;
  turned_apart?: number;
}

/** All constraints of the shown clip. */
export interface Constraints {
  type: "constraints";
  items: ConstraintInfo[];
}

/** A request was carried out; `text` where it has something to say. */
export interface Done {
  type: "done";
  id: number;
  text: string | null;
}

/** A request was not carried out, and nothing has changed: what, and what would help. */
export interface Refused {
  type: "refused";
  id: number;
  text: string;
  code: "" | "busy" | "changed" | "exists" | "unkept" | "unsaved";
}

/** A term of guidance that whoever started the Studio has brought along. */
export interface OwnTerm {
  name: string;
  help: string;
}

/** First message; `server` differs after a restart, `page` counts the pages of one server. */
export interface Welcome {
  type: "welcome";
  version: string;
  server: string;
  page: number;
  terms: OwnTerm[];
}

/** A way to read the open file that may be the right one: what it is called, metres in a unit, the up axis. */
export interface Reread {
  label: string;
  unit?: number | null;
  up?: "-x" | "-y" | "-z" | "x" | "y" | "z" | null;
}

/** Something worth reading that is nobody's answer: a recovery, a repair, a loss, a fault. */
export interface Notice {
  type: "notice";
  level: "error" | "info" | "warning";
  text: string;
  more: string[];
  left: string | null;
  url: string | null;
  choices: Reread[];
}

/** Kernels are being compiled in the background: how many of how many are ready. */
export interface Warming {
  type: "warming";
  ready: number;
  total: number;
}

/** A long piece of work: its progress from 0 to 1 where known; `path` is what it wrote, `url` where to fetch it. */
export interface Job {
  type: "job";
  job: number;
  label: string;
  state: "cancelled" | "done" | "failed" | "running";
  progress: number | null;
  text: string;
  short: boolean;
  path: string | null;
  url: string | null;
}

/** Labels of all steps, where we stand, and which step is on the disk (null: none). */
export interface History {
  type: "history";
  labels: string[];
  at: number;
  saved: number | null;
}

/** A file of the project folder, by its path within it; `modified` in seconds since 1970. */
export interface FileInfo {
  path: string;
  size: number;
  modified: number;
}

/** A built-in example; its picture is at `url`. */
export interface ExampleInfo {
  name: string;
  line: string;
  url: string;
}

/** A clip of a batch: the batch's folder within the project's, the clip's name, whether somebody marked it. */
export interface BatchPlace {
  folder: string;
  name: string;
  done: boolean;
}

/** Where things are: the folder, the open file (null: never saved), what may be opened. */
export interface Files {
  type: "files";
  folder: string;
  path: string | null;
  recent: string[];
  files: FileInfo[];
  examples: ExampleInfo[];
  batches: string[];
  clip: BatchPlace | null;
}

/** A pose that the project keeps, and where its picture is; null: not drawn yet. */
export interface PoseInfo {
  name: string;
  picture: string | null;
}

/** All poses that the project keeps. */
export interface KeptPoses {
  type: "kept-poses";
  items: PoseInfo[];
}

/** A clip of a batch: what failed or fell short, figures by name, which file is opened, and a picture. */
export interface BatchClip {
  name: string;
  clip: string;
  failed: boolean;
  problem: string;
  done: boolean;
  edited: boolean;
  figures: Record<string, number>;
  path: string | null;
  picture: string | null;
  moments: number;
}

/** All clips of a batch; `worst` names the figure by which they are bad. */
export interface Batch {
  type: "batch";
  folder: string;
  recipe: string;
  about: string;
  steps: string;
  worst: string;
  clips: BatchClip[];
}

/** How a mesh, by its number in the scene, is blended: by a plan, fetched from `url` as plan_arrays lays it out. */
export interface SkinInfo {
  mesh: number;
  plan: number;
  url: string;
}

/** The meshes that take more than the matrices of their joints; all others are blended linearly by those. */
export interface Skins {
  type: "skins";
  items: SkinInfo[];
}

/** A bone, named by its joint: points along it in the world, x, y and z each, evenly from its start to its end. */
export interface BoneShape {
  joint: string;
  points: number[];
  end: [number, number, number];
  bent: boolean;
}

/** The shapes of all bones at a time, and the bend that a sketch at that time would refine, if there is one. */
export interface Bones {
  type: "bones";
  time: number;
  items: BoneShape[];
  refines: string | null;
}

/** The bones, named by their joints, that a stroke means. */
export interface ChosenBones {
  type: "chosen-bones";
  joints: string[];
}

/** The document shown is another one: frames `first` to `last` (−1: none) must be drawn anew. */
export interface Changed {
  type: "changed";
  revision: number;
  kind: "cancel" | "commit" | "open" | "preview" | "redo" | "undo";
  label: string;
  first: number;
  last: number;
}

/** What holds a drag back, and its share of the resistance. */
export interface BlockerInfo {
  name: string;
  share: number;
}

/** What became of a move: whether the wish was reached and, if not, how short it fell and what blocks. */
export interface Answer {
  type: "answer";
  gesture: number;
  sequence: number;
  reached: boolean;
  solve_ms: number;
  blockers: BlockerInfo[];
  position: [number, number, number] | null;
  wish: [number, number, number] | null;
  distance: number;
  turn: number;
  held: number;
  server_ms: number;
  text: string;
}

/** An obstacle: the least clearance in metres over the clip (negative: hit) and the frames on which it is hit. */
export interface ObstacleInfo {
  name: string;
  clearance: number;
  frames: number[];
}

/** How the shown motion passes the obstacles; `exact` false while a few vertices stand for the skin. */
export interface Obstacles {
  type: "obstacles";
  items: ObstacleInfo[];
  exact: boolean;
}

/** What a term, or a regulariser, costs. */
export interface TermCost {
  name: string;
  cost: number;
}

/** How far a run is: the iterate shown, how many there are, their costs. At rest `text` sums up what changed. */
export interface Guidance {
  type: "guidance";
  gesture: number;
  state: "failed" | "over" | "resting" | "running";
  iterate: number;
  before: boolean;
  costs: number[];
  terms: TermCost[];
  text: string;
}

/** What a term measures at each moment of a joint or channel. */
export interface CostRow {
  label: string;
  values: number[];
}

/** What the shown motion costs, whether or not a run is under way: a term's rows in its unit, N·m for torque. */
export interface CostsOverTime {
  type: "costs-over-time";
  term: string;
  unit: string;
  times: number[];
  rows: CostRow[];
  problem: string;
}

/** A curve as it was before a run: eight numbers a key, as curves come in arrays; layer 0 is the base. */
export interface CurveBefore {
  channel: number;
  layer: number;
  rows: number[];
}

/** A run that its page has left is this page's from now on; `Guidance` follows. `layer` null is the base. */
export interface GuidanceOffer {
  type: "guidance-offer";
  gesture: number;
  settings: GuidanceSettings;
  layer: string | null;
  before: CurveBefore[];
}

/** A mesh with soft vertices, by its number in the scene: how far these are off comes in arrays, in this order. */
export interface SoftInfo {
  mesh: number;
  vertices: number[];
}

/** All meshes with soft vertices; they are many, so they are told only when they change. */
export interface SoftVertices {
  type: "soft-vertices";
  meshes: SoftInfo[];
}

/** A joint and all below it, looser and looser down to `tip` times the stiffness; as a whole it swings as told. */
export interface ChainInfo {
  first: string;
  joints: string[];
  tip: number;
  frequency: number;
  damping?: number;
  air?: number;
}

/** A target under its name; once solved, a layer of the same name holds its correction. */
export interface AimInfo {
  solved: boolean;
  gives: string[];
  could: string[];
  name: string;
  target: PointTarget | PoseTarget;
  on: boolean;
}

/** How loose the shown clip is. `loose`: what is shown swings; if not though it is on, `problem` says why. */
export interface Looseness {
  type: "looseness";
  on: boolean;
  loose: boolean;
  problem: string;
  unbumped: string;
  settings: LoosenessSettings;
  presets: SpringInfo[];
  sway: SpringInfo | null;
  chains: ChainInfo[];
  held: string[];
  swinging: string[];
  following: string[];
  targets: AimInfo[];
}

/** How far a channel is from its value, in its own unit; `joint` is the one that it moves alone. */
export interface ChannelMiss {
  channel: string;
  kind: "bend" | "control" | "rotation" | "scale" | "shape" | "translation";
  joint: string | null;
  by: number;
}

/** Where the shown motion is at a target, and what the target wants; null: no such thing is asked for. */
export interface TargetState {
  name: string;
  position: [number, number, number] | null;
  wish: [number, number, number] | null;
  distance: number | null;
  turn: number | null;
  speed: number | null;
  pose: ChannelMiss[] | null;
}

/** How far the shown motion is from its targets, and how long its windows are, shortest and longest. */
export interface LooseState {
  type: "loose-state";
  targets: TargetState[];
  shortest: number;
  longest: number;
}

/** Of every frame: how long its window is, and how far that leaves any joint from a simulation of the whole clip. */
export interface Windows {
  type: "windows";
  lengths: number[];
  errors: number[];
}

export type AnyGesture =
  | DragArc
  | ScaleTiming
  | MoveTick
  | PullPose
  | BlendPose
  | ReachPose
  | MoveKeys
  | DragHandle
  | SetValue
  | SetStiffness
  | MoveRange
  | Sketch
  | TwistBones
  | Guide
  | SetSpring
  | SetLooseness
  | DragTarget
  | MoveTarget
  | ShapeBell
  | WeighTarget;

export type AnyRequest =
  | ShowClip
  | ShowArcs
  | Selected
  | FetchPoses
  | FetchBones
  | ChooseBones
  | Begin
  | Commit
  | Cancel
  | SuggestKey
  | SteerGuidance
  | ShowCosts
  | StopGuidance
  | Undo
  | Redo
  | JumpTo
  | OpenExample
  | OpenFile
  | LogOut
  | OpenLeft
  | ReadAgain
  | Save
  | Export
  | ShowBatch
  | MarkClip
  | ShowPoses
  | SavePose
  | RenamePose
  | DeletePose
  | CancelJob
  | AddPin
  | AddContact
  | AddConstraint
  | SwitchConstraint
  | SetConstraintState
  | RemoveConstraint
  | SuggestContacts
  | HoldContacts
  | RemoveSlide
  | AgreePoses
  | CleanCapture
  | BringClip
  | AddCharacter
  | RemoveCharacter
  | FitKeys
  | BindSkin
  | InsertKeys
  | DeleteKeys
  | PresetTangents
  | TieTangents
  | SetInterpolation
  | SetLimits
  | SetFree
  | StiffenAs
  | Prepare
  | FollowTwists
  | MirrorClip
  | SetSpeed
  | TrimClip
  | ResampleClip
  | BendPath
  | Travel
  | GiveHandles
  | TakeHandles
  | SwitchLimb
  | SetRole
  | SetBlending
  | RemoveBend
  | RenameDocument
  | NewClip
  | DuplicateClip
  | RenameClip
  | RemoveClip
  | SetClipRate
  | ShiftClip
  | ReverseClip
  | MakeLoop
  | BlockClip
  | FilterAngles
  | Stagger
  | Chart
  | SnapKeys
  | PastePose
  | ApplyPose
  | CopyKeys
  | PasteKeys
  | MirrorPose
  | ResetPose
  | SetClipRange
  | SetClipLoops
  | SetKernels
  | SmoothSeam
  | ChangeLayer
  | ChangeSound
  | KeyCamera
  | ChangePicture
  | MergeLayer
  | ShowKeyed
  | Loosen
  | SetSprings
  | LoosenAs
  | Tighten
  | SwitchLooseness
  | AddTarget
  | ReplaceTarget
  | TakePose
  | SwitchTarget
  | RenameTarget
  | RemoveTarget
  | ContactToTargets
  | SolveTargets
  | BakeLoose
  | MeasureWindows;

export type AnyMessage =
  | Scene
  | Clip
  | Staging
  | Constraints
  | Done
  | Refused
  | Welcome
  | Notice
  | Warming
  | Job
  | History
  | Files
  | KeptPoses
  | Batch
  | Skins
  | Bones
  | ChosenBones
  | Changed
  | Answer
  | Obstacles
  | Guidance
  | CostsOverTime
  | GuidanceOffer
  | SoftVertices
  | Looseness
  | LooseState
  | Windows;
