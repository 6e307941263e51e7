/** What happens in the naive twin when two would have one name: who is refused, called otherwise, or found. */
import type { Twin } from "./rules.ts";
import type { NaiveEntity, NaiveWorld } from "./world.ts";
import { nameOf, recordOf, siblingsBelow } from "./world.ts";

export function aliasOf(world: NaiveWorld, entity: Twin): string | undefined {
  return recordOf(world, entity).objects.get("Alias") as string | undefined;
}

/** Who has the alias; nobody else may. */
export function entityOfAlias(world: NaiveWorld, alias: string): Twin | undefined {
  return [...world.living.keys()].find((entity) => aliasOf(world, entity) === alias);
}

/** Who answers to the name: of those who share it, the first who came. */
export function entityOfName(world: NaiveWorld, scope: Twin | undefined, name: string): Twin | undefined {
  const namesakes = siblingsBelow(world, scope).filter((entity) => nameOf(world, entity) === name);
  return namesakes.sort((one, other) => recordOf(world, one).arrival - recordOf(world, other).arrival)[0];
}

/** A name that a sibling has, or as a root one that is the alias of somebody else. */
export function sharesName(world: NaiveWorld, entity: Twin): boolean {
  const name = nameOf(world, entity);
  if (name === undefined || world.names.collisions === "allow") return false;
  return isTaken(world, entity, name, []);
}

/** An alias that somebody else has, or which is the name of another root. */
export function isTakenAlias(world: NaiveWorld, entity: Twin): boolean {
  const alias = aliasOf(world, entity);
  if (alias === undefined) return false;
  const others = [...world.living.keys()].filter((other) => other !== entity);
  if (others.some((other) => aliasOf(world, other) === alias)) return true;
  if (world.names.collisions === "allow") return false;
  return world.roots.some((root) => root !== entity && nameOf(world, root) === alias);
}

/** After a change: who came to its scope or name gets its turn and, if that is the rule, a name that is free. */
export function settleNames(world: NaiveWorld): void {
  const arrivals = arrivalsIn(world);
  while (arrivals.length > 0) {
    const arriving = arrivals.shift()!;
    const record = recordOf(world, arriving);
    const name = nameOf(world, arriving)!;
    if (world.names.collisions === "suffix" && name !== "") {
      const free = freeName(name, (candidate) => isTaken(world, arriving, candidate, arrivals));
      record.objects.set("Name", free);
    }
    if (hasArrived(world.undo.get(arriving), record)) record.arrival = ++world.nextArrival;
  }
}

/** In the order in which they came. */
function arrivalsIn({ undo, living }: NaiveWorld): Twin[] {
  const arrivals: [Twin, NaiveEntity][] = [];
  for (const [entity, former] of undo) {
    const record = living.get(entity);
    if (record !== undefined && hasArrived(former, record)) arrivals.push([entity, record]);
  }
  return arrivals.sort(([, one], [, other]) => one.place - other.place).map(([entity]) => entity);
}

function hasArrived(former: NaiveEntity | undefined, { objects, parent }: NaiveEntity): boolean {
  const name = objects.get("Name");
  return name !== undefined && (former?.objects.get("Name") !== name || former.parent !== parent);
}

/** @param later those who come after the entity: they do not have their names yet. */
function isTaken(world: NaiveWorld, entity: Twin, name: string, later: readonly Twin[]): boolean {
  const { parent } = recordOf(world, entity);
  const siblings = siblingsBelow(world, parent).filter((sibling) => sibling !== entity);
  if (siblings.some((sibling) => !later.includes(sibling) && nameOf(world, sibling) === name)) return true;
  const aliased = parent === undefined ? entityOfAlias(world, name) : undefined;
  return aliased !== undefined && aliased !== entity;
}

/**
 * The name, or the same with a number: the one behind its own, or else the first that is free where numbers are tried
 * at growing distances, and then at halved ones back to the last that was taken.
 */
export function freeName(name: string, taken: (candidate: string) => boolean): string {
  if (!taken(name)) return name;
  const ending = / \(([1-9][0-9]{0,8})\)$/.exec(name);
  const isNumbered = ending !== null && ending.index > 0;
  const base = isNumbered ? name.slice(0, ending.index) : name;
  const first = isNumbered ? Number(ending[1]) + 1 : 2;
  const isFree = (number: number): boolean => !taken(`${base} (${number})`);
  if (isFree(first)) return `${base} (${first})`;
  const distances = [0, 1];
  while (!isFree(first + distances.at(-1)!)) distances.push(distances.at(-1)! * 2);
  let [low, high] = [first + distances.at(-2)!, first + distances.at(-1)!];
  while (high - low > 1) {
    const middle = (low + high) / 2;
    if (isFree(middle)) high = middle;
    else low = middle;
  }
  return `${base} (${high})`;
}
