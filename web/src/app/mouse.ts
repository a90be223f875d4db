/** What the mouse does, for the shortcut sheet. */
export interface MouseGesture {
  where: string;
  gesture: string;
  does: string;
}

export const MOUSE: readonly MouseGesture[] = [
  { where: "Body", gesture: "Click", does: "Select the point under the pointer, anywhere on a bone" },
  { where: "Body", gesture: "Shift-click", does: "Add the point to the selection, or take it away" },
  { where: "Arc", gesture: "Drag", does: "Move the state at that time, in the camera's plane" },
  { where: "Arc", gesture: "Drag an arrow or square", does: "Move along an axis or in a plane" },
  { where: "Arc", gesture: "E, then drag a ring", does: "Turn the state at that time" },
  { where: "Arc", gesture: "R, then wheel", does: "Make the motion there faster or slower" },
  { where: "Arc", gesture: "R, then drag a tick", does: "Move a frame along the arc" },
  { where: "Arc", gesture: "Ctrl-click a tick", does: "Lock this state while others are dragged" },
  { where: "Arc or body", gesture: "X, then click", does: "Place a target: loose motion will be there at that time" },
  { where: "Target", gesture: "Drag it", does: "Move where loose motion has to be" },
  { where: "Target", gesture: "Drag its arrow", does: "Change the velocity that it was given" },
  { where: "Body", gesture: "Q on a key, then drag", does: "Pose by pin-and-drag" },
  { where: "Body", gesture: "B, then draw over bones", does: "Choose bones; Shift adds, a click chooses one" },
  { where: "Body", gesture: "B, then draw the wish", does: "Bend the chosen bones to the stroke" },
  { where: "Anything", gesture: "Right click", does: "Pin, contact, tangents and more" },
  { where: "Camera", gesture: "Alt-drag or middle drag", does: "Orbit" },
  { where: "Camera", gesture: "Shift-middle drag", does: "Pan" },
  { where: "Camera", gesture: "Wheel", does: "Zoom at the pointer" },
  { where: "Timeline", gesture: "Drag the ruler", does: "Scrub" },
  { where: "Timeline", gesture: "Drag on a contact lane", does: "Contact over that range; with Shift a pin" },
  { where: "Timeline", gesture: "Drag keys", does: "Retime; with Alt copy" },
  { where: "Timeline", gesture: "Drag a target or its bell", does: "Another time, or a wider correction" },
  { where: "Graph", gesture: "Drag a handle", does: "Shape the curve; Alt breaks the tangent" },
  { where: "Graph", gesture: "Drag on nothing", does: "Select keys in a box" },
  { where: "Graph", gesture: "Wheel", does: "Zoom at the pointer" },
  { where: "Page", gesture: "Drop a file", does: "Open it: .glb .gltf .bvh .tween" },
];
