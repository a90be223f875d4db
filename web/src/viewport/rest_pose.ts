import type { Scene } from "../protocol/messages";

/** How a character stands that has no clip: joints where they rest, unturned, and all channels at their defaults. */
export function restPose(scene: Scene): { world: Float32Array; channels: Float32Array } {
  const world = new Float32Array(12 * scene.joints.length);
  scene.joints.forEach(({ rest: [x, y, z] }, i) => world.set([1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z], 12 * i));
  return { world, channels: Float32Array.from(scene.channels, (channel) => channel.default) };
}
