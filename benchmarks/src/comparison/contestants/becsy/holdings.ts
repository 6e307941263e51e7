/**
 * Becsy's memory: a world needs the number of entities, and of changes per frame, beforehand. A thousand are spawned in each
 * frame; the time between two frames belongs to the first spawn of the second.
 */
import type { Entity } from "@lastolivegames/becsy/lib/perf.js";
import {
  type Equipment,
  type Growing,
  type Held,
  type Holdings,
  type Layout,
  sumOfGrown,
} from "../../memory/holdings.ts";
import { parentsOf } from "../../workloads/inputs.ts";
import { createMover, createParents, createStage } from "./stage.ts";

const BIRTHS_A_FRAME = 1_000;
const idle = (): void => {};

async function settle({ parents, children, queries }: Layout): Promise<Held> {
  const above = parentsOf(parents, "block", children);
  const stage = await createStage({ entities: children + parents, queries, perFrame: BIRTHS_A_FRAME });
  const homes: Entity[] = [];
  for (let from = 0; from < parents; from += BIRTHS_A_FRAME) {
    await stage.frame((system) => {
      homes.push(...createParents(stage, system, Math.min(BIRTHS_A_FRAME, parents - from)));
    });
  }
  for (let from = 0; from < children; from += BIRTHS_A_FRAME) {
    await stage.frame((system) => {
      for (let at = from; at < Math.min(from + BIRTHS_A_FRAME, children); at++) {
        const child = createMover(stage, system, at);
        child.add(stage.Child, { parent: homes[above[at]!]! });
        child.hold();
      }
    });
  }
  await stage.frame(idle);
  const { Parent } = stage;
  return { count: () => homes.reduce((sum, home) => sum + home.read(Parent).children.length, 0) };
}

async function grow(entities: number): Promise<Growing> {
  let sum = 0;
  const stage = await createStage({
    entities,
    perFrame: BIRTHS_A_FRAME,
    query: ({ Position, Velocity }, all) => all.current.with(Position, Velocity),
  });
  const { Position, Velocity } = stage;
  return {
    run: async (stamp) => {
      for (let from = 0; from < entities; from += BIRTHS_A_FRAME) {
        await stage.frame((system) => {
          for (let at = from; at < Math.min(from + BIRTHS_A_FRAME, entities); at++) {
            createMover(stage, system, at);
            stamp();
          }
        });
      }
      await stage.frame((_, found) => {
        sum = sumOfGrown(
          found.length,
          (at) => found[at]!.read(Position).x,
          (at) => found[at]!.read(Velocity).y,
        );
      });
    },
    checksum: () => sum,
  };
}

async function equip({ roots, extra, every }: Equipment): Promise<Held> {
  const stage = await createStage({ entities: roots, perFrame: BIRTHS_A_FRAME });
  const { Position, Aim, Tag } = stage;
  const held: Entity[] = [];
  for (let from = 0; from < roots; from += BIRTHS_A_FRAME) {
    await stage.frame((system) => {
      for (let at = from; at < Math.min(from + BIRTHS_A_FRAME, roots); at++) {
        const root = createMover(stage, system, at);
        if (extra === "tag" && at % every === 0) root.add(Tag);
        if (extra === "component" && at % every === 0) root.add(Aim, { x: 2, y: 3 });
        held.push(root.hold());
      }
    });
  }
  await stage.frame(idle);
  const types = { nothing: Position, tag: Tag, component: Aim };
  return { count: () => held.filter((root) => root.has(types[extra])).length };
}

export const holdings: Holdings = { settle, equip, grow };
