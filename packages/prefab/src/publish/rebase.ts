// What an entity is compared with that has just followed, or is about to override (`rebase`).
import { isAlive, type World } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { linkedByNumber } from "../state/owners.ts";
import { addNumber, numberOf, recordsOf, releaseNumber, setLink } from "../state/part-records.ts";
import { changedFields, type Fact, fieldOf, givenFacts, sameIn } from "./facts.ts";
import { isEqual, madeAs, type Published, publishedOf } from "./published.ts";

/**
 * For an entity that has just been brought to what its part has now of a component, a tag or a pair, or that is about to override what it
 * inherits now: that is what `refreshInstances` compares it with, instead of what was published when the entity was made.
 *
 * @param meant of the part; its value is not read. @param fields the names of those that are meant; default: all. @param known what the part has, if that is known.
 */
export function rebase(
  world: World,
  index: number,
  meant: Fact,
  fields?: readonly string[],
  known?: Fact,
): void {
  const published = madeAs(world, index);
  if (published === undefined || !isAlive(world, published.part)) return;
  const { part, root, facts } = published;
  const was = sameIn(facts, meant);
  let now = known ?? sameIn(givenFacts(world, part, part === root), meant);
  if (was !== undefined && now !== undefined) {
    const value = { ...(was.value as { [name: string]: unknown }) };
    const names = changedFields(was, now).flatMap(([name]) => (fields?.includes(name) === false ? [] : name));
    if (names.length === 0) return;
    for (const name of names) value[name] = fieldOf(now.value, name);
    if (names[0] !== "") now = { ...was, value };
  } else if (was === now) return;
  const others = facts.filter((one) => one !== was);
  setLink(
    world,
    index,
    numberFor(world, { ...published, facts: now === undefined ? others : [...others, now] }),
  );
}

/** A number that means what was published; a further one if there is none yet. */
function numberFor(world: World, published: Published): number {
  const { part, link } = published;
  const { handles } = recordsOf(world);
  const numbers: number[] = [];
  for (let number = 1; number < handles.length; number++) {
    if (handles[number] !== part) continue;
    const one = publishedOf(world, number);
    if (one?.link === link && isEqual(one, published)) return number;
    numbers.push(number);
  }
  // Edits without end that nothing follows shall not fill memory: at 16, 32, 64, ... numbers those by which nothing is linked are free again.
  if (numbers.length >= 16 && (numbers.length & (numbers.length - 1)) === 0) {
    const linked = linkedByNumber(world);
    for (const number of numbers)
      if (number !== numberOf(world, indexOf(part)) && !linked.has(number)) releaseNumber(world, number);
  }
  return addNumber(world, part, { ...published, watched: undefined });
}
