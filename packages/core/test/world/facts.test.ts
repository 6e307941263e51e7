import { beforeEach, describe, expect, it } from "vitest";
import { indexOf } from "../../src/id/entity.ts";
import {
  Any,
  ChildOf,
  component,
  createWorld,
  DisabledTree,
  type Entity,
  observe,
  Parent,
  relation,
  spawn,
  tag,
  type World,
} from "../../src/index.ts";
import { loosePairOf } from "../../src/records/sibling-links.ts";
import type { WorldEvent } from "../../src/world/event-list.ts";
import { foresee, hasListeners, NO_FACTS, tellSet } from "../../src/world/facts.ts";

const Label = component<string>("Label");
const Frozen = tag("Frozen");
const Lit = tag("Lit");
const DockedTo = relation("DockedTo", { exclusive: true });
const Likes = relation("Likes");

let world: World;
let ship: Entity;
let dock: Entity;

beforeEach(() => {
  world = createWorld();
  [ship, dock] = [spawn(world), spawn(world)];
});

/** What would be told if one entity became what another one is. */
function between(one: Entity | undefined, other: Entity | undefined): { removed: string[]; added: string[] } {
  const tableOf = (each: Entity | undefined): number =>
    each === undefined ? 0 : world.entities.table[indexOf(each)]!;
  const loose = other === undefined ? 0 : loosePairOf(world.graph.links, indexOf(other));
  const { removed, added } = foresee(world, indexOf(one ?? ship), tableOf(one), tableOf(other), loose);
  const textOf = ({ definition, oldTarget, newTarget }: WorldEvent): string =>
    [definition.name, oldTarget, newTarget]
      .map((each) => (each === ship ? "ship" : each === dock ? "dock" : each))
      .join(" ");
  return { removed: removed.map(textOf), added: added.map(textOf) };
}

describe("what will be told of a change", () => {
  it("is nothing while nobody listens", () => {
    const one = spawn(world, Frozen);

    expect([
      hasListeners(world),
      foresee(world, indexOf(one), 0, world.entities.table[indexOf(one)]!, 0),
    ]).toEqual([false, NO_FACTS]);
  });

  it("is what goes and what comes, and not what stays", () => {
    observe(world, { added: Any, removed: Any }, () => undefined);

    expect(between(spawn(world, Frozen, Label("x")), spawn(world, Lit, Label("x")))).toEqual({
      removed: ["Frozen  "],
      added: ["Lit  "],
    });
  });

  it("is everything, for a birth and for a death", () => {
    observe(world, { added: Any, removed: Any }, () => undefined);
    const one = spawn(world, Frozen, Parent(ship), Likes(dock));

    expect(between(one, undefined).removed).toEqual(["Frozen  ", "Likes  ", "ChildOf ship "]);
    expect(between(undefined, one)).toEqual({ removed: [], added: ["Frozen  ", "Likes  ", "ChildOf  ship"] });
  });

  it("does not tell storages of the parent apart", () => {
    observe(world, { added: Any, removed: Any }, () => undefined);
    const [typed, loose, other] = [
      spawn(world, ChildOf(ship)),
      spawn(world, Parent(ship)),
      spawn(world, Parent(dock)),
    ];

    expect([between(typed, loose), between(loose, typed)]).toEqual([
      { removed: [], added: [] },
      { removed: [], added: [] },
    ]);
    expect(between(typed, other)).toEqual({ removed: ["ChildOf ship dock"], added: ["ChildOf ship dock"] });
  });

  it("names both ends of a retarget", () => {
    observe(world, { added: DockedTo, removed: DockedTo }, () => undefined);

    expect(between(spawn(world, DockedTo(ship)), spawn(world, DockedTo(dock)))).toEqual({
      removed: ["DockedTo ship dock"],
      added: ["DockedTo ship dock"],
    });
  });

  it("leaves out what nobody hears of, and what core keeps by itself", () => {
    observe(world, { added: Lit }, () => undefined);
    const one = spawn(world, Frozen, Lit, ChildOf(spawn(world, DisabledTree)));

    expect([between(undefined, one), between(one, undefined)]).toEqual([
      { removed: [], added: ["Lit  "] },
      { removed: [], added: [] },
    ]);
    observe(world, { added: Any }, () => undefined);
    expect(between(undefined, one).added.map((text) => text.split(" ")[0])).toEqual([
      "Frozen",
      "Lit",
      "ChildOf",
    ]);
  });
});

describe("that a value was given", () => {
  it("is told to those who listen to set", () => {
    const told: unknown[] = [];
    observe(world, { set: Label }, (event) => told.push(event));

    tellSet(world, indexOf(ship), Label, undefined);
    tellSet(world, indexOf(ship), Likes, dock);

    expect(told).toEqual([
      {
        kind: "set",
        entity: ship,
        definition: Label,
        target: undefined,
        oldTarget: undefined,
        newTarget: undefined,
      },
    ]);
  });
});
