/** Changes in families of 8 archetypes: the children of each parent take turns with them. */
import { add, createWorld, type Entity, isAlive, remove, spawn, tag, type World } from "@treeline/core";
import { destroy, eachRun, query } from "@treeline/query";
import { type Below, placesOf } from "../../comparison/contestants/treeline/loops.ts";
import { parentsOf } from "../../comparison/workloads/inputs.ts";
import type { Subject } from "../../comparison/workloads/subject.ts";
import { Local, Position, Velocity } from "../../fixtures/components.ts";
import { goalsOf } from "./changes.ts";
import { numbersOf, type Order, type Stage, scaled, sumOfFamilies, turnsOf } from "./stage.ts";

const Red = tag("Red");
const Marked = tag("MarkedOfEight");
const KEPT = 16;

interface Mixed {
  readonly world: World;
  readonly parents: readonly Entity[];
  readonly children: readonly Entity[];
}

/** Each child has Position, and every subset of Velocity, Local and Red in turn. */
function mix(below: Below, parentCount: number, above: Int32Array): Mixed {
  const world = createWorld();
  const parents = Array.from({ length: parentCount }, () => spawn(world));
  const children = Array.from(above, (parent, at) => {
    const terms = [
      Position({ x: at % 1024, y: 0 }),
      ...((at & 1) === 0 ? [] : [Velocity({ x: 1, y: 1 })]),
      ...((at & 2) === 0 ? [] : [Local({ x: 1, y: 1 })]),
      ...((at & 4) === 0 ? [] : [Red]),
    ];
    return spawn(world, ...terms, below(parents[parent]!));
  });
  return { world, parents, children };
}

/** "reparent": each child goes to a random parent; "tag": all get a tag in tables and lose it; "destroy": all parents go. */
export function mixing(
  stage: Stage,
  { operation, order }: { readonly operation: "reparent" | "tag" | "destroy"; readonly order: Order },
): Subject {
  const { below, entities } = stage;
  const parentCount = scaled(stage, 1_000);
  const above = parentsOf(parentCount, "block", entities);
  if (operation === "destroy") return destroyingAll(() => mix(below, parentCount, above));
  const mixed = mix(below, parentCount, above);
  const turns = turnsOf(entities, order);
  return operation === "tag" ? tagging(mixed, turns) : reparenting(below, mixed, turns);
}

function reparenting(below: Below, { world, parents, children }: Mixed, turns: Int32Array): Subject {
  const goals = goalsOf(children.length, parents.length);
  let round = 0;
  return {
    run: () => {
      const goal = goals[round++ % goals.length]!;
      for (let turn = 0; turn < turns.length; turn++) {
        const mover = turns[turn]!;
        add(world, children[mover]!, below(parents[goal[mover]!]!));
      }
    },
    checksum: () => placesOf(world, children) + sumOfFamilies(world, parents, numbersOf(children)),
  };
}

function tagging({ world, parents, children }: Mixed, turns: Int32Array): Subject {
  const inTurn = Array.from(turns, (turn) => children[turn]!);
  const count = inTurn.length;
  const marked = query(world, Position, Marked);
  let runs = 0;
  return {
    run: () => {
      for (let at = 0; at < count; at++) add(world, inTurn[at]!, Marked);
      const first = (runs++ * 1_009) % (count - KEPT);
      for (let at = 0; at < first; at++) remove(world, inTurn[at]!, Marked);
      for (let at = first + KEPT; at < count; at++) remove(world, inTurn[at]!, Marked);
    },
    checksum: () => {
      let sum = 0;
      eachRun(marked, (run) => {
        const { x } = run.columns(Position);
        for (let row = run.first; row < run.end; row++) sum += 10_000 + x[row]!;
      });
      return sum + placesOf(world, children) + sumOfFamilies(world, parents, numbersOf(children));
    },
  };
}

function destroyingAll(build: () => Mixed): Subject {
  let mixed: Mixed | undefined;
  return {
    before: () => {
      mixed = build();
    },
    run: () => {
      const { world, parents } = mixed!;
      for (let at = 0; at < parents.length; at++) destroy(world, parents[at]!);
    },
    checksum: () => {
      const { world, parents, children } = mixed!;
      const all = [...parents, ...children];
      return all.length + all.reduce((sum, entity) => sum + Number(isAlive(world, entity)), 0);
    },
  };
}
