import type { Entity, WorldEvent } from "../../src/index.ts";

/** How tests call entities; those without a name are "new". */
export type Names = ReadonlyMap<Entity, string>;

export function nameIn(names: Names, one: Entity | undefined): string {
  return one === undefined ? "-" : (names.get(one) ?? "new");
}

/** "+Likes(dock) of ship", with "old>new" for what an exclusive relation points at. */
export function eventIn(names: Names, event: WorldEvent): string {
  const { kind, entity, definition, target, oldTarget, newTarget } = event;
  const sign = { added: "+", removed: "-", set: "=", reordered: "~" }[kind];
  const what = target === undefined ? definition.name : `${definition.name}(${nameIn(names, target)})`;
  const isMove = oldTarget !== undefined || newTarget !== undefined;
  const ends = isMove ? ` ${nameIn(names, oldTarget)}>${nameIn(names, newTarget)}` : "";
  return `${sign}${what} of ${nameIn(names, entity)}${ends}`;
}
