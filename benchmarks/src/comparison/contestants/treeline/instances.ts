// Treeline's copies of a template, by `clone` or part by part.
import { clone, createWorld, type Entity, spawn, tag, type World } from "@treeline/core";
import { eachRun, query } from "@treeline/query";
import { Position, Velocity } from "../../../fixtures/components.ts";
import type { Subject } from "../../workloads/subject.ts";
import { type Given, INSTANCES, PARTS } from "../../workloads/workloads.ts";
import type { Below } from "./loops.ts";

const TAGS = Array.from({ length: PARTS }, (_, part) => tag(`Part${part}`));

function buildTemplate(world: World, below: Below, parts: "same" | "distinct"): Entity {
  const root = spawn(world, Position({ x: 1, y: 2 }), Velocity({ x: 3, y: 4 }));
  for (const [part, mark] of TAGS.entries()) {
    const child = [Position({ x: part, y: 2 }), Velocity({ x: 3, y: 4 }), below(root)];
    spawn(world, ...child, ...(parts === "distinct" ? [mark] : []));
  }
  return root;
}

/** How many have a Position, and the sum of their x. */
function sumUp(world: World): number {
  let sum = 0;
  eachRun(query(world, Position), (run) => {
    const { x } = run.columns(Position);
    for (let row = run.first; row < run.end; row++) sum += 1 + x[row]!;
  });
  return sum;
}

/** A template is an entity like any other: its deep clones are the instances. */
export function instancing(below: Below, { parts }: Given<"instances">): Subject {
  let world = createWorld();
  let template: Entity;
  let before = 0;
  return {
    before: () => {
      world = createWorld();
      template = buildTemplate(world, below, parts);
      before = sumUp(world);
    },
    run: () => {
      for (let copy = 0; copy < INSTANCES; copy++) clone(world, template, { deep: true });
    },
    checksum: () => sumUp(world) - before,
  };
}
