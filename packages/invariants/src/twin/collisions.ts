/** What happens in the naive twin when two entities would have the same name: one is refused, renamed or found first. */
import type { Twin } from "./rules.ts";
import type { NaiveEntity, NaiveWorld } from "./world.ts";
import { namedBelow, nameOf, recordOf, scopeOf, scopeOfRecord } from "./world.ts";

export function aliasOf(world: NaiveWorld, entity: Twin): string | undefined {
  return recordOf(world, entity).objects.get("Alias") as string | undefined;
}

/** The entity that has the alias; there is at most one. */
export function entityOfAlias(world: NaiveWorld, alias: string): Twin | undefined {
  return [...world.living.keys()].find((entity) => aliasOf(world, entity) === alias);
}

/** The entity that is found by the name: of those that share it, the first to arrive. */
export function entityOfName(world: NaiveWorld, scope: Twin | undefined, name: string): Twin | undefined {
  const namesakes = namedBelow(world, scope).filter((entity) => nameOf(world, entity) === name);
  return namesakes.sort((one, other) => recordOf(world, one).arrival - recordOf(world, other).arrival)[0];
}

/** A name that a sibling has, or a root's name that is the alias of another entity. */
export function sharesName(world: NaiveWorld, entity: Twin): boolean {
  const name = nameOf(world, entity);
  if (name === undefined || world.names.collisions === "allow") return false;
  return isTaken(world, entity, name, []);
}

/** An alias that another entity has, or that is the name of another root. */
export function isTakenAlias(world: NaiveWorld, entity: Twin): boolean {
  const alias = aliasOf(world, entity);
  if (alias === undefined) return false;
  const others = [...world.living.keys()].filter((other) => other !== entity);
  if (others.some((other) => aliasOf(world, other) === alias)) return true;
  if (world.names.collisions === "allow") return false;
  return namedBelow(world, undefined).some((root) => root !== entity && nameOf(world, root) === alias);
}

/**
 * After a change: entities that arrived in a scope or got a name are numbered in order of arrival and, if that is the policy, get
 * a free name.
 */
export function settleNames(world: NaiveWorld, order: readonly Twin[] | undefined): void {
  const arrivals = arrivalsIn(world, order);
  while (arrivals.length > 0) {
    const arriving = arrivals.shift()!;
    const record = recordOf(world, arriving);
    const name = nameOf(world, arriving)!;
    if (world.names.collisions === "suffix" && name !== "") {
      const free = freeName(name, (candidate) => isTaken(world, arriving, candidate, arrivals));
      record.objects.set("Name", free);
    }
    if (hasArrived(world, world.undo.get(arriving), record)) record.arrival = ++world.nextArrival;
  }
}

/** In order of arrival. */
function arrivalsIn(world: NaiveWorld, order: readonly Twin[] | undefined): Twin[] {
  const { undo, living } = world;
  const arrivals: [Twin, NaiveEntity][] = [];
  for (const [entity, former] of undo) {
    const record = living.get(entity);
    if (record !== undefined && hasArrived(world, former, record)) arrivals.push([entity, record]);
  }
  if (order !== undefined)
    return order.filter((entity) => arrivals.some(([arriving]) => arriving === entity));
  return arrivals.sort(([, one], [, other]) => one.place - other.place).map(([entity]) => entity);
}

function hasArrived(world: NaiveWorld, former: NaiveEntity | undefined, record: NaiveEntity): boolean {
  const name = record.objects.get("Name");
  if (name === undefined) return false;
  return (
    former?.objects.get("Name") !== name || scopeOfRecord(world, former) !== scopeOfRecord(world, record)
  );
}

/** @param later entities that arrive after this one: they do not have their names yet. */
function isTaken(world: NaiveWorld, entity: Twin, name: string, later: readonly Twin[]): boolean {
  const scope = scopeOf(world, entity);
  const siblings = namedBelow(world, scope).filter((sibling) => sibling !== entity);
  if (siblings.some((sibling) => !later.includes(sibling) && nameOf(world, sibling) === name)) return true;
  const aliased = scope === undefined ? entityOfAlias(world, name) : undefined;
  return aliased !== undefined && aliased !== entity;
}

/**
 * The name, or the name with a number: the number after its own, or else the first free one at growing distances, and then at
 * halved distances back to the last number that is taken.
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
