/** Workloads that compare Treeline with itself: one feature beside another, disabling, copies of named parts. */
import {
  add,
  ChildOf,
  clone,
  createWorld,
  DisabledTree,
  type Entity,
  entityOf,
  observe,
  Parent,
  relation,
  remove,
  spawn,
  tag,
  type World,
} from "@treeline/core";
import { Name } from "@treeline/names";
import { count, eachRun, query } from "@treeline/query";
import { Position, Velocity } from "../../../fixtures/components.ts";
import { diceOf } from "../../../fixtures/dice.ts";
import { moverOf, planMoves } from "../../../fixtures/moves.ts";
import type { Storage } from "../../../fixtures/storages.ts";
import { sumOfParents } from "../../workloads/inputs.ts";
import {
  BESIDE_CYCLES,
  BESIDE_MOVES,
  type OtherFeature,
  PREFABS,
  SWITCHED_CHILDREN,
  SWITCHED_PARENTS,
} from "../../workloads/own-workloads.ts";
import type { Subject, Subjects } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";
import { churnIn, parentNumbers } from "./changes.ts";
import type { Below } from "./loops.ts";

/** Either storage. */
type Above = Storage["below"];

const Rare = tag("Rare");
const Likes = relation("Likes");

const CROWD = 10_000;
const CROWD_PARENTS = 100;

/** Counts the calls of an observer. */
interface CallCounter {
  calls: number;
}

/** Adds one thing to a world that affects none of the entities that are moved or destroyed. */
function put(world: World, what: OtherFeature, counter: CallCounter): void {
  const count = (): void => {
    counter.calls++;
  };
  switch (what) {
    case "a Parent child":
      spawn(world, Parent(spawn(world)));
      return;
    case "a DisabledTree":
      spawn(world, ChildOf(spawn(world, DisabledTree)));
      return;
    case "an observer":
      observe(world, { added: Rare }, count);
      return;
    case "an entityOf":
      entityOf(world, Rare);
      return;
    case "two targets":
      spawn(world, Likes(spawn(world)), Likes(spawn(world)));
      return;
    case "observed":
      observe(world, { added: ChildOf }, count);
      return;
    default:
  }
}

export function beside({ work, beside: what }: Given<"beside">): Subject {
  const world = createWorld();
  const parents = Array.from({ length: CROWD_PARENTS }, () => spawn(world));
  const children = Array.from({ length: CROWD }, (_, at) => {
    const above = ChildOf(parents[at % CROWD_PARENTS]!);
    const values = [Position({ x: at % 1024, y: 0 }), Velocity({ x: 1, y: 1 })];
    return what === "named"
      ? spawn(world, ...values, above, Name(`child ${at}`))
      : spawn(world, ...values, above);
  });
  const counter: CallCounter = { calls: 0 };
  put(world, what, counter);
  return work === "reparent"
    ? moving(world, parents, children, what, counter)
    : churnIn(world, ChildOf, BESIDE_CYCLES);
}

function moving(
  world: World,
  parents: readonly Entity[],
  children: readonly Entity[],
  what: OtherFeature,
  counter: CallCounter,
): Subject {
  const plan = planMoves(CROWD, CROWD_PARENTS, diceOf(11));
  const inOrder = Array.from(plan.children, (child) => children[child]!);
  let changed = 0;
  const move = moverOf(plan, (at, parent) => {
    add(world, inOrder[at]!, ChildOf(parents[parent]!));
    changed++;
  });
  const numberOf = parentNumbers(world, parents);
  return {
    run: () => move(BESIDE_MOVES),
    checksum: () => {
      // Few moves go where a child already is, which is not reported.
      const isRight = what === "observed" ? counter.calls > changed * 0.95 : counter.calls === 0;
      if (!isRight) throw new Error(`${counter.calls} of ${changed} moves were observed beside ${what}`);
      return sumOfParents(CROWD, (at) => numberOf(children[at]!));
    },
  };
}

export function disabling(below: Above, { step }: Given<"disable">): Subject {
  const world = createWorld();
  const root = spawn(world);
  for (let group = 0; group < SWITCHED_PARENTS; group++) {
    const parent = spawn(world, below(root));
    for (let child = 0; child < SWITCHED_CHILDREN; child++) {
      spawn(world, Position({ x: child, y: group }), Velocity({ x: 1, y: 1 }), below(parent));
    }
  }
  const placed = query(world, Position);
  const disable = (): void => add(world, root, DisabledTree);
  const enable = (): void => {
    remove(world, root, DisabledTree);
  };
  return {
    before: step === "disable" ? enable : disable,
    run: step === "disable" ? disable : enable,
    checksum: () => 1 + count(placed),
  };
}

/** A body, three limbs below each of the first parts. */
function buildFigure(world: World, below: Above, parts: number): Entity {
  const built: Entity[] = [];
  for (let part = 0; part < parts; part++) {
    const values = [Name(`part ${part}`), Position({ x: part, y: 2 }), Velocity({ x: 3, y: 4 })];
    built.push(
      part === 0
        ? spawn(world, ...values)
        : spawn(world, ...values, below(built[Math.floor((part - 1) / 3)]!)),
    );
  }
  return built[0]!;
}

export function prefabs(below: Above, { parts }: Given<"prefabs">): Subject {
  let world: World;
  let template: Entity;
  return {
    before: () => {
      world = createWorld();
      template = buildFigure(world, below, parts);
    },
    run: () => {
      for (let copy = 0; copy < PREFABS; copy++) clone(world, template, { deep: true });
    },
    checksum: () => {
      let sum = count(query(world, Name));
      eachRun(query(world, Position), (run) => {
        const { x } = run.columns(Position);
        for (let row = run.first; row < run.end; row++) sum += 1 + x[row]!;
      });
      return sum;
    },
  };
}

export function ownIn(below: Below): Subjects {
  return {
    ...(below === ChildOf ? { beside } : {}),
    disable: (given) => disabling(below, given),
    prefabs: (given) => prefabs(below, given),
  };
}
