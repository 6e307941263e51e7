/** What happens in the naive twin when two would have one name: who is refused, called otherwise, or found. */
import type { Twin } from "./rules.ts";
import type { SlowEntity, SlowWorld } from "./world.ts";
import { beingOf, nameOf, siblingsBelow } from "./world.ts";

export function aliasOf(world: SlowWorld, entity: Twin): string | undefined {
  return beingOf(world, entity).objects.get("Alias") as string | undefined;
}

/** Who has the alias; nobody else may. */
export function entityOfAlias(world: SlowWorld, alias: string): Twin | undefined {
  return [...world.living.keys()].find((entity) => aliasOf(world, entity) === alias);
}

/** Who answers to the name: of those who share it, the first who came. */
export function entityOfName(world: SlowWorld, scope: Twin | undefined, name: string): Twin | undefined {
  const holders = siblingsBelow(world, scope).filter((entity) => nameOf(world, entity) === name);
  return holders.sort((one, other) => beingOf(world, one).arrival - beingOf(world, other).arrival)[0];
}

/** A name that a sibling has, or as a root one that is the alias of somebody else. */
export function sharesName(world: SlowWorld, entity: Twin): boolean {
  const name = nameOf(world, entity);
  if (name === undefined || world.names.collisions === "allow") return false;
  return isTaken(world, entity, name, []);
}

/** An alias that somebody else has, or which is the name of another root. */
export function isTakenAlias(world: SlowWorld, entity: Twin): boolean {
  const alias = aliasOf(world, entity);
  if (alias === undefined) return false;
  const others = [...world.living.keys()].filter((other) => other !== entity);
  if (others.some((other) => aliasOf(world, other) === alias)) return true;
  if (world.names.collisions === "allow") return false;
  return world.roots.some((root) => root !== entity && nameOf(world, root) === alias);
}

/** After a change: who came to its scope or name gets its turn and, if that is the rule, a name that is free. */
export function settleNames(world: SlowWorld): void {
  const comers = comersIn(world);
  while (comers.length > 0) {
    const comer = comers.shift()!;
    const being = beingOf(world, comer);
    const name = nameOf(world, comer)!;
    if (world.names.collisions === "suffix" && name !== "") {
      const free = freeName(name, (candidate) => isTaken(world, comer, candidate, comers));
      being.objects.set("Name", free);
    }
    if (isComer(world.undo.get(comer), being)) being.arrival = ++world.nextArrival;
  }
}

/** In the order in which they came. */
function comersIn({ undo, living }: SlowWorld): Twin[] {
  const comers: [Twin, SlowEntity][] = [];
  for (const [entity, former] of undo) {
    const being = living.get(entity);
    if (being !== undefined && isComer(former, being)) comers.push([entity, being]);
  }
  return comers.sort(([, one], [, other]) => one.place - other.place).map(([entity]) => entity);
}

function isComer(former: SlowEntity | undefined, { objects, parent }: SlowEntity): boolean {
  const name = objects.get("Name");
  return name !== undefined && (former?.objects.get("Name") !== name || former.parent !== parent);
}

/** @param later those who come after the entity: they do not have their names yet. */
function isTaken(world: SlowWorld, entity: Twin, name: string, later: readonly Twin[]): boolean {
  const { parent } = beingOf(world, entity);
  const siblings = siblingsBelow(world, parent).filter((sibling) => sibling !== entity);
  if (siblings.some((sibling) => !later.includes(sibling) && nameOf(world, sibling) === name)) return true;
  const holder = parent === undefined ? entityOfAlias(world, name) : undefined;
  return holder !== undefined && holder !== entity;
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
