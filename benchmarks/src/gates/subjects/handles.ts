/** One entity after another by its handle: tags, components, `field`, `get` and `set`. */
import {
  add,
  bits,
  component,
  createWorld,
  type Entity,
  f32,
  field,
  get,
  observe,
  remove,
  set,
  spawn,
  type Tag,
  tag,
  type World,
} from "@treeline/core";
import { eachRun, type QueryTerm, query } from "@treeline/query";
import { placesOf } from "../../comparison/contestants/treeline/loops.ts";
import type { Subject } from "../../comparison/workloads/subject.ts";
import { Position, Velocity } from "../../fixtures/components.ts";
import { type Order, type Stage, turnsOf } from "./stage.ts";

export type Operation = "tag" | "bits" | "component" | "field get" | "field set" | "get" | "set";

const Marked = tag("Marked");
const Flagged = tag("Flagged", { storage: bits });
const Mass = component("Mass", { value: f32 });
const Elsewhere = component("Elsewhere", { value: f32 });
const Rare = tag("Rare");
/** What entities of several archetypes have as well: those of the first one nothing. */
const KINDS: readonly (readonly Tag[])[] = [
  [],
  ...Array.from({ length: 9 }, (_, at) => [tag(`Kind${at + 1}`)]),
];

/** So many entities keep what a run adds until the next one: they prove that it adds, and that it removes from the others. */
const KEPT = 16;

/** Observes what none of the measured entities has or gets. */
function observeElsewhere(world: World): void {
  const refuse = (): never => {
    throw new Error("an observer of something else was called");
  };
  observe(world, { added: Rare }, refuse);
  observe(world, { set: Elsewhere }, refuse);
}

export function handling(
  { entities: count }: Stage,
  {
    operation,
    order,
    beside,
    archetypes = 1,
  }: {
    readonly operation: Operation;
    readonly order: Order;
    readonly beside?: string;
    readonly archetypes?: number;
  },
): Subject {
  const world = createWorld();
  const kinds = KINDS.slice(0, archetypes);
  const entities = Array.from({ length: count }, (_, at) =>
    spawn(
      world,
      Position({ x: at % 1024, y: 0 }),
      Velocity({ x: 1, y: 1 + (at % 3) }),
      ...(kinds[at % archetypes] ?? []),
    ),
  );
  const inTurn = Array.from(turnsOf(count, order), (at) => entities[at]!);
  if (beside === "an observer") observeElsewhere(world);
  if (operation === "tag") return switching(world, inTurn, { term: Marked, added: Marked });
  if (operation === "bits") return switching(world, inTurn, { term: Flagged, added: Flagged });
  if (operation === "component") return switching(world, inTurn, { term: Mass, added: Mass({ value: 2 }) });
  return accessing(world, entities, inTurn, operation);
}

interface Switched {
  readonly term: typeof Marked | typeof Flagged | typeof Mass;
  readonly added: typeof Marked | typeof Flagged | ReturnType<typeof Mass>;
}

/** One run: all get it, then all but KEPT lose it. */
function switching(world: World, inTurn: readonly Entity[], { term, added }: Switched): Subject {
  const count = inTurn.length;
  const having = query(world, Position, term as QueryTerm & typeof Marked);
  let runs = 0;
  return {
    run: () => {
      for (let at = 0; at < count; at++) add(world, inTurn[at]!, added);
      const first = (runs++ * 1_009) % (count - KEPT);
      for (let at = 0; at < first; at++) remove(world, inTurn[at]!, term);
      for (let at = first + KEPT; at < count; at++) remove(world, inTurn[at]!, term);
    },
    checksum: () => {
      let sum = 0;
      eachRun(having, (run) => {
        const { x } = run.columns(Position);
        for (let row = run.first; row < run.end; row++) sum += 10_000 + x[row]!;
      });
      return sum + placesOf(world, inTurn);
    },
  };
}

/** One run: one field, or the component as an object, of all. */
function accessing(
  world: World,
  entities: readonly Entity[],
  inTurn: readonly Entity[],
  operation: "field get" | "field set" | "get" | "set",
): Subject {
  const count = inTurn.length;
  const x = field(Position, "x");
  let total = 0;
  let runs = 0;
  const run = {
    "field get": () => {
      let sum = 0;
      for (let at = 0; at < count; at++) sum += x.get(world, inTurn[at]!)!;
      total += sum;
    },
    "field set": () => {
      runs++;
      for (let at = 0; at < count; at++) x.set(world, inTurn[at]!, (at + runs) % 1024);
    },
    get: () => {
      let sum = 0;
      for (let at = 0; at < count; at++) sum += get(world, inTurn[at]!, Position)!.x;
      total += sum;
    },
    set: () => {
      runs++;
      for (let at = 0; at < count; at++) set(world, inTurn[at]!, Position, { x: (at + runs) % 1024, y: 1 });
    },
  };
  return { run: run[operation], checksum: () => placesOf(world, entities) + total };
}
