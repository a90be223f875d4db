import type { MouseGesture } from "../model/tool";
import { tools } from "../viewport/tools/registry";

/** What the mouse does, for the shortcut sheet. */
export const MOUSE: readonly MouseGesture[] = [
  { where: "Body", gesture: "Click", does: "Select the point under the pointer, anywhere on a bone" },
  { where: "Body", gesture: "Shift-click", does: "Add the point to the selection, or take it away" },
  ...tools.flatMap(({ gestures }) => gestures),
  { where: "Arc", gesture: "Ctrl-click a tick", does: "Lock this state while others are dragged" },
  { where: "Anything", gesture: "Right click", does: "Pin, contact, tangents and more" },
  { where: "Camera", gesture: "Alt-drag or middle drag", does: "Orbit" },
  { where: "Camera", gesture: "Shift-middle drag", does: "Pan" },
  { where: "Camera", gesture: "Wheel", does: "Zoom at the pointer" },
  { where: "Camera", gesture: "Two fingers", does: "Pan, and zoom by pinching; three orbit" },
  { where: "Timeline", gesture: "Drag the ruler", does: "Scrub" },
  { where: "Timeline", gesture: "Drag on a contact lane", does: "Contact over that range; with Shift a pin" },
  { where: "Timeline", gesture: "Drag keys", does: "Retime; with Alt copy" },
  { where: "Timeline", gesture: "Drag a target or its bell", does: "Another time, or a wider correction" },
  { where: "Graph", gesture: "Drag a handle", does: "Shape the curve; Alt breaks the tangent" },
  { where: "Graph", gesture: "Drag on nothing", does: "Select keys in a box" },
  { where: "Graph", gesture: "Wheel", does: "Zoom at the pointer" },
  { where: "Page", gesture: "Drop a file", does: "Open it: .glb .gltf .fbx .usdz .vrm .bvh .tween" },
];
