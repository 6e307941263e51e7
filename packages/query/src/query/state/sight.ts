import type { World } from "@treeline/core";
import { type Archetype, archetypesOf, handleOf, type TableId } from "@treeline/core/internal";
import type { Way } from "../../match/ancestors.ts";
import { indexIfAlive } from "../../match/pairs.ts";
import type { Sight } from "../../match/tests.ts";
import type { Aside } from "../../term/plan.ts";
import type { Stretches } from "../batches/stretches.ts";
import { boundTo, type Query, wholeOf } from "./query-state.ts";

/** How a visit looks at given entities: brought by terms about those. A function only; nothing in here is state. */
export const given: { lookAside: ((seen: Seen, aside: Aside, place: number) => number) | undefined } = {
  lookAside: undefined,
};

/** What a visit knows of those it looks at; one for each visit that is running. */
export class Seen implements Sight {
  readonly world: World;
  readonly truths: boolean[];
  /** By aside: the index of the entity that has what is asked for; 0 if there is none. */
  readonly found: number[];
  since = 0;
  sinceRemoved = 0;
  shape: Archetype;
  holders: (Archetype | undefined)[];
  index = 0;
  row = 0;
  readonly holderRows: number[];
  /** What was found above one entity: by way the index of the holder, or 0; and how deep it is along the first. */
  readonly above: number[];
  depth = 0;
  /** Depths along a relation with many targets, of those this visit met: by table. */
  readonly depths: Map<TableId, number> = new Map();
  isSteady = false;
  /** The free variable is the last of the ways to ancestors. */
  isFree = false;
  /** By variable: an entity index; 0 while it is free. */
  readonly variables: number[];
  /** Of a visit with ways to ancestors: the lists that positions are places in. */
  stretches: Stretches | undefined = undefined;
  /** Ways up, made when the visit looks for ancestors one by one: by aside, and by way. */
  readonly asideWays: (Way | undefined)[] = [];
  readonly ways: (Way | undefined)[] = [];
  private query: Query;

  constructor(query: Query) {
    const { world, plan } = query;
    this.query = query;
    this.world = world;
    this.shape = archetypesOf(world)[0]!;
    this.truths = plan.asides.map(() => false);
    this.found = plan.asides.map(() => 0);
    const ways = plan.freeWay?.traversals ?? plan.traversals;
    this.holders = ways.map(() => undefined);
    this.holderRows = ways.map(() => 0);
    this.above = ways.map(() => 0);
    this.variables = plan.variables.map(() => 0);
  }

  /** Looks at given entities, as they are now. */
  begin(query: Query): void {
    this.query = query;
    this.stretches = undefined;
    this.isSteady = false;
    this.isFree = false;
    const { looked, began } = wholeOf(query);
    this.since = looked;
    this.sinceRemoved = Math.max(looked, began);
    const { asides, variables } = query.plan;
    for (let at = 0; at < variables.length; at++) {
      this.variables[at] = indexIfAlive(query.world, query.bound[at]!);
    }
    for (let at = 0; at < this.ways.length; at++) this.ways[at]?.far.clear();
    if (this.depths.size > 0) this.depths.clear();
    for (let at = 0; at < asides.length; at++) {
      this.asideWays[at]?.far.clear();
      this.askAgain(at);
    }
  }

  /** Looks at one given entity; if a variable is meant, at what that stands for. */
  askAgain(place: number): void {
    const found = given.lookAside!(this, this.query.plan.asides[place]!, place);
    this.found[place] = found;
    this.truths[place] = found !== 0;
  }

  switchedAt(note: number, index: number): number {
    return this.query.watch.notes[note]?.switchedAt(index, this.query.watch.peeks) ?? 0;
  }

  targetOf(variable: number): number {
    const index = this.variables[this.query.plan.variables.indexOf(variable)] ?? 0;
    return index === 0 ? boundTo(this.query, variable) : handleOf(this.world, index);
  }
}
