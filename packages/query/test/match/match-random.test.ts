import type { Entity } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import { dispose, each, eachRun, query } from "../../src/index.ts";
import { listedFor } from "../listed-rows.ts";
import { sorted } from "../matches.ts";
import { seeds } from "../random/dice.ts";
import {
  change,
  createRandomWorld,
  Harms,
  livingIn,
  type RandomQuery,
  type RandomWorld,
  randomQuery,
  Sign,
} from "../random/random-world.ts";

/** Where `each` and a naive search disagree. */
function wrongRows(random: RandomWorld, { terms, harmed, matches }: RandomQuery): string[] {
  const wrong: string[] = [];
  const found: Entity[] = [];
  const tested = query(random.world, ...terms);
  each(tested, (...row: unknown[]) => {
    const entity = row.at(-1) as Entity;
    found.push(entity);
    if ((row[0] as { of: number }).of !== entity) wrong.push(`sign of ${entity}`);
    const harms = row.filter((one) => typeof one === "object" && "to" in (one as object));
    harmed.forEach((target, place) => {
      const { by, to } = harms[place] as { by: number; to: number };
      if (by !== entity || to !== target) wrong.push(`harm by ${entity}`);
    });
  });
  dispose(tested);
  const expected = sorted(livingIn(random).filter(matches));
  if (String(sorted(found)) !== String(expected)) wrong.push(`${sorted(found)} instead of ${expected}`);
  return wrong;
}

/** The same for `eachRun`; and runs ascend, or follow the order of the children of one parent, and no two could be one. */
function wrongRuns(random: RandomWorld, { terms, harmed, matches, text }: RandomQuery): string[] {
  const { world } = random;
  const wrong: string[] = [];
  const tested = query(world, ...terms);
  const isOfOneParent = /^(?:ChildOf|Parent)\(\d+\)$/.test(text); // children are in their order
  let place = -1;
  let end = -1;
  let sibling = -1;
  let rows = 0;
  eachRun(tested, (run) => {
    const { of } = run.columns(Sign);
    const index = run.entityAt(run.first) % 2 ** 24;
    const archetype = world.graph.archetypes[world.graph.tables.archetype[world.entities.table[index]!]!]!;
    if (archetype.place < place) wrong.push("archetypes are not in order of creation");
    if (archetype.place !== place) sibling = -1;
    else if (run.first < end && !isOfOneParent) wrong.push("runs do not ascend");
    if (archetype.place === place && run.first === end && harmed.length === 0)
      wrong.push("two runs could be one");
    place = archetype.place;
    end = run.end;
    rows += run.end - run.first;
    for (let row = run.first; row < run.end; row++) {
      const entity = run.entityAt(row);
      if (of[row] !== entity || !matches(entity)) wrong.push(`row of ${entity}`);
      const next = world.entities.place[entity % 2 ** 24]!;
      if (isOfOneParent && next <= sibling) wrong.push(`${entity} is not in the order of siblings`);
      sibling = next;
      for (const target of harmed) {
        const { by, to } = run.columns(Harms(target));
        if (by[row] !== entity || to[row] !== target) wrong.push(`harm by ${entity}`);
      }
    }
  });
  dispose(tested);
  if (rows !== livingIn(random).filter(matches).length) wrong.push(`${rows} rows`);
  return wrong;
}

describe.each([
  ["in the type", 0],
  ["as a value", 1],
  ["in both storages", 0.5],
])("in a random world with parents stored %s", (_, shareByValue) => {
  it.each(seeds(1, 3))("queries find the entities that a naive search finds, once each, seed %i", (seed) => {
    const random = createRandomWorld(seed, shareByValue);
    const wrong: string[] = [];

    for (let at = 0; at < 200; at++) {
      change(random);
      if (at < 20 || at % 2 === 0) continue;
      const description = randomQuery(random);
      const found = [...wrongRows(random, description), ...wrongRuns(random, description)];
      wrong.push(...found.map((text) => `step ${at}, ${description.text}: ${text}`));
    }

    expect(wrong.slice(0, 5)).toEqual([]);
    expect(verify(random.world)).toEqual([]);
  });

  it("intervals are not empty, come by archetype, and ascend with gaps between", () => {
    const random = createRandomWorld(9, shareByValue);
    const wrong: string[] = [];

    for (let at = 0; at < 250; at++) {
      change(random);
      const description = randomQuery(random);
      if (description.harmed.length > 0) continue;
      const { graph } = random.world;
      const { intervals } = listedFor(query(random.world, ...description.terms));
      const { numbers, length, stride } = intervals;
      for (let at = 0; at < length; at += stride) {
        if (numbers[at + 2]! <= numbers[at + 1]!) wrong.push(`nothing for ${description.text}`);
        if (at === 0) continue;
        const before = at - stride;
        const step = graph.archetypes[numbers[at]!]!.place - graph.archetypes[numbers[before]!]!.place;
        if (step < 0 || (step === 0 && numbers[at + 1]! <= numbers[before + 2]!))
          wrong.push(description.text);
      }
    }

    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
