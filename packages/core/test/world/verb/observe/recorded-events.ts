import { type Observation, observe, spawn, type WorldEvent } from "../../../../src/index.ts";
import { createWorld, type Entity, type World } from "../../../fixture.ts";

/** Names of entities in tests; those without a name are "new". */
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

/** The world and entities that most tests of observers start with; set by `setFixture`. */
export let world: World;
export let ship: Entity;
export let dock: Entity;
export let names: Map<Entity, string>;
/** The events that `record` got. */
export let calls: string[];

export function setFixture(): void {
  world = createWorld();
  [ship, dock] = [spawn(world), spawn(world)];
  names = new Map([
    [ship, "ship"],
    [dock, "dock"],
  ]);
  calls = [];
}

export function textOf(event: WorldEvent): string {
  return eventIn(names, event);
}

export function record(kinds: Observation): () => void {
  return observe(world, kinds, (event) => calls.push(textOf(event)));
}
