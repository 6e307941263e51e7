/** Compares what the functions that list an entity return with everything that its twin has. */
import { verbs } from "../base/entry-points.ts";
import { handleOf } from "../step/real-world.ts";
import { same, sameValue } from "../step/same.ts";
import { nameOfDefinition, numberOf } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import { get, recordOf } from "../twin/world.ts";
import type { Round } from "./round.ts";

export function compareLists({ real, naive }: Round, twin: Twin): void {
  const { world } = real;
  const handle = handleOf(real, twin);
  const record = recordOf(naive, twin);
  const { schemas, objects, tags, parent, storage, pairs } = record;
  const components = verbs.componentsOf(world, handle).map(nameOfDefinition);
  same(components, inOrder([...schemas.keys(), ...objects.keys()]), () => `components of e${twin}`);

  const used = [...(pairs.get("Is")?.keys() ?? [])];
  used.sort((one, other) => recordOf(naive, one).place - recordOf(naive, other).place);
  const listedTags = verbs
    .tagsOf(world, handle)
    .map((one) => ("target" in one ? real.twins.get(one.target) : nameOfDefinition(one)));
  same(listedTags, [...inOrder([...tags]), ...used], () => `tags of e${twin}`);

  const relations = [...pairs.keys()].filter((what) => what !== "Is");
  if (parent !== undefined) relations.push(storage);
  const expected = inOrder(relations).flatMap((what) =>
    what === storage
      ? [[what, parent!] as const]
      : [...pairs.get(what)!.keys()].map((to) => [what, to] as const),
  );
  const listed = verbs.pairsOf(world, handle);
  same(
    listed.map(({ relation, target }) => `${nameOfDefinition(relation)} e${real.twins.get(target)}`),
    expected.map(([what, target]) => `${what} e${target}`),
    () => `pairs of e${twin}`,
  );
  listed.forEach(({ value }, at) => {
    const [what, target] = expected[at]!;
    const values = Object.keys(pairs.get(what)?.get(target) ?? {}).length > 0;
    sameValue(real, what, value, values ? get(naive, twin, what, target) : undefined, () => {
      return `value of (${what}, e${target}) of e${twin}`;
    });
  });
}

/** Names of definitions in the order of definition. */
function inOrder(names: string[]): string[] {
  return names.sort((one, other) => numberOf(one) - numberOf(other));
}
