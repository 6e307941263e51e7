import { type Definition, type Entity, isAlive, type World } from "@treeline/core";
import { addNumber, linkAt, recordsOf, setLink } from "../state/part-records.ts";
import { changedFields, type Fact, factsOf, givenFact, isGiven, sameIn } from "./facts.ts";
import { isEqual, type Published, publishedOf } from "./published.ts";

/**
 * For an entity that has just been brought to what its part has now of a component, a tag or a pair, or that is about to override what it
 * inherits now: that is what `refreshInstances` compares it with, instead of what was published when the entity was made.
 *
 * @param target of a pair of the part; 0 for others. @param fields the names of those that are meant; default: all.
 */
export function rebase(
  world: World,
  index: number,
  definition: Definition,
  target: Entity = 0 as Entity,
  fields?: readonly string[],
): void {
  const published = publishedOf(world, linkAt(world, index));
  if (published === undefined || !isAlive(world, published.part)) return;
  const was = published.facts.find((one) => one.definition === definition && one.target === target);
  let now = factNow(world, published, definition, target);
  if (was !== undefined && now !== undefined) {
    const changed = changedFields(was, now).map(([name]) => name);
    const meant = fields === undefined ? changed : changed.filter((name) => fields.includes(name));
    if (meant.length === 0) return;
    if (meant.length < changed.length) now = { ...was, value: withFields(was, now, meant) };
  } else if (was === now) return;
  const facts = published.facts.filter((one) => one !== was);
  setLink(
    world,
    index,
    numberFor(world, { ...published, facts: now === undefined ? facts : [...facts, now] }),
  );
}

function factNow(
  world: World,
  { part, root }: Published,
  definition: Definition,
  target: Entity,
): Fact | undefined {
  const isRoot = part === root;
  if (target !== 0) return sameIn(factsOf(world, part, isRoot), { definition, target, value: undefined });
  return isGiven(definition, isRoot) ? givenFact(world, part, definition) : undefined;
}

function withFields(was: Fact, now: Fact, names: readonly string[]): object {
  const whole = { ...(was.value as { [name: string]: unknown }) };
  for (const name of names) whole[name] = (now.value as typeof whole)[name];
  return whole;
}

/** A number that means what was published; a further one if there is none yet. */
function numberFor(world: World, published: Published): number {
  const { part, link } = published;
  const { handles, published: all } = recordsOf(world);
  for (let number = 1; number < handles.length; number++) {
    if (handles[number] !== part) continue;
    const one = all[number] as Published | undefined;
    if (one !== undefined && one.link === link && isEqual(one, published)) return number;
  }
  return addNumber(world, part, { ...published, watched: undefined });
}
