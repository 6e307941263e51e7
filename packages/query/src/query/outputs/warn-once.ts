// Development builds: warnings, once each in a world (`warnOnce`).
import type { World } from "@treeline/core";
import { warn } from "@treeline/core/internal";

/** What was warned of, by world. */
const given = /* @__PURE__ */ new WeakMap<World, Set<string>>();

/** Warns unless the world has been warned with the same key. Call it only behind the CHECK label. */
export function warnOnce(world: World, key: string, text: () => string): void {
  const keys = given.get(world) ?? new Set();
  given.set(world, keys);
  if (keys.has(key)) return;
  keys.add(key);
  warn(text());
}
